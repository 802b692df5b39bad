import type { FastifyInstance } from 'fastify';
import { errors } from '../errors/errors.ts';
import { registerWrite, type WriteServices } from '../http/endpoint/register-write.ts';
import { MAX_WRITE_BYTES } from '../http/request-limits.ts';
import { sendJson } from '../http/responses/respond.ts';
import type { CampaignBudget } from './campaign-budget.ts';
import { campaignIdOrName, campaignName, updateParameters } from './campaign-parameters.ts';
import { campaignSuccess, campaignsTag } from './campaign-schema.ts';
import { setCampaignStatusOnce, updateCampaignOnce } from './change-campaign.ts';

const success = campaignSuccess('The campaign after the write.');

/** One of them is sent. */
const actionParameters = {
  internal_id: campaignIdOrName,
  name: {
    type: campaignName,
    description:
      'The name of the campaign, instead of `internal_id`. If several campaigns with this name have not expired, ' +
      'the call fails, and the message lists their ids.',
  },
};

const actions = [
  {
    action: 'pause',
    summary: 'Pause a campaign',
    does: 'Makes an active campaign paused, until it is resumed.',
  },
  { action: 'resume', summary: 'Resume a campaign', does: 'Makes a paused campaign active.' },
  {
    action: 'end',
    summary: 'End a campaign',
    does: 'Makes a campaign expired. It can never be changed again.',
  },
] as const;

/** Contract for writing, “Campaigns”. */
export function campaignChangeEndpoints(
  app: FastifyInstance,
  services: WriteServices & { lowInventory: number; campaignChangeBudget: CampaignBudget },
): void {
  const { lowInventory, campaignChangeBudget } = services;
  registerWrite(app, services, {
    path: '/campaigns/update.json',
    name: 'updateCampaign',
    tag: campaignsTag,
    summary: 'Update a campaign',
    description:
      'Changes the fields that are sent. JSON `null` clears an amount or the schedule. An expired campaign cannot be changed. With a new ' +
      'name, the products whose `campaign_name` is the former name get the new name, unless another campaign that has not ' +
      'expired still has the former name. More than 1,000 products follow within minutes. Without `internal_id`, `name` ' +
      'names the campaign, and stays as it is: the campaign with this name that has not expired. If there are several, ' +
      'the call fails, and the message lists their ids.',
    scope: 'campaigns',
    parameters: updateParameters,
    statuses: [200, 404, 409],
    success,
    bodyLimit: MAX_WRITE_BYTES,
    handle: async ({ request, reply, caller: { merchantId }, input, runOnce }) => {
      const { response } = await campaignChangeBudget.count(merchantId, (budget) =>
        runOnce(updateCampaignOnce, input, { lowInventory, budget }),
      );
      await sendJson(request, reply, response);
    },
  });
  for (const { action, summary, does } of actions) {
    registerWrite(app, services, {
      path: `/campaigns/${action}.json`,
      name: `${action}Campaign`,
      tag: campaignsTag,
      summary,
      description: `${does} Repeating it changes nothing.`,
      scope: 'campaigns',
      parameters: actionParameters,
      statuses: [200, 404, 409],
      success,
      bodyLimit: MAX_WRITE_BYTES,
      handle: async ({ request, reply, caller: { merchantId }, input, runOnce }) => {
        if (input.internal_id !== undefined && input.name !== undefined) {
          const reason = 'send exactly one of internal_id and name';
          throw errors.invalid_parameters([{ field: 'name', reason }]);
        }
        const { response } = await campaignChangeBudget.count(merchantId, (budget) =>
          runOnce(setCampaignStatusOnce, { ...input, action }, { budget }),
        );
        await sendJson(request, reply, response);
      },
    });
  }
}
