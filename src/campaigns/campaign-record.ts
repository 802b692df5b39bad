import { amountOf } from '../shared/amounts.ts';
import { formatTime } from '../shared/timestamps.ts';
import type { Campaign, CampaignLimit, CampaignSetting, CampaignState } from './campaign.ts';
import { isSpent } from './campaign-spend.ts';
import { readSchedule } from './hourly-schedule.ts';

/** Returns a campaign as the API shows it at a time, in milliseconds since 1970. */
export function campaignOf(state: CampaignState, now: number): Campaign {
  return campaignsAt(now)(state);
}

/** Like `campaignOf`, for several campaigns of one merchant. */
export function campaignsAt(now: number): (state: CampaignState) => Campaign {
  let today: string | undefined;
  return (state) => {
    // Most merchants have no placements, and to find the day takes longer than everything else here.
    if (state.spend_day !== '') today ??= dayAt(now, state.time_zone);
    return recordOf(state, state.spend_day === today ? state.spend_today : 0);
  };
}

function dayAt(time: number, timeZone: string): string {
  const instant = Temporal.Instant.fromEpochMilliseconds(time);
  return instant.toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** `spendToday` is in units. */
function recordOf({ id, created_at, updated_at, ...fields }: CampaignState, spendToday: number): Campaign {
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
    products: fields.products,
    spend_today: amountOf(spendToday),
    spend: amountOf(fields.spend),
    placements: fields.placements,
    limited_by: limitOf(fields, spendToday),
    hourly_schedule: readSchedule(fields.hourly_schedule),
  };
}

function limitOf(
  campaign: Pick<
    CampaignState,
    'status' | 'lifetime_budget' | 'daily_budget' | 'bid_amount' | 'spend' | keyof CampaignSetting
  >,
  spendToday: number,
): CampaignLimit | null {
  const { status, lifetime_budget, daily_budget, bid_amount, spend } = campaign;
  if (status === 'Expired') return 'ended';
  if (status === 'Paused') return 'paused';
  if (status === 'Lifetime Budget Exhausted' || isSpent(lifetime_budget, spend, campaign))
    return 'lifetime_budget';
  if (campaign.products === 0) return 'no_products';
  if (bid_amount === null && campaign.with_bid === 0) return 'no_bid';
  return isSpent(daily_budget, spendToday, campaign) ? 'daily_budget' : null;
}
