import { statement } from '../../database/statement.ts';
import { type SalesMonthRow, sumsOfSchedules } from '../../sales/queries.ts';

/** No index sorts by stock, so the lowest are chosen among the most recently updated products. */
export const MAX_CANDIDATES = 50;

/** Most recently updated first. A record of more than `maxBytes` is null. */
export const listLowInventory = statement<
  { merchantId: number; maxBytes: number; limit: number },
  { internal_id: number; identifier: string; record: string | null }
>(
  `SELECT p.internal_id, p.identifier,
     CASE WHEN octet_length(p.record) <= CAST(:maxBytes AS bigint) THEN p.record END AS record
   FROM products p WHERE p.merchant_id = :merchantId AND p.status = 'low_inventory'
   ORDER BY p.updated_at DESC, p.internal_id DESC LIMIT :limit`,
);

/** Counts the schedules of products since a time that sold. Reads the index alone. */
export const countSold = statement<
  { merchantId: number; products: readonly number[]; since: number },
  { product_id: number; sold: number }
>(
  `SELECT product_id, CAST(sum(sold) AS bigint) AS sold FROM schedules
   WHERE merchant_id = :merchantId AND product_id IN (:products[${MAX_CANDIDATES}]) AND scheduled_at >= :since
   GROUP BY product_id`,
);

/** Counts the products that are sold out among the ones with the most sales. Reads the index alone. */
export const countSoldOutBestSellers = statement<{ merchantId: number; limit: number }, { products: number }>(
  `SELECT count(*) AS products FROM (
     SELECT status FROM products WHERE merchant_id = :merchantId AND sales_count > 0
     ORDER BY sales_count DESC, internal_id DESC LIMIT CAST(:limit AS bigint)) AS best_sellers
   WHERE status = 'sold_out'`,
);

/** The least time that is on one day in every time zone. */
export const QUARTER_MS = 15 * 60 * 1000;

/** Adds up the schedules of each quarter of an hour, from `from` to before `until`. Reads the index alone. */
export const sumSchedulesByQuarter = statement<
  { merchantId: number; months: readonly string[]; from: number; until: number },
  Omit<SalesMonthRow, 'month'> & { quarter: number }
>(
  `SELECT scheduled_at / ${QUARTER_MS} AS quarter, ${sumsOfSchedules}
   FROM schedules
   WHERE merchant_id = :merchantId AND month IN (:months[3])
     AND scheduled_at >= :from AND scheduled_at < :until
   GROUP BY scheduled_at / ${QUARTER_MS}`,
  { planEachTime: true },
);

/** Searches the first and latest entries: a shop may edit thousands of products after its first key. */
export const countTokensShown = statement<{ merchantId: number; limit: number }, { tokens: number }>(
  `SELECT count(*) AS tokens FROM (
     SELECT in_operator_log, action FROM (
       SELECT a.in_operator_log, a.action FROM audit_entries a
       WHERE a.merchant_id = :merchantId ORDER BY a.id DESC LIMIT :limit) AS latest
     UNION ALL SELECT in_operator_log, action FROM (
       SELECT a.in_operator_log, a.action FROM audit_entries a
       WHERE a.merchant_id = :merchantId ORDER BY a.id LIMIT :limit) AS earliest) AS entries
   WHERE in_operator_log = 0 AND action IN ('key.created', 'key.rotated')`,
);
