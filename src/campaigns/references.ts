import { idempotencyKeyReference } from '../http/endpoint/idempotency.ts';
import type { EndpointReference, ParameterReference } from '../http/endpoint/reference.ts';
import { type PaginationSummary, pageReferences, summarySchema } from '../http/pages/reference.ts';
import { nonNegativeNumber, orNull, record, type Schema, time } from '../http/schema.ts';
import { type Campaign, campaignStatuses } from './campaign.ts';
import type {
  actionParameters,
  campaignParameters,
  idParameters,
  listParameters,
  updateParameters,
} from './campaign-parameters.ts';
import type { CampaignChanges } from './list-changes.ts';

const budget = orNull(nonNegativeNumber);

export const campaignSchema = record<Campaign>(
  'Campaign',
  'An advertising campaign. Amounts are in the currency’s major unit, for example dollars; null if not set.',
  {
    name: { type: 'string' },
    type: { type: 'string' },
    daily_budget: budget,
    bid_amount: budget,
    status: {
      type: 'string',
      enum: campaignStatuses,
      description:
        '`Active` when created. `Expired` is final. The operator sets and ends `Lifetime Budget Exhausted`.',
    },
    daily_budget_per_product: budget,
    lifetime_budget: budget,
    lifetime_budget_per_product: budget,
    internal_id: { type: 'string', description: 'Identifies the campaign in other calls.' },
    created_at: time,
    updated_at: { ...time, description: 'The time of the last change, or of the creation.' },
  },
);

export const exampleCampaign = {
  name: 'Spring sale',
  type: 'AuctionCampaign',
  daily_budget: 25.5,
  bid_amount: 0.75,
  status: 'Active',
  daily_budget_per_product: null,
  lifetime_budget: 1200,
  lifetime_budget_per_product: null,
  internal_id: '01979f3e-6b1c-7d0a-9f57-2c8e4d1b7a90',
  created_at: '2026-03-01T08:00:00Z',
  updated_at: '2026-03-01T08:00:00Z',
} satisfies Campaign;

const tag = { name: 'Campaigns', description: 'Advertising campaigns for the merchant’s products.' };
const headers = { 'Idempotency-Key': idempotencyKeyReference };
const idReference: ParameterReference = {
  description: 'The `internal_id` of the campaign.',
  example: exampleCampaign.internal_id,
};
const idOrNameReference: ParameterReference = {
  description: 'The `internal_id` of the campaign. Or send `name`.',
  example: exampleCampaign.internal_id,
};
const amountReferences = {
  daily_budget: { description: 'The maximum to spend per day.', example: exampleCampaign.daily_budget },
  bid_amount: { description: 'The bid amount.', example: exampleCampaign.bid_amount },
  daily_budget_per_product: { description: 'The maximum to spend per day on one product.' },
  lifetime_budget: {
    description: 'The maximum to spend in total.',
    example: exampleCampaign.lifetime_budget,
  },
  lifetime_budget_per_product: { description: 'The maximum to spend in total on one product.' },
};

function success(description: string) {
  const examples = { campaign: { summary: 'An active campaign', value: exampleCampaign } };
  return { description, schema: campaignSchema, examples };
}

/** `POST /campaigns.json`. */
export const createReference: EndpointReference<ReturnType<typeof campaignParameters>> = {
  name: 'createCampaign',
  tag,
  summary: 'Create a campaign',
  description:
    'Creates an active campaign. With an `Idempotency-Key`, the request can be retried safely: for 24 hours ' +
    'it returns the first response again and creates nothing else.',
  parameters: {
    name: { description: 'The campaign name. Names need not be unique.', example: exampleCampaign.name },
    type: { description: 'The campaign type.', example: exampleCampaign.type },
    ...amountReferences,
  },
  headers,
  success: { ...success('The created campaign.'), located: true },
};

const campaigns: Schema = { type: 'array', items: campaignSchema };

export const campaignChangesSchema = record<CampaignChanges>(
  'CampaignChanges',
  'Campaigns in the order of their last change.',
  {
    results: { ...campaigns, description: 'The campaigns, each as it is now.' },
    cursor: { type: 'string', description: 'The position for the next request.' },
    more: { type: 'boolean', description: 'Whether there are further changes already.' },
  },
);

export const exampleCampaignChanges: CampaignChanges = {
  results: [exampleCampaign],
  cursor: 'MlYxeUVfYVhbMSwiY2FtcGFpZ25zIiwxNzYzODUwMDAwMDAwLDE3NjM4NTAwMDAwMDAwMDAsIjAxOTc5ZjNlIl0',
  more: false,
};

const exampleSummary: PaginationSummary<Campaign> = {
  results: [exampleCampaign],
  from: 51,
  to: 51,
  page: 2,
  per_page: 50,
  total_entries: 51,
};

/** `GET /campaigns.json`. */
export const listReference: EndpointReference<typeof listParameters> = {
  name: 'listCampaigns',
  tag,
  summary: 'List campaigns',
  description:
    'Lists the merchant’s campaigns page by page, newest first, in every status unless `status` is given. A page past ' +
    'the end is empty. To keep a copy of the campaigns, follow `changed_since`: begin with `start`, and send the `cursor` ' +
    'of each response with the next request. A campaign that changes again comes again.',
  parameters: {
    status: { description: 'Returns only campaigns with this status.', example: 'Active' },
    ...pageReferences('campaigns'),
    changed_since: {
      description:
        'Lists changes: `start` for everything, or the `cursor` of an earlier response. Can only be combined with `per_page`.',
      example: 'start',
    },
  },
  success: {
    description:
      'The page: an array of campaigns, the pagination summary if `pagination` is true, or changes if `changed_since` ' +
      'is sent.',
    schema: {
      oneOf: [
        campaigns,
        summarySchema('CampaignPaginationSummary', {
          items: 'campaigns',
          one: 'campaign',
          results: campaigns,
        }),
        campaignChangesSchema,
      ],
    },
    examples: {
      campaigns: { summary: 'Campaigns', value: [exampleCampaign] },
      summary: { summary: 'With `pagination=true`', value: exampleSummary },
      changes: { summary: 'With `changed_since`', value: exampleCampaignChanges },
    },
    linked: true,
  },
};

/** `GET /campaigns/retrieve.json`. */
export const retrieveReference: EndpointReference<typeof idParameters> = {
  name: 'retrieveCampaign',
  tag,
  summary: 'Retrieve a campaign',
  description: 'Returns the merchant’s campaign with the given `internal_id`.',
  parameters: { internal_id: idReference },
  success: success('The campaign.'),
};

const readOnly = (name: string): ParameterReference => ({
  description: `Read-only: only the current \`${name}\` is accepted.`,
});

/** `POST /campaigns/update.json`. */
export const updateReference: EndpointReference<typeof updateParameters> = {
  name: 'updateCampaign',
  tag,
  summary: 'Update a campaign',
  description:
    'Changes the fields that are sent. JSON `null` clears an amount. An expired campaign cannot be changed. With a new ' +
    'name, the products whose `campaign_name` is the former name get the new name, unless another campaign that has not ' +
    'expired still has the former name. More than 1,000 products follow within minutes. Without `internal_id`, `name` ' +
    'names the campaign, and stays as it is: the campaign with this name that has not expired. If there are several, ' +
    'the call fails, and the message lists their ids.',
  parameters: {
    name: {
      description: 'The new name of the campaign or, without `internal_id`, the current one.',
      example: exampleCampaign.name,
    },
    type: readOnly('type'),
    ...amountReferences,
    status: readOnly('status'),
    internal_id: idOrNameReference,
    created_at: readOnly('created_at'),
    updated_at: readOnly('updated_at'),
  },
  headers,
  success: success('The campaign after the write.'),
};

const actions = {
  pause: {
    name: 'pauseCampaign',
    summary: 'Pause a campaign',
    does: 'Makes an active campaign paused, until it is resumed.',
  },
  resume: { name: 'resumeCampaign', summary: 'Resume a campaign', does: 'Makes a paused campaign active.' },
  end: {
    name: 'endCampaign',
    summary: 'End a campaign',
    does: 'Makes a campaign expired. It can never be changed again.',
  },
} as const;

/** `POST /campaigns/pause.json`, `resume.json` or `end.json`. */
export function actionReference(action: keyof typeof actions): EndpointReference<typeof actionParameters> {
  const { name, summary, does } = actions[action];
  return {
    name,
    tag,
    summary,
    description: `${does} Repeating it changes nothing.`,
    parameters: {
      internal_id: idOrNameReference,
      name: {
        description:
          'The name of the campaign, instead of `internal_id`. If several campaigns with this name have not expired, ' +
          'the call fails, and the message lists their ids.',
      },
    },
    headers,
    success: success('The campaign after the write.'),
  };
}
