import { SHORT_LIST, statement, upsertInto } from '../../database/statement.ts';
import type { ProductStatus } from '../../products/record/product.ts';

/** What a request for placements got, by its key. */
interface RequestRow {
  key: string;
  /** Milliseconds since 1970. */
  reserved_at: number;
  /** JSON. */
  result: string;
}

export const KEYS_AT_ONCE = 100;

export const findRequests = statement<{ keys: readonly string[] }, Pick<RequestRow, 'key' | 'result'>>(
  `SELECT key, result FROM placement_requests WHERE key IN (:keys[${KEYS_AT_ONCE}])`,
);

/** Changes nothing if the key exists. */
export const insertRequests = upsertInto<RequestRow>(
  'placement_requests',
  ['key'],
  ['reserved_at', 'result'],
  'DO NOTHING',
);

export const deleteRequestsBefore = statement<{ before: number; limit: number }, never>(
  `DELETE FROM placement_requests WHERE key IN
     (SELECT old.key FROM placement_requests AS old WHERE old.reserved_at < :before
      ORDER BY old.reserved_at LIMIT CAST(:limit AS bigint))`,
);

/** A product, and its merchant. Numbers are -1 if the product has no value. */
export interface CompetingProductRow {
  time_zone: string;
  suspended_at: number | null;
  /** Null, as everything of the product, if there are no products. */
  internal_id: number | null;
  identifier: string;
  status: ProductStatus;
  campaign_name: string | null;
  scheduling_fee_bid: number;
  max_daily_schedules: number;
}

/** One row without a product if there are no products. */
export const findCompetingProducts = statement<
  { merchantId: number; productIds: readonly number[] },
  CompetingProductRow
>(
  `SELECT m.time_zone, m.suspended_at, p.internal_id, p.identifier, p.status, p.campaign_name,
     p.scheduling_fee_bid, p.max_daily_schedules
   FROM merchant_counters m
     LEFT JOIN products p ON p.merchant_id = m.merchant_id AND p.internal_id IN (:productIds[${SHORT_LIST}])
   WHERE m.merchant_id = :merchantId`,
);
