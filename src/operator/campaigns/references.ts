import { campaignStatuses } from '../../campaigns/campaign.ts';
import { campaignSchema, exampleCampaign } from '../../campaigns/references.ts';
import type { EndpointReference } from '../../http/endpoint/reference.ts';
import { oneOf } from '../../http/parameters/types.ts';

export const campaignsTag = { name: 'Campaigns', description: 'Advertising campaigns of merchants.' };

export const campaignStateParameters = {
  state: { type: oneOf(campaignStatuses), required: true },
} as const;

/** `PUT /merchants/{external_id}/campaigns/{campaign}/state`. */
export const campaignStateReference: EndpointReference<typeof campaignStateParameters> = {
  name: 'setCampaignState',
  tag: campaignsTag,
  summary: 'Set the state of a campaign',
  description:
    'Sets the `status` of a campaign with the operator’s authority: any state may follow any other, also `Expired`, ' +
    'which merchants cannot change. Only the operator sets and ends `Lifetime Budget Exhausted`. Repeating it changes ' +
    'nothing.',
  parameters: { state: { description: 'The new status of the campaign.', example: 'Paused' } },
  success: {
    description: 'The campaign after the change.',
    schema: campaignSchema,
    examples: {
      campaign: { summary: 'A paused campaign', value: { ...exampleCampaign, status: 'Paused' } },
    },
  },
};
