import type { Database } from '../database/database.ts';
import { missingMerchant } from '../database/merchant-queries.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import { findMerchantById } from '../merchants/queries.ts';
import { ratioHalfUp } from '../shared/numbers.ts';
import { type Duration, monthsAround, periodIn } from './periods.ts';
import { countProductsScheduled, listProductSales, type ProductSalesRow } from './queries.ts';

/** A product's results in a period: fields in wire order, amounts in the currency's major unit, for example dollars. */
export interface ProductSales {
  identifier: string;
  cost_basis: number | null;
  schedules: number;
  orders: number;
  revenue: number;
  sell_rate: number;
  asp: number | null;
}

/** A page of a list, counted from 1. */
interface PageRequest {
  page: number;
  perPage: number;
}

/**
 * Returns a page of the products that have schedules in a period, the highest revenue first, and their total number
 * (contract for writing, “Staying in sync”). Its cost depends on the number of schedules in the period, so it is read
 * off the event loop.
 * @throws {QueueFull} as `OffLoopReads.snapshot`
 */
export async function productSales(
  { database, offLoop, now }: { database: Database; offLoop: OffLoopReads; now: () => number },
  merchantId: number,
  { duration, page, perPage }: PageRequest & { duration: Duration },
): Promise<{ results: ProductSales[]; total: number }> {
  const merchant = await database.first(findMerchantById, { merchantId });
  if (merchant === undefined) throw missingMerchant(merchantId);
  const period = periodIn(merchant.time_zone, duration, now());
  const within = { merchantId, ...period, months: monthsAround(period) };
  return await offLoop.snapshot(merchantId, async (reader) => {
    const offset = (page - 1) * perPage;
    const rows = await reader.all(listProductSales, { ...within, limit: perPage, offset });
    // A page past the end has no row that says how many products there are.
    const counted = rows[0] ?? (offset > 0 ? await reader.first(countProductsScheduled, within) : undefined);
    return { results: rows.map(summarizeProduct), total: counted?.products ?? 0 };
  });
}

function summarizeProduct({
  identifier,
  cost_basis,
  schedules,
  orders,
  revenue,
}: ProductSalesRow): ProductSales {
  return {
    identifier,
    cost_basis: cost_basis < 0 ? null : cost_basis,
    schedules,
    orders,
    revenue: revenue / 100,
    sell_rate: ratioHalfUp(orders, schedules, 4),
    asp: orders === 0 ? null : ratioHalfUp(revenue, orders * 100, 2),
  };
}
