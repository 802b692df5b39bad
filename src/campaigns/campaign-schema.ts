import type { Success } from '../http/endpoint/declaration.ts';
import { schemaOfChanges } from '../http/pages/page-schema.ts';
import { nonNegativeNumber, orNull, record, type Schema, time, withFigures } from '../http/schema.ts';
import {
  type Campaign,
  type CampaignLimit,
  type CampaignStatus,
  campaignLimits,
  campaignStatuses,
} from './campaign.ts';
import { campaignFigures } from './figures.ts';
import { type HourlySchedule, scheduleSlots } from './hourly-schedule.ts';
import type { CampaignChanges } from './list-changes.ts';

const budget = (what: string): Schema => ({
  ...orNull(nonNegativeNumber),
  description: `${what}, in the merchant’s currency; null for no limit.`,
});
const count: Schema = { type: 'integer', minimum: 0 };

const slot = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** The schemas of the slots, by their names. */
export const slotSchemas = Object.fromEntries(
  scheduleSlots.map((name, index): [string, Schema] => [
    name,
    {
      type: 'integer',
      minimum: 0,
      maximum: 1,
      description: `1 if it competes from ${slot(3 * index)} to ${slot(3 * index + 3)}, 0 if not.`,
    },
  ]),
) as Record<keyof HourlySchedule, Schema>;

const scheduleSchema = orNull(
  record<HourlySchedule>(
    'HourlySchedule',
    'When the campaign competes, in slots of three hours in the merchant’s time zone: 1 if it does, 0 if not. Null if it ' +
      'was never set, which means always.',
    slotSchemas,
  ),
);

export const campaignSchema = record<Campaign>(
  'Campaign',
  'An advertising campaign. Amounts are in the currency’s major unit, for example dollars; null if not set.',
  withFigures(campaignFigures, {
    name: { type: 'string', description: 'The name, which products state in `campaign_name`.' },
    type: { type: 'string', description: 'The type, such as `AuctionCampaign`.' },
    daily_budget: budget('The maximum to spend per day in the merchant’s time zone'),
    bid_amount: {
      ...orNull(nonNegativeNumber),
      description: 'The bid for a place, in the merchant’s currency; null if the bids of the products count.',
    },
    status: {
      type: 'string',
      enum: campaignStatuses,
      description:
        '`Active` when created. `Expired` is final. `Lifetime Budget Exhausted`: ' +
        'placements have spent the budget, or the operator has said so; a higher budget makes the campaign active again.',
    },
    daily_budget_per_product: budget('The maximum to spend per day on one product'),
    lifetime_budget: budget('The maximum to spend in total'),
    lifetime_budget_per_product: budget('The maximum to spend in total on one product'),
    internal_id: { type: 'string', description: 'Identifies the campaign in other calls.' },
    created_at: { ...time, description: 'The time of creation.' },
    updated_at: { ...time, description: 'The time of the last change, or of the creation.' },
    products: {
      ...count,
      description:
        'How many products name the campaign in `campaign_name`. Deleted products do not count. A change does not list the ' +
        'campaign in `changed_since`, nor does one of the next four fields.',
    },
    spend_today: {
      ...nonNegativeNumber,
      description:
        'What its delivered placements of today cost, in the merchant’s currency. Days are in the merchant’s time zone.',
    },
    spend: {
      ...nonNegativeNumber,
      description: 'What all its delivered placements cost, in the merchant’s currency.',
    },
    placements: { ...count, description: 'The number of delivered placements.' },
    limited_by: {
      ...orNull({ type: 'string', enum: campaignLimits }),
      description:
        'Why the campaign is not shown; null if nothing limits it. `ended`: it is expired. `paused`: it is paused. ' +
        '`lifetime_budget`: the rest of the budget does not cover a bid. `no_products`: no product names it. `no_bid`: it ' +
        'has no `bid_amount`, and its products have no `scheduling_fee_bid`. `daily_budget`: the rest of today’s budget ' +
        'does not cover a bid. If several apply, it is the first of these.',
    },
    hourly_schedule: scheduleSchema,
  }),
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
  products: 48,
  spend_today: 7.35,
  spend: 312.6,
  placements: 718,
  limited_by: null,
  hourly_schedule: { 0: 0, 1: 0, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 0 },
} satisfies Campaign;

const limitIn = {
  Active: null,
  Paused: 'paused',
  Expired: 'ended',
  'Lifetime Budget Exhausted': 'lifetime_budget',
} as const satisfies Record<CampaignStatus, CampaignLimit | null>;

/** Returns the example as it is with a status. */
export function exampleIn(status: CampaignStatus): Campaign {
  return { ...exampleCampaign, status, limited_by: limitIn[status] };
}

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
