import { type MonthlySales, summarizeMonth } from './monthly-sales.ts';
import type { SalesMonthRow } from './queries.ts';

/** What schedules add up to. */
export type SalesSums = Omit<SalesMonthRow, 'month'>;

export const NO_SALES: SalesSums = { schedules: 0, sold: 0, total_sales: 0, rated: 0, rating_sum: 0 };

/** Figures of days, like the figures of a month. The rate and the averages are null without schedules. */
export type DaysSales = Pick<MonthlySales, 'schedules' | 'asp' | 'product_rating' | 'total_sales'> & {
  sell_rate: number | null;
};

export function addSums(one: SalesSums, other: SalesSums): SalesSums {
  return {
    schedules: one.schedules + other.schedules,
    sold: one.sold + other.sold,
    total_sales: one.total_sales + other.total_sales,
    rated: one.rated + other.rated,
    rating_sum: one.rating_sum + other.rating_sum,
  };
}

export function summarizeDays(sums: SalesSums): DaysSales {
  if (sums.schedules === 0)
    return { schedules: 0, sell_rate: null, asp: null, product_rating: null, total_sales: 0 };
  const { month: _, ...sales } = summarizeMonth({ month: '', ...sums });
  return sales;
}
