import type { FastifyInstance } from 'fastify';
import { campaignStatuses } from '../../campaigns/campaign.ts';
import { exampleIn } from '../../campaigns/campaign-schema.ts';
import { listCampaignsOfAllMerchants } from '../../campaigns/list-campaigns-of-all-merchants.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import { DEFAULT_LIMIT, pageParameters, readPage } from '../../http/parameters/page.ts';
import { oneOf } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { cutPage } from '../../sync/cut-page.ts';
import { type OperatorEndpointServices, registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { exampleNamedMerchant } from '../merchants/named-merchant-schema.ts';
import { ownersOf } from '../merchants/side-of-merchant.ts';
import { campaignsTag } from '../tags.ts';
import { campaignPageSchema, type MerchantCampaign } from './list-schema.ts';

/** The campaigns of all merchants. */
export function campaignListEndpoint(
  app: FastifyInstance,
  services: OperatorEndpointServices & Pick<OperatorWriteServices, 'database' | 'now'>,
): void {
  const { database } = services;
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/campaigns',
    name: 'listCampaigns',
    tag: campaignsTag,
    summary: 'List the campaigns of all merchants',
    description: 'Lists campaigns, newest first. Campaigns of test sides are left out.',
    scope: 'campaigns',
    pathParameters: {},
    parameters: {
      status: {
        type: oneOf(campaignStatuses),
        description: 'Only campaigns with this status.',
        example: 'Lifetime Budget Exhausted',
      },
      ...pageParameters('campaigns'),
    },
    statuses: [200, 304],
    success: {
      description: 'A page of campaigns.',
      schema: campaignPageSchema,
      examples: {
        page: {
          summary: 'The last page',
          value: {
            results: [{ merchant: exampleNamedMerchant, currency: 'EUR', campaign: exampleIn('Active') }],
            next: null,
          },
        },
      },
    },
    handle: async ({ request, reply, input: { status, after, limit = DEFAULT_LIMIT } }) => {
      const { results: found, next } = await readPage(
        { merchantId: OPERATOR_ID, items: 'campaigns', selected: [status], after },
        ['text'],
        async (place) => {
          const part = { status, after: place?.[0], limit: limit + 1 };
          const listed = await listCampaignsOfAllMerchants(services, part);
          return cutPage(listed, limit, ({ campaign }): [string] => [campaign.internal_id]);
        },
      );
      const ownerOf = await ownersOf(
        database,
        found.map(({ merchantId }) => merchantId),
      );
      const results = found.flatMap(({ merchantId, campaign }): MerchantCampaign[] => {
        const owner = ownerOf(merchantId);
        return owner === undefined ? [] : [{ ...owner, campaign }];
      });
      await sendJson(request, reply, JSON.stringify({ results, next }));
    },
  });
}
