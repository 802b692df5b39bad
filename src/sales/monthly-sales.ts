import type { Reader } from '../database/database.ts';
import { ratioHalfUp } from '../shared/numbers.ts';
import { listSalesMonths, type SalesMonthRow } from './queries.ts';

/** In wire order, with amounts in the currency's major unit, for example dollars. */
export interface MonthlySales {
  month: string;
  schedules: number;
  sell_rate: number;
  asp: number | null;
  product_rating: number | null;
  total_sales: number;
}

/** Returns a record for each month that has schedules, oldest first (contract, “Monthly sales”). */
export async function monthlySales(
  { database }: { database: Reader },
  merchantId: number,
): Promise<MonthlySales[]> {
  const rows = await database.all(listSalesMonths, { merchantId });
  return rows.map(summarizeMonth);
}

export function summarizeMonth({
  month,
  schedules,
  sold,
  total_sales,
  rated,
  rating_sum,
}: SalesMonthRow): MonthlySales {
  return {
    month,
    schedules,
    sell_rate: ratioHalfUp(sold, schedules, 4),
    asp: sold === 0 ? null : ratioHalfUp(total_sales, sold * 100, 2),
    product_rating: rated === 0 ? null : ratioHalfUp(rating_sum, rated * 100, 2),
    total_sales: total_sales / 100,
  };
}
