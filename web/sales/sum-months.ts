import type { MonthlySales } from '../../src/sales/monthly-sales.ts';

/** The figures of several months together. */
export type PeriodSales = Pick<MonthlySales, 'total_sales' | 'schedules' | 'sell_rate' | 'asp'>;

/** Sums months. What sold is calculated from the sell rate, which has four decimals. */
export function sumMonths(months: readonly MonthlySales[]): PeriodSales {
  let [schedules, sold, total] = [0, 0, 0];
  for (const month of months) {
    schedules += month.schedules;
    sold += Math.round(month.sell_rate * month.schedules);
    total += month.total_sales;
  }
  return {
    total_sales: Math.round(total * 100) / 100,
    schedules,
    sell_rate: schedules === 0 ? 0 : sold / schedules,
    asp: sold === 0 ? null : total / sold,
  };
}
