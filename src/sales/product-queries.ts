import { type Statement, statement } from '../database/statement.ts';
import { MAX_MONTHS } from './report.ts';

/** Schedules of a range can have the months before and after it. */
const MAX_MONTHS_AROUND = MAX_MONTHS + 2;

/** A time from `from` to before `until`, and the months that schedules at such times may have. */
interface Period {
  merchantId: number;
  months: readonly string[];
  from: number;
  until: number;
}

const inPeriod = `s.merchant_id = :merchantId AND s.month IN (:months[${MAX_MONTHS_AROUND}])
     AND s.scheduled_at >= :from AND s.scheduled_at < :until`;

export interface ProductSalesRow {
  product_id: number;
  identifier: string;
  /** -1 if the product has none. */
  cost_basis: number;
  schedules: number;
  orders: number;
  /** In hundredths of the currency's major unit. */
  revenue: number;
  products: number;
}

export const productSorts = [
  'identifier_ascending',
  'identifier_descending',
  'revenue_ascending',
  'revenue_descending',
  'orders_ascending',
  'orders_descending',
  'schedules_ascending',
  'schedules_descending',
  'sell_rate_ascending',
  'sell_rate_descending',
  'asp_ascending',
  'asp_descending',
] as const;
export type ProductSort = (typeof productSorts)[number];

type ProductSalesList = Statement<Period & { limit: number; offset: number }, ProductSalesRow>;

/** The plus sign and CROSS JOIN keep SQLite from reading all schedules by product, or all products. */
const listBy = (order: string): ProductSalesList =>
  statement(
    `SELECT x.product_id, p.identifier, p.cost_basis, x.schedules, x.orders, coalesce(x.price_sum, 0) AS revenue, x.products
     FROM (SELECT +s.product_id AS product_id, count(*) AS schedules, CAST(sum(s.sold) AS bigint) AS orders,
         CAST(sum(s.sale_price) AS bigint) AS price_sum, count(*) OVER () AS products
       FROM schedules s WHERE ${inPeriod} GROUP BY +s.product_id) AS x
     CROSS JOIN products p WHERE p.merchant_id = :merchantId AND p.internal_id = x.product_id
     ORDER BY ${order}, p.identifier LIMIT :limit OFFSET :offset`,
    { planEachTime: true },
  );

const sellRate = 'CAST(x.orders AS double precision) / x.schedules';
/** Products that did not sell have no average price, and come last. */
const averagePrice = `CASE WHEN x.orders = 0 THEN 1 ELSE 0 END,
     CAST(coalesce(x.price_sum, 0) AS double precision) / CASE WHEN x.orders = 0 THEN 1 ELSE x.orders END`;

/** Lists the sales of each product with schedules in a period. Equal ones are in the order of identifiers. */
export const listProductSales: Readonly<Record<ProductSort, ProductSalesList>> = {
  identifier_ascending: listBy('p.identifier'),
  identifier_descending: listBy('p.identifier DESC'),
  revenue_ascending: listBy('revenue'),
  revenue_descending: listBy('revenue DESC'),
  orders_ascending: listBy('x.orders'),
  orders_descending: listBy('x.orders DESC'),
  schedules_ascending: listBy('x.schedules'),
  schedules_descending: listBy('x.schedules DESC'),
  sell_rate_ascending: listBy(sellRate),
  sell_rate_descending: listBy(`${sellRate} DESC`),
  asp_ascending: listBy(averagePrice),
  asp_descending: listBy(`${averagePrice} DESC`),
};

/** In hundredths of the currency's major unit. */
export interface ProductFeesRow {
  product_id: number;
  fees: number;
}

/** Of the orders that were paid at a time from `from` to before `until`, and not canceled. */
export const listProductFees = statement<Omit<Period, 'months'>, ProductFeesRow>(
  `SELECT product_id, CAST(sum(seller_fees) AS bigint) AS fees FROM orders
   WHERE merchant_id = :merchantId AND paid_at >= :from AND paid_at < :until AND seller_fees IS NOT NULL
   GROUP BY product_id`,
  { planEachTime: true },
);

export const countProductsScheduled = statement<Period, { products: number }>(
  `SELECT count(DISTINCT +s.product_id) AS products FROM schedules s WHERE ${inPeriod}`,
  { planEachTime: true },
);
