import { statement } from '../../database/database.ts';
import type { SalesMonthRow } from '../../sales/queries.ts';

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

/** Counts a product's schedules since a time that sold. */
export const countSold = statement<
  { merchantId: number; productId: number; since: number },
  { sold: number }
>(
  `SELECT CAST(coalesce(sum(sold), 0) AS bigint) AS sold FROM schedules
   WHERE merchant_id = :merchantId AND product_id = :productId AND scheduled_at >= :since`,
);

export const sumSchedulesBefore = statement<
  { merchantId: number; month: string; before: number },
  Omit<SalesMonthRow, 'month'>
>(
  `SELECT count(*) AS schedules, CAST(coalesce(sum(sold), 0) AS bigint) AS sold,
     CAST(coalesce(sum(CASE WHEN sold = 1 THEN sale_price END), 0) AS bigint) AS total_sales,
     count(CASE WHEN sold = 1 THEN rating END) AS rated,
     CAST(coalesce(sum(CASE WHEN sold = 1 THEN rating END), 0) AS bigint) AS rating_sum
   FROM schedules WHERE merchant_id = :merchantId AND month = :month AND scheduled_at < :before`,
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
