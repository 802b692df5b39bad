import type { FastifyInstance } from 'fastify';
import { campaignStatuses } from '../../campaigns/campaign.ts';
import { exampleIn } from '../../campaigns/campaign-schema.ts';
import { listCampaignsOfAllMerchants } from '../../campaigns/list-campaigns-of-all.ts';
import { int32, oneOf, text } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { findMerchantsByIds, MERCHANTS_AT_ONCE } from '../../merchants/queries.ts';
import { type OperatorEndpointServices, registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { exampleNamedMerchant } from '../merchants/named-merchant-schema.ts';
import { campaignsTag } from '../tags.ts';
import { campaignPageSchema, type MerchantCampaign } from './list-schema.ts';

const DEFAULT_LIMIT = 50;
const MAX_ID_LENGTH = 100;

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
      state: {
        type: oneOf(campaignStatuses),
        description: 'Only campaigns with this status.',
        example: 'Lifetime Budget Exhausted',
      },
      after: {
        type: text(MAX_ID_LENGTH),
        description: 'List the campaigns after this one: the `next` of the page before.',
        example: exampleIn('Active').internal_id,
      },
      limit: {
        type: int32(1, MERCHANTS_AT_ONCE),
        description: 'The maximum number of campaigns.',
        default: DEFAULT_LIMIT,
      },
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
    handle: async ({ request, reply, input: { state: status, after, limit = DEFAULT_LIMIT } }) => {
      const found = await listCampaignsOfAllMerchants(services, { status, after, limit: limit + 1 });
      const page = found.slice(0, limit);
      const ids = page.map(({ merchantId }) => merchantId);
      const merchants = page.length === 0 ? [] : await database.all(findMerchantsByIds, { ids });
      const byId = new Map(merchants.map((merchant) => [merchant.id, merchant]));
      const results = page.flatMap(({ merchantId, campaign }): MerchantCampaign[] => {
        const found = byId.get(merchantId);
        if (found === undefined) return [];
        const { external_id, name, currency } = found;
        return [{ merchant: { external_id, name }, currency, campaign }];
      });
      const next = found.length > limit ? (page.at(-1)?.campaign.internal_id ?? null) : null;
      await sendJson(request, reply, JSON.stringify({ results, next }));
    },
  });
}
