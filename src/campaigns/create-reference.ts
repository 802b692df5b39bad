import { idempotencyKeyReference } from '../http/endpoint/idempotency.ts';
import type { EndpointReference } from '../http/endpoint/reference.ts';
import { nonNegativeNumber, orNull, record } from '../http/schema.ts';
import type { Campaign } from './campaign.ts';
import type { campaignParameters } from './campaign-parameters.ts';

const budget = orNull(nonNegativeNumber);

/** A campaign as the API shows it. */
const campaignSchema = record<Campaign>(
  'Campaign',
  'An advertising campaign. Amounts are in the currency’s major unit, for example dollars; null if not set.',
  {
    name: { type: 'string' },
    type: { type: 'string' },
    daily_budget: budget,
    bid_amount: budget,
    status: { type: 'string', description: '`Active` when created.' },
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

/** The documentation of `POST /campaigns.json`. */
export const createReference: EndpointReference<ReturnType<typeof campaignParameters>> = {
  name: 'createCampaign',
  tag: { name: 'Campaigns', description: 'Advertising campaigns for the merchant’s products.' },
  summary: 'Create a campaign',
  description:
    'Creates an active campaign. With an `Idempotency-Key`, the request can be retried safely: for 24 hours ' +
    'it returns the first response again and creates nothing else.',
  parameters: {
    name: { description: 'The campaign name. Names need not be unique.', example: exampleCampaign.name },
    type: { description: 'The campaign type.', example: exampleCampaign.type },
    daily_budget: { description: 'The maximum to spend per day.', example: exampleCampaign.daily_budget },
    bid_amount: { description: 'The bid amount.', example: exampleCampaign.bid_amount },
    daily_budget_per_product: { description: 'The maximum to spend per day on one product.' },
    lifetime_budget: {
      description: 'The maximum to spend in total.',
      example: exampleCampaign.lifetime_budget,
    },
    lifetime_budget_per_product: { description: 'The maximum to spend in total on one product.' },
  },
  headers: { 'Idempotency-Key': idempotencyKeyReference },
  success: {
    description: 'The created campaign.',
    schema: campaignSchema,
    examples: { campaign: { summary: 'An active campaign', value: exampleCampaign } },
  },
};
