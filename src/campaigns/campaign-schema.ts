import type { Success } from '../http/endpoint/declaration.ts';
import { schemaOfChanges } from '../http/pages/page-schema.ts';
import { nonNegativeNumber, orNull, record, time } from '../http/schema.ts';
import { type Campaign, campaignStatuses } from './campaign.ts';
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

export const campaignsTag = {
  name: 'Campaigns',
  description: 'Advertising campaigns for the merchant’s products.',
};

/** The response of a call that returns one campaign. */
export function campaignSuccess(description: string): Success {
  const examples = { campaign: { summary: 'An active campaign', value: exampleCampaign } };
  return { description, schema: campaignSchema, examples };
}

/** The response to `changed_since`. */
export const campaignChangesSchema = schemaOfChanges('CampaignChanges', {
  items: 'Campaigns',
  schema: campaignSchema,
});

export const exampleCampaignChanges: CampaignChanges = {
  results: [exampleCampaign],
  cursor: 'MlYxeUVfYVhbMSwiY2FtcGFpZ25zIiwxNzYzODUwMDAwMDAwLDE3NjM4NTAwMDAwMDAwMDAsIjAxOTc5ZjNlIl0',
  more: false,
};
