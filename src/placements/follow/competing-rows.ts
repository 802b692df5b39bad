import { bidUnitsOf } from '../../shared/amounts.ts';
import type { CompetingProduct } from '../competition/competing.ts';
import type { ScheduledCampaign } from '../competition/scheduled-campaigns.ts';
import type { CompetingCampaignRow, CompetingProductRow } from './queries.ts';
import { type SellRates, type Tries, UNTRIED } from './sell-rates.ts';

export type ProductTerms = Pick<CompetingProduct, 'schedulingFeeBid' | 'maxDailySchedules'>;

export function competingCampaign(
  merchantId: number,
  { id, name, type, status, bid_amount, created_at, hourly_schedule: hourlySchedule }: CompetingCampaignRow,
): ScheduledCampaign {
  const bid = bid_amount === null ? null : bidUnitsOf(bid_amount);
  return { merchantId, campaignId: id, name, type, status, bid, createdAt: created_at, hourlySchedule };
}

/** `rates` is null if products compete with their bids alone. */
export function competingProduct(
  merchantId: number,
  row: CompetingProductRow,
  rates: SellRates | null,
  placements: Tries = UNTRIED,
): CompetingProduct {
  const category = [row.category_1, row.category_2] as const;
  const schedules =
    row.schedule_count === 0 ? UNTRIED : { tries: row.schedule_count, sold: Math.max(0, row.sales_count) };
  return {
    merchantId,
    productId: row.internal_id,
    campaignName: row.campaign_name,
    status: row.status,
    category,
    ...termsOf(row),
    quality: rates === null ? 1 : rates.qualityOf(category, { schedules, placements }),
  };
}

/** What a product's merchant says about its places. Columns are -1 if the product has no value. */
export function termsOf({
  scheduling_fee_bid: bid,
  max_daily_schedules: max,
}: Pick<CompetingProductRow, 'scheduling_fee_bid' | 'max_daily_schedules'>): ProductTerms {
  return { schedulingFeeBid: bid < 0 ? null : bidUnitsOf(bid), maxDailySchedules: max < 0 ? null : max };
}
