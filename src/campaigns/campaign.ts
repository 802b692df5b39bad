import { formatTime } from '../shared/timestamps.ts';
import { type HourlySchedule, readSchedule } from './hourly-schedule.ts';

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
export type CampaignRow = Omit<Campaign, 'internal_id' | 'created_at' | 'updated_at' | 'hourly_schedule'> &
  CampaignSpend & {
    id: string;
    created_at: number;
    /** Null if it has not changed since. */
    updated_at: number | null;
    /** As `changeSchedule` returns it; null if it was never set. */
    hourly_schedule: string | null;
  };

export function campaignOf({ id, created_at, updated_at, ...fields }: CampaignRow): Campaign {
  return {
    name: fields.name,
    type: fields.type,
    daily_budget: fields.daily_budget,
    bid_amount: fields.bid_amount,
    status: fields.status,
    daily_budget_per_product: fields.daily_budget_per_product,
    lifetime_budget: fields.lifetime_budget,
    lifetime_budget_per_product: fields.lifetime_budget_per_product,
    internal_id: id,
    created_at: formatTime(created_at),
    updated_at: formatTime(updated_at ?? created_at),
    hourly_schedule: readSchedule(fields.hourly_schedule),
  };
}
