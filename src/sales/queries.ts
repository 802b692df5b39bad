import { insertInto, statement } from '../database/database.ts';
import { type Lookup, namesPlaceholder } from '../database/look-up.ts';

/** The sums over a month's schedules. */
export interface SalesMonthRow {
  month: string;
  schedules: number;
  sold: number;
  /** In hundredths of the currency's major unit, such as cents. */
  total_sales: number;
  rated: number;
  /** In hundredths of a point. */
  rating_sum: number;
}

/** Lists the months that have schedules, oldest first. */
export const listSalesMonths = statement<{ merchantId: number }, SalesMonthRow>(
  `SELECT month, schedules, sold, total_sales, rated, rating_sum
   FROM sales_months WHERE merchant_id = :merchantId AND schedules > 0 ORDER BY month`,
);

/** `sold` is 1 or 0; `sale_price` is in hundredths of the currency's major unit, `rating` in hundredths of a point. */
export interface ScheduleRow {
  schedule_id: string;
  product_id: number;
  scheduled_at: number;
  month: string;
  sold: number;
  sale_price: number | null;
  rating: number | null;
}

/** For `lookUp`. */
export const findSchedulesByIds = statement<Lookup<string>, ScheduleRow>(
  `SELECT schedule_id, product_id, scheduled_at, month, sold, sale_price, rating
   FROM schedules WHERE merchant_id = :merchantId AND schedule_id IN (${namesPlaceholder})`,
);

/** The columns of a schedule's row except its key. */
const valueColumns = [
  'product_id',
  'scheduled_at',
  'month',
  'sold',
  'sale_price',
  'rating',
] as const satisfies (keyof ScheduleRow)[];

export const insertSchedule = insertInto<ScheduleRow & { merchant_id: number }>('schedules', [
  ...valueColumns,
  'merchant_id',
  'schedule_id',
]);

export const updateSchedule = statement<ScheduleRow & { merchant_id: number }, never>(
  `UPDATE schedules SET ${valueColumns.map((column) => `${column} = :${column}`).join(', ')}
   WHERE merchant_id = :merchant_id AND schedule_id = :schedule_id`,
);

/** Adds changes to a month's sums. */
export const addToMonth = statement<SalesMonthRow & { merchant_id: number }, never>(
  `INSERT INTO sales_months (merchant_id, month, schedules, sold, total_sales, rated, rating_sum)
   VALUES (:merchant_id, :month, :schedules, :sold, :total_sales, :rated, :rating_sum)
   ON CONFLICT (merchant_id, month) DO UPDATE SET
     schedules = sales_months.schedules + excluded.schedules,
     sold = sales_months.sold + excluded.sold,
     total_sales = sales_months.total_sales + excluded.total_sales,
     rated = sales_months.rated + excluded.rated,
     rating_sum = sales_months.rating_sum + excluded.rating_sum`,
);

/** Lists schedules in the order of their ids. `after` is a schedule id, '' for the first schedule. */
export const listSchedulesAfter = statement<
  { merchantId: number; after: string; limit: number },
  ScheduleRow & { product_identifier: string }
>(
  `SELECT s.schedule_id, s.product_id, s.scheduled_at, s.month, s.sold, s.sale_price, s.rating,
     p.identifier AS product_identifier
   FROM schedules s
   JOIN products p ON p.merchant_id = s.merchant_id AND p.internal_id = s.product_id
   WHERE s.merchant_id = :merchantId AND s.schedule_id > :after ORDER BY s.schedule_id LIMIT :limit`,
);
