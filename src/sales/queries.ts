import { statement } from '../database/database.ts';

export interface SalesMonthRow {
  month: string;
  schedules: number;
  sold: number;
  /** In hundredths of the currency's unit. */
  total_sales: number;
  rated: number;
  /** In hundredths of a point. */
  rating_sum: number;
}

/** Parameters: merchant. Oldest first. */
export const listSalesMonths = statement<SalesMonthRow>(
  `SELECT month, schedules, sold, total_sales, rated, rating_sum
   FROM sales_months WHERE merchant_id = ? AND schedules > 0 ORDER BY month`,
);
