import { type Lookup, namesPlaceholder } from '../database/look-up.ts';
import { insertInto, statement, updateIn } from '../database/statement.ts';

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

/** The columns of a `SalesMonthRow` that add up schedules. */
export const sumsOfSchedules = `count(*) AS schedules, CAST(coalesce(sum(sold), 0) AS bigint) AS sold,
     CAST(coalesce(sum(CASE WHEN sold = 1 THEN sale_price END), 0) AS bigint) AS total_sales,
     count(CASE WHEN sold = 1 THEN rating END) AS rated,
     CAST(coalesce(sum(CASE WHEN sold = 1 THEN rating END), 0) AS bigint) AS rating_sum`;

/** Adds up the schedules of a month from `from` to before `until`. Reads the index alone. */
export const sumSchedulesOfMonth = statement<
  { merchantId: number; month: string; from: number; until: number },
  Omit<SalesMonthRow, 'month'>
>(
  `SELECT ${sumsOfSchedules} FROM schedules
   WHERE merchant_id = :merchantId AND month = :month AND scheduled_at >= :from AND scheduled_at < :until`,
);

/** Oldest first. */
export const listSalesMonths = statement<{ merchantId: number }, SalesMonthRow>(
  `SELECT month, schedules, sold, total_sales, rated, rating_sum
   FROM sales_months WHERE merchant_id = :merchantId AND schedules > 0 ORDER BY month`,
);

/** `sold` is 1 or 0. `sale_price` is in hundredths of the major unit, `rating` in hundredths of a point. */
export interface ScheduleRow {
  schedule_id: string;
  product_id: number;
  variation_identifier: string | null;
  scheduled_at: number;
  month: string;
  sold: number;
  sale_price: number | null;
  rating: number | null;
  order_id: number | null;
  /** The placement that the schedule names; null if it names none. */
  placement_id: string | null;
  /** The catalog's revision at the schedule's last change. */
  revision: number;
}

/** For `lookUp`. */
export const findSchedulesByIds = statement<Lookup<string>, ScheduleRow>(
  `SELECT schedule_id, product_id, variation_identifier, scheduled_at, month, sold, sale_price, rating, order_id,
     placement_id, revision
   FROM schedules WHERE merchant_id = :merchantId AND schedule_id IN (${namesPlaceholder})`,
);

const valueColumns = [
  'product_id',
  'variation_identifier',
  'scheduled_at',
  'month',
  'sold',
  'sale_price',
  'rating',
  'order_id',
  'placement_id',
  'revision',
] as const satisfies (keyof ScheduleRow)[];

export const insertSchedule = insertInto<ScheduleRow & { merchant_id: number }>('schedules', [
  ...valueColumns,
  'merchant_id',
  'schedule_id',
]);

export const updateSchedule = updateIn<ScheduleRow & { merchant_id: number }>(
  'schedules',
  ['merchant_id', 'schedule_id'],
  valueColumns,
);

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

export type ScheduleLine = Omit<ScheduleRow, 'product_id' | 'month'> & { product_identifier: string };

const lines = `SELECT s.schedule_id, p.identifier AS product_identifier, s.variation_identifier, s.scheduled_at,
     s.sold, s.sale_price, s.rating, s.order_id, s.placement_id, s.revision
   FROM schedules s
   JOIN products p ON p.merchant_id = s.merchant_id AND p.internal_id = s.product_id
   WHERE s.merchant_id = :merchantId`;

/** In the order of their ids, from the first after `after`. */
export const listSchedulesAfter = statement<
  { merchantId: number; after: string; limit: number },
  ScheduleLine
>(`${lines} AND s.schedule_id > :after ORDER BY s.schedule_id LIMIT :limit`);

/** In the order of their last changes, after a revision and the id of a schedule. */
export const listSchedulesChangedAfter = statement<
  { merchantId: number; revision: number; scheduleId: string; limit: number },
  ScheduleLine
>(
  `${lines} AND (s.revision, s.schedule_id) > (:revision, :scheduleId)
   ORDER BY s.revision, s.schedule_id LIMIT :limit`,
);

interface AfterTime {
  time: number;
  scheduleId: string;
  limit: number;
}

const afterTime = `(s.scheduled_at, s.schedule_id) > (:time, :scheduleId)
   ORDER BY s.scheduled_at, s.schedule_id LIMIT :limit`;

/** In the order of their times, after a time and the id of a schedule. */
export const listSchedulesOfMonth = statement<
  { merchantId: number; month: string } & AfterTime,
  ScheduleLine
>(`${lines} AND s.month = :month AND ${afterTime}`);

/** In the order of their times, after a time and the id of a schedule, and before a time. */
export const listSchedulesOfProduct = statement<
  { merchantId: number; productId: number; until: number } & AfterTime,
  ScheduleLine
>(`${lines} AND s.product_id = :productId AND s.scheduled_at < :until AND ${afterTime}`);

/** Of one product at times from `from` to before `until`. Sums are null without schedules. */
export const sumSchedulesOfProduct = statement<
  { merchantId: number; productId: number; from: number; until: number },
  { schedules: number; orders: number | null; revenue: number | null }
>(
  `SELECT count(*) AS schedules, CAST(sum(sold) AS bigint) AS orders, CAST(sum(sale_price) AS bigint) AS revenue
   FROM schedules
   WHERE merchant_id = :merchantId AND product_id = :productId AND scheduled_at >= :from AND scheduled_at < :until`,
);

/** Of the orders of one product that were paid at such times; `fees` as in `listProductFees`, or null. */
export const sumFeesOfProduct = statement<
  { merchantId: number; productId: number; from: number; until: number },
  { orders: number; fees: number | null }
>(
  `SELECT count(*) AS orders, CAST(sum(seller_fees) AS bigint) AS fees FROM orders
   WHERE merchant_id = :merchantId AND paid_at >= :from AND paid_at < :until AND product_id = :productId`,
  { planEachTime: true },
);

const WEEK_DAYS = [0, 1, 2, 3, 4, 5, 6] as const;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The sales of a merchant in two periods that end now, in the two before them, and on each day of the week;
 * in hundredths.
 */
export interface RecentSalesRow extends Record<`week_sales_${(typeof WEEK_DAYS)[number]}`, number> {
  merchant_id: number;
  day_sold: number;
  day_sales: number;
  day_before_sold: number;
  day_before_sales: number;
  week_sold: number;
  week_sales: number;
  week_before_sold: number;
  week_before_sales: number;
}

const salesIf = (condition: string): string =>
  `CAST(coalesce(sum(CASE WHEN ${condition} THEN s.sale_price END), 0) AS bigint)`;

const recentSales = [
  ...(['day', 'week'] as const).flatMap((period) =>
    [
      [period, `s.scheduled_at >= :${period}`],
      [`${period}_before`, `s.scheduled_at >= :${period}Before AND s.scheduled_at < :${period}`],
    ].flatMap(([name, condition = '']) => [
      `count(CASE WHEN ${condition} THEN 1 END) AS ${name}_sold`,
      `${salesIf(condition)} AS ${name}_sales`,
    ]),
  ),
  ...WEEK_DAYS.map((day) => {
    const from = `s.scheduled_at - :week >= ${day * DAY_MS}`;
    const isLast = day === WEEK_DAYS.length - 1;
    const isOn = isLast ? from : `${from} AND s.scheduled_at - :week < ${(day + 1) * DAY_MS}`;
    return `${salesIf(isOn)} AS week_sales_${day}`;
  }),
];

/**
 * Adds up the sales of each merchant that has any. `months` has the months of the periods in all time zones.
 * `weekBefore` is the earliest of the times.
 */
export const sumRecentSales = statement<
  {
    months: readonly string[];
    day: number;
    dayBefore: number;
    week: number;
    weekBefore: number;
    now: number;
  },
  RecentSalesRow
>(
  `SELECT s.merchant_id, ${recentSales.join(', ')}
   FROM merchant_counters c CROSS JOIN schedules s
   WHERE c.merchant_id > 0 AND s.merchant_id = c.merchant_id AND s.month IN (:months[3])
     AND s.scheduled_at >= :weekBefore AND s.scheduled_at <= :now AND s.sold = 1
   GROUP BY s.merchant_id`,
  { everyNode: true, offLoop: true, planEachTime: true },
);
