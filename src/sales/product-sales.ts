import type { Database } from '../database/database.ts';
import { missingMerchant } from '../database/merchant-queries.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import { errors } from '../errors/errors.ts';
import { findMerchantById } from '../merchants/queries.ts';
import { type Duration, daysOf, monthsAround, periodOfDays } from './periods.ts';
import {
  countProductsScheduled,
  listProductFees,
  listProductSales,
  type ProductSort,
} from './product-queries.ts';
import { type ProductSales, summarizeProduct } from './product-sales-record.ts';
import { type DayRange, MAX_MONTHS } from './report.ts';
import { monthsIn } from './report-days.ts';

/** By default, the highest revenue is first. Pages are counted from 1. */
type ProductSalesRequest = ({ duration: Duration } | { days: DayRange }) & {
  sort?: ProductSort | undefined;
  page: number;
  perPage: number;
};

/**
 * Lists the products with schedules in a period (contract for writing, “Staying in sync”), with the seller
 * fees of their orders that were paid in the period and not canceled. Products with equal values are in the
 * order of their identifiers. Off the event loop: the cost depends on the number of schedules and orders.
 * @throws {DomainError} `invalid_parameters` for days of more than `MAX_MONTHS` months
 * @throws {QueueFull} as `OffLoopReads.snapshot`
 */
export async function productSales(
  { database, offLoop, now }: { database: Database; offLoop: OffLoopReads; now: () => number },
  merchantId: number,
  { sort = 'revenue_descending', page, perPage, ...of }: ProductSalesRequest,
): Promise<{ results: ProductSales[]; total: number }> {
  const merchant = await database.first(findMerchantById, { merchantId });
  if (merchant === undefined) throw missingMerchant(merchantId);
  const days = 'days' in of ? of.days : daysOf(merchant.time_zone, of.duration, now());
  if (monthsIn(days) > MAX_MONTHS)
    throw errors.invalid_parameters([
      { field: 'to', reason: `expected at most ${MAX_MONTHS} months from the first day` },
    ]);
  const period = periodOfDays(merchant.time_zone, days);
  const within = { merchantId, ...period, months: monthsAround(period) };
  return await offLoop.snapshot(merchantId, async (reader) => {
    const offset = (page - 1) * perPage;
    const rows = await reader.all(listProductSales[sort], { ...within, limit: perPage, offset });
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
