import type { FastifyInstance } from 'fastify';
import { campaignStatuses } from '../../campaigns/campaign.ts';
import { campaignSchema, exampleIn } from '../../campaigns/campaign-schema.ts';
import { setStatusAsOperator } from '../../campaigns/change-campaign.ts';
import { runVerb } from '../../database/write-context.ts';
import { oneOf, text } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { merchantInPath, requireMerchant } from '../merchants/merchant-parameters.ts';
import { campaignsTag } from '../tags.ts';

const MAX_ID_LENGTH = 100;

const campaignInPath = {
  ...merchantInPath,
  campaign: {
    type: text(MAX_ID_LENGTH),
    description: 'The `internal_id` of the campaign.',
    example: '01979f3e-6b1c-7d0a-9f57-2c8e4d1b7a90',
  },
};

export function campaignStateEndpoint(app: FastifyInstance, services: OperatorWriteServices): void {
  const { database } = services;
  registerOperatorEndpoint(app, services, {
    method: 'PUT',
    path: '/merchants/{external_id}/campaigns/{campaign}/state',
    pathParameters: campaignInPath,
    name: 'setCampaignState',
    tag: campaignsTag,
    summary: 'Set the state of a campaign',
    description:
      'Sets the `status` of a campaign with the operator’s authority: any state may follow any other, also `Expired`, ' +
      'which merchants cannot change. Merchants end `Lifetime Budget Exhausted` only with a higher budget. Repeating it changes ' +
      'nothing.',
    scope: 'campaigns',
    parameters: {
      state: {
        type: oneOf(campaignStatuses),
        required: true,
        description: 'The new status of the campaign.',
        example: 'Paused',
      },
    },
    statuses: [200, 404],
    success: {
      description: 'The campaign after the change.',
      schema: campaignSchema,
      examples: {
        campaign: { summary: 'A paused campaign', value: exampleIn('Paused') },
      },
    },
    handle: async ({ request, reply, caller: { who }, path, input: { state: status } }) => {
      const { id: merchantId } = await requireMerchant(database, path);
      const change = { id: path.campaign, status };
      const campaign = await runVerb(services, { merchantId, who }, setStatusAsOperator, change);
      await sendJson(request, reply, JSON.stringify(campaign));
    },
  });
}
