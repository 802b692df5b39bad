import type { Reader } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { amountOf } from '../../shared/amounts.ts';
import { ratioHalfUp } from '../../shared/numbers.ts';
import { FIRST_DAY, LAST_DAY, NOTHING, type PlacementFigures } from '../record/placement.ts';
import { sumByDay, sumByProduct, sumRange } from './queries.ts';

export const groupings = ['total', 'day', 'product'] as const;
export type Grouping = (typeof groupings)[number];

/** What the placements of a campaign cost and sold. In wire order, amounts in the currency's major unit. */
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

/** Days from `from` to `to`, `YYYY-MM-DD`; undefined for any. */
interface CampaignDays {
  merchantId: number;
  campaignId: string;
  from: string | undefined;
  to: string | undefined;
}

/** `page` counts from 1 and is for products. */
interface PerformanceRequest extends CampaignDays {
  by: Grouping;
  page: number;
  perPage: number;
}

/**
 * Reports a campaign from the figures that each placement is added to in its own transaction, so that there
 * is no delay (contract for campaigns, “What merchants see”). Reads off the event loop.
 * @throws {QueueFull} as `OffLoopReads.snapshot`
 */
export async function campaignPerformance(
  { offLoop }: { offLoop: OffLoopReads },
  { by, page, perPage, ...days }: PerformanceRequest,
): Promise<CampaignPerformance[]> {
  return await offLoop.snapshot(days.merchantId, async (reader) => {
    if (by === 'total') return [await performanceOf(reader, days)];
    if (by === 'day') {
      const { from = FIRST_DAY, to = LAST_DAY } = days;
      const rows = await reader.all(sumByDay, { ...days, from, to });
      return rows.map((row) => summarize(row, { day: row.day }));
    }
    const part = { limit: perPage, offset: (page - 1) * perPage };
    const rows = await reader.all(sumByProduct, { ...rangeOf(days), ...part });
    return rows.map((row) => summarize(row, { product_identifier: row.identifier }));
  });
}

/** Reports all products of a campaign (0) or one of them. */
export async function performanceOf(
  reader: Reader,
  days: CampaignDays,
  productId = 0,
): Promise<CampaignPerformance> {
  const range = { ...rangeOf(days), productId };
  const { delivered, spend, orders, revenue } = (await reader.first(sumRange, range)) ?? NOTHING;
  return summarize({
    delivered: delivered ?? 0,
    spend: spend ?? 0,
    orders: orders ?? 0,
    revenue: revenue ?? 0,
  });
}

/** Figures of all days have a row of their own. */
function rangeOf({ from, to, ...campaign }: CampaignDays) {
  const isAllDays = from === undefined && to === undefined;
  return {
    ...campaign,
    ...(isAllDays ? { from: '', to: '' } : { from: from ?? FIRST_DAY, to: to ?? LAST_DAY }),
  };
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
