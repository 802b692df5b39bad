import { statement } from '../../database/database.ts';
import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
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
export const insertRequest = statement<RequestRow, never>(
  `INSERT INTO placement_requests (key, reserved_at, result) VALUES (:key, :reserved_at, :result)
   ON CONFLICT (key) DO NOTHING`,
);

export const deleteRequestsBefore = statement<{ before: number; limit: number }, never>(
  `DELETE FROM placement_requests WHERE key IN
     (SELECT old.key FROM placement_requests AS old WHERE old.reserved_at < :before
      ORDER BY old.reserved_at LIMIT CAST(:limit AS bigint))`,
);

export const findMerchantState = statement<
  { merchantId: number },
  { time_zone: string; suspended_at: number | null }
>('SELECT time_zone, suspended_at FROM merchant_counters WHERE merchant_id = :merchantId');

/** Numbers are -1 if the product has no value. */
export interface CompetingProductRow {
  internal_id: number;
  identifier: string;
  status: ProductStatus;
  campaign_name: string | null;
  scheduling_fee_bid: number;
  max_daily_schedules: number;
}

/** For `lookUp`. */
export const findCompetingProducts = statement<Lookup<number>, CompetingProductRow>(
  `SELECT internal_id, identifier, status, campaign_name, scheduling_fee_bid, max_daily_schedules FROM products
   WHERE merchant_id = :merchantId AND internal_id IN (${namesPlaceholder})`,
);
