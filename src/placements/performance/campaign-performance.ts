import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { amountOf } from '../../shared/amounts.ts';
import { ratioHalfUp } from '../../shared/numbers.ts';
import { NOTHING, type PlacementFigures } from '../record/figures.ts';
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

/** Days from `from` to `to`, `YYYY-MM-DD`; undefined for any. `page` counts from 1 and is for products. */
interface PerformanceRequest {
  merchantId: number;
  campaignId: string;
  from: string | undefined;
  to: string | undefined;
  by: Grouping;
  page: number;
  perPage: number;
}

const FIRST_DAY = '0000-00-00';
const LAST_DAY = '9999-99-99';

/**
 * Reports a campaign from the figures that each placement is added to in its own transaction, so that there
 * is no delay (contract for campaigns, “What merchants see”). Reads off the event loop.
 * @throws {QueueFull} as `OffLoopReads.snapshot`
 */
export async function campaignPerformance(
  { offLoop }: { offLoop: OffLoopReads },
  { by, from, to, page, perPage, ...campaign }: PerformanceRequest,
): Promise<CampaignPerformance[]> {
  const days = { from: from ?? FIRST_DAY, to: to ?? LAST_DAY };
  // PlacementFigures of all days have a row of their own.
  const anyDay = { from: '', to: '' };
  const isAllDays = from === undefined && to === undefined;
  return await offLoop.snapshot(campaign.merchantId, async (reader) => {
    if (by === 'day') {
      const rows = await reader.all(sumByDay, { ...campaign, ...days });
      return rows.map((row) => summarize(row, { day: row.day }));
    }
    const range = { ...campaign, ...(isAllDays ? anyDay : days) };
    if (by === 'product') {
      const part = { limit: perPage, offset: (page - 1) * perPage };
      const rows = await reader.all(sumByProduct, { ...range, ...part });
      return rows.map((row) => summarize(row, { product_identifier: row.identifier }));
    }
    const total = (await reader.first(sumRange, range)) ?? NOTHING;
    const { delivered, spend, orders, revenue } = total;
    return [
      summarize({
        delivered: delivered ?? 0,
        spend: spend ?? 0,
        orders: orders ?? 0,
        revenue: revenue ?? 0,
      }),
    ];
  });
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
