import type { HourlySchedule } from './hourly-schedule.ts';

/** Merchants cannot change an expired campaign, and end exhaustion only by raising the lifetime budget. */
export const campaignStatuses = ['Active', 'Paused', 'Expired', 'Lifetime Budget Exhausted'] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

/** The fields that may have no value, in the order of the update call. */
export const amountNames = [
  'daily_budget',
  'bid_amount',
  'daily_budget_per_product',
  'lifetime_budget',
  'lifetime_budget_per_product',
] as const;

/** Why a campaign is not shown, or not today. If several apply, the first one is named. */
export const campaignLimits = [
  'ended',
  'paused',
  'lifetime_budget',
  'no_products',
  'no_bid',
  'daily_budget',
] as const;
export type CampaignLimit = (typeof campaignLimits)[number];

/** A campaign as the API shows it, in wire order. Amounts are in the major unit, for example dollars. */
export interface Campaign {
  name: string;
  type: string;
  daily_budget: number | null;
  bid_amount: number | null;
  status: CampaignStatus;
  daily_budget_per_product: number | null;
  lifetime_budget: number | null;
  lifetime_budget_per_product: number | null;
  internal_id: string;
  created_at: string;
  updated_at: string;
  /** How many products name the campaign. Deleted ones do not count. */
  products: number;
  /** What its placements of the merchant's present day cost. */
  spend_today: number;
  spend: number;
  /** How many placements were delivered. */
  placements: number;
  /** Null if nothing limits it. */
  limited_by: CampaignLimit | null;
  /** Null if it was never set: the campaign competes at any time. */
  hourly_schedule: HourlySchedule | null;
}

/** What the campaign's placements cost, in units (`amounts.ts`). */
export interface CampaignSpend {
  spend: number;
  /** The number of delivered placements. */
  placements: number;
  /** The last day, `YYYY-MM-DD`, on which placements were written; '' before the first. */
  spend_day: string;
  /** What the placements of that day cost. */
  spend_today: number;
}

export const NO_SPEND: CampaignSpend = { spend: 0, placements: 0, spend_day: '', spend_today: 0 };

/** Times are in milliseconds since 1970. Ids sort by the time of creation. */
export type CampaignRow = Pick<Campaign, 'name' | 'type' | 'status' | (typeof amountNames)[number]> &
  CampaignSpend & {
    id: string;
    created_at: number;
    /** Null if it has not changed since. */
    updated_at: number | null;
    /** As `changeSchedule` returns it; null if it was never set. */
    hourly_schedule: string | null;
  };

/** What a record shows of a campaign beyond its row. */
export interface CampaignSetting {
  products: number;
  /** How many of the products have a `scheduling_fee_bid`. */
  with_bid: number;
  /** The merchant's. */
  time_zone: string;
}

export type CampaignState = CampaignRow & CampaignSetting;
