import { insertInto, statement } from '../database/database.ts';
import { placesForNames } from '../database/look-up.ts';

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

/** `sold` is 1 or 0; `sale_price` in hundredths of the unit, `rating` in hundredths of a point. */
export interface ScheduleRow {
  schedule_id: string;
  product_id: number;
  scheduled_at: number;
  month: string;
  sold: number;
  sale_price: number | null;
  rating: number | null;
}

/** Parameters: merchant, the ids; for `lookUp`. */
export const findSchedulesByIds = statement<ScheduleRow>(
  `SELECT schedule_id, product_id, scheduled_at, month, sold, sale_price, rating
   FROM schedules WHERE merchant_id = ? AND schedule_id IN (${placesForNames})`,
);

const scheduleColumns = ['product_id', 'scheduled_at', 'month', 'sold', 'sale_price', 'rating'];

/** Parameters: product, time, month, sold, price, rating, merchant, schedule id. */
export const insertSchedule = insertInto('schedules', [...scheduleColumns, 'merchant_id', 'schedule_id']);

/** Parameters: as `insertSchedule`. */
export const updateSchedule = statement(
  `UPDATE schedules SET ${scheduleColumns.map((column) => `${column} = ?`).join(', ')}
   WHERE merchant_id = ? AND schedule_id = ?`,
);

/** Parameters: merchant, month, and by how much schedules, sold, sales, rated and ratings change. */
export const addToMonth = statement(
  `INSERT INTO sales_months (merchant_id, month, schedules, sold, total_sales, rated, rating_sum)
   VALUES (?, ?, ?, ?, ?, ?, ?)
   ON CONFLICT (merchant_id, month) DO UPDATE SET
     schedules = sales_months.schedules + excluded.schedules,
     sold = sales_months.sold + excluded.sold,
     total_sales = sales_months.total_sales + excluded.total_sales,
     rated = sales_months.rated + excluded.rated,
     rating_sum = sales_months.rating_sum + excluded.rating_sum`,
);

/** Parameters: merchant, the schedule id to go on after ('' for the first), how many. */
export const listSchedulesAfter = statement<ScheduleRow & { product_identifier: string }>(
  `SELECT s.schedule_id, s.product_id, s.scheduled_at, s.month, s.sold, s.sale_price, s.rating,
     p.identifier AS product_identifier
   FROM schedules s
   JOIN products p ON p.merchant_id = s.merchant_id AND p.internal_id = s.product_id
   WHERE s.merchant_id = ? AND s.schedule_id > ? ORDER BY s.schedule_id LIMIT ?`,
);
