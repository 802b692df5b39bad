import type { Database } from '../database/database.ts';
import { missingMerchant } from '../database/merchant-queries.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import { findMerchantById } from '../merchants/queries.ts';
import { type Duration, daysOf, monthsAround, periodOfDays } from './periods.ts';
import { type ProductSales, summarizeProduct } from './product-sales-record.ts';
import { countProductsScheduled, listProductFees, listProductSales } from './queries.ts';

/** Counted from 1. */
interface PageRequest {
  page: number;
  perPage: number;
}

/**
 * Lists the products with schedules in a period, the highest revenue first (contract for writing, “Staying in
 * sync”), with the seller fees of their orders that were paid in the period and not canceled. Off the event
 * loop: the cost depends on the number of schedules and orders.
 * @throws {QueueFull} as `OffLoopReads.snapshot`
 */
export async function productSales(
  { database, offLoop, now }: { database: Database; offLoop: OffLoopReads; now: () => number },
  merchantId: number,
  { duration, page, perPage }: PageRequest & { duration: Duration },
): Promise<{ results: ProductSales[]; total: number }> {
  const merchant = await database.first(findMerchantById, { merchantId });
  if (merchant === undefined) throw missingMerchant(merchantId);
  const period = periodOfDays(merchant.time_zone, daysOf(merchant.time_zone, duration, now()));
  const within = { merchantId, ...period, months: monthsAround(period) };
  return await offLoop.snapshot(merchantId, async (reader) => {
    const offset = (page - 1) * perPage;
    const rows = await reader.all(listProductSales, { ...within, limit: perPage, offset });
    // A page past the end has no row that says how many products there are.
    const counted = rows[0] ?? (offset > 0 ? await reader.first(countProductsScheduled, within) : undefined);
    const fees = new Map<number, number>();
    if (rows.length > 0)
      for (const each of await reader.all(listProductFees, { merchantId, ...period }))
        fees.set(each.product_id, each.fees);
    return {
      results: rows.map((row) => summarizeProduct(row, fees.get(row.product_id))),
      total: counted?.products ?? 0,
    };
  });
}
