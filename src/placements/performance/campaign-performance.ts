import type { Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { amountOf } from '../../shared/amounts.ts';
import { ratioHalfUp } from '../../shared/numbers.ts';
import { NOTHING, type PlacementFigures } from '../record/figures.ts';
import { FIRST_DAY, LAST_DAY } from '../record/placement.ts';
import {
  ALL_CAMPAIGNS,
  findTotals,
  sumByDay,
  sumByDayOfAll,
  sumByProduct,
  sumRange,
  sumRangeOfAll,
} from './queries.ts';

export const groupings = ['total', 'day', 'product'] as const;
export type Grouping = (typeof groupings)[number];

export const productOrders = [
  'spend_descending',
  'return_on_spend_descending',
  'return_on_spend_ascending',
] as const satisfies (keyof typeof sumByProduct)[];
export type ProductOrder = (typeof productOrders)[number];

/** What placements cost and sold. In wire order, amounts in the currency's major unit. */
export interface CampaignPerformance {
  /** Null unless it is by day. */
  day: string | null;
  /** Null unless it is by product. */
  product_identifier: string | null;
  placements: number;
  spend: number;
  orders: number;
  revenue: number;
  sell_rate: number | null;
  cost_per_order: number | null;
  return_on_spend: number | null;
}

export interface PerformanceReport {
  results: CampaignPerformance[];
  /** Whether more products follow. */
  more: boolean;
}

/** Days from `from` to `to`, `YYYY-MM-DD`; undefined for any. */
interface CampaignDays {
  merchantId: number;
  /** Undefined for all campaigns together. */
  campaignId: string | undefined;
  from: string | undefined;
  to: string | undefined;
}

/** `page` counts from 1. */
interface PerformanceRequest extends CampaignDays {
  by: Grouping;
  /** Of products, as `page` and `perPage`. */
  sort: ProductOrder;
  page: number;
  perPage: number;
}

/**
 * Reports a campaign, or all campaigns, from the figures that each placement is added to in its own
 * transaction, so that there is no delay (contract for campaigns, “What merchants see”). Reads off the event
 * loop.
 * @throws {QueueFull} as `OffLoopReads.snapshot`
 */
export async function campaignPerformance(
  { offLoop }: { offLoop: OffLoopReads },
  { by, sort, page, perPage, ...days }: PerformanceRequest,
): Promise<PerformanceReport> {
  const { merchantId, campaignId = ALL_CAMPAIGNS, from = FIRST_DAY, to = LAST_DAY } = days;
  return await offLoop.snapshot(merchantId, async (reader) => {
    if (by === 'total') return { results: [await performanceOf(reader, days)], more: false };
    if (by === 'day') {
      const range = { merchantId, campaignId, from, to };
      const rows = await reader.all(campaignId === ALL_CAMPAIGNS ? sumByDayOfAll : sumByDay, range);
      return { results: rows.map((row) => summarize(row, { day: row.day })), more: false };
    }
    const part = { limit: perPage + 1, offset: (page - 1) * perPage };
    const rows = await reader.all(sumByProduct[sort], { ...rangeOf(days), ...part });
    const results = rows
      .slice(0, perPage)
      .map((row) => summarize(row, { product_identifier: row.identifier }));
    return { results, more: rows.length > perPage };
  });
}

/** Reports all products of a campaign (0) or one of them; of all campaigns, all products. */
export async function performanceOf(
  reader: Reader,
  days: CampaignDays,
  productId = 0,
): Promise<CampaignPerformance> {
  const range = { ...rangeOf(days), productId };
  const found = await (days.campaignId === undefined
    ? reader.first(sumRangeOfAll, range)
    : reader.first(sumRange, range));
  const { delivered, spend, orders, revenue } = found ?? NOTHING;
  return summarize({
    delivered: delivered ?? 0,
    spend: spend ?? 0,
    orders: orders ?? 0,
    revenue: revenue ?? 0,
  });
}

/** The figures of a campaign have a row for all days, which the figures of all campaigns have not. */
function rangeOf({ merchantId, campaignId = ALL_CAMPAIGNS, from, to }: CampaignDays) {
  const isAnyDay = from === undefined && to === undefined && campaignId !== ALL_CAMPAIGNS;
  const days = isAnyDay ? { from: '', to: '' } : { from: from ?? FIRST_DAY, to: to ?? LAST_DAY };
  return { merchantId, campaignId, ...days };
}

/** Maps campaigns that had placements to what these cost and sold on all days. */
export async function campaignTotals(
  database: Pick<Reader, 'all'>,
  merchantId: number,
  campaignIds: readonly string[],
): Promise<Map<string, CampaignPerformance>> {
  const rows = await lookUp(database, findTotals, merchantId, campaignIds);
  return new Map(rows.map((row) => [row.campaign_id, summarize(row)]));
}

function summarize(
  { delivered, spend, orders, revenue }: Pick<PlacementFigures, 'delivered' | 'spend' | 'orders' | 'revenue'>,
  of: Partial<Pick<CampaignPerformance, 'day' | 'product_identifier'>> = {},
): CampaignPerformance {
  return {
    day: null,
    product_identifier: null,
    ...of,
    placements: delivered,
    spend: amountOf(spend),
    orders,
    revenue: revenue / 100,
    sell_rate: delivered === 0 ? null : ratioHalfUp(orders, delivered, 4),
    cost_per_order: orders === 0 ? null : ratioHalfUp(spend, orders * 10_000, 2),
    return_on_spend: spend === 0 ? null : ratioHalfUp(100 * revenue, spend, 4),
  };
}
