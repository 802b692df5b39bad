import { idempotencyKeyReference } from '../http/endpoint/idempotency.ts';
import type { EndpointReference } from '../http/endpoint/reference.ts';
import { orNull, quantity, record } from '../http/endpoint/schema.ts';
import type { Campaign } from './campaign.ts';
import type { campaignParameters } from './campaign-parameters.ts';

const budget = orNull(quantity);

/** A campaign as the API shows it. */
const campaignSchema = record<Campaign>(
  'Campaign',
  'An advertising campaign. Amounts are in the currency’s unit, null where they were not given.',
  {
    name: { type: 'string' },
    type: { type: 'string' },
    daily_budget: budget,
    bid_amount: budget,
    status: { type: 'string', description: '`Active` on creation.' },
    daily_budget_per_product: budget,
    lifetime_budget: budget,
    lifetime_budget_per_product: budget,
  },
);

const exampleCampaign = {
  name: 'Spring sale',
  type: 'AuctionCampaign',
  daily_budget: 25.5,
  bid_amount: 0.75,
  status: 'Active',
  daily_budget_per_product: null,
  lifetime_budget: 1200,
  lifetime_budget_per_product: null,
} satisfies Campaign;

/** What the document says of `POST /campaigns.json`. */
export const createReference: EndpointReference<ReturnType<typeof campaignParameters>> = {
  name: 'createCampaign',
  tag: { name: 'Campaigns', description: 'Advertising for the merchant’s products.' },
  summary: 'Create a campaign',
  description:
    'Creates an active campaign. With an `Idempotency-Key` it is safe to send the same request again: ' +
    'for 24 hours the first answer is repeated, and nothing else is created.',
  parameters: {
    name: { description: 'What the merchant calls it. Two may share one.', example: exampleCampaign.name },
    type: { description: 'Its type.', example: exampleCampaign.type },
    daily_budget: { description: 'The most to spend a day.', example: exampleCampaign.daily_budget },
    bid_amount: { description: 'What to bid.', example: exampleCampaign.bid_amount },
    daily_budget_per_product: { description: 'The most to spend a day on one product.' },
    lifetime_budget: { description: 'The most to spend in all.', example: exampleCampaign.lifetime_budget },
    lifetime_budget_per_product: { description: 'The most to spend in all on one product.' },
  },
  headers: { 'Idempotency-Key': idempotencyKeyReference },
  success: {
    description: 'The campaign.',
    schema: campaignSchema,
    examples: { campaign: { summary: 'An active campaign', value: exampleCampaign } },
  },
};
