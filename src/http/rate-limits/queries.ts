import { statement } from '../../database/statement.ts';

/**
 * Adds to a key's requests in a minute, numbered from the start of 1970 (UTC), and returns the total. If the
 * clock is behind, adds to the latest minute that was counted.
 */
export const addRequestsOfKey = statement<
  { merchantId: number; keyId: number; minute: number; requests: number },
  { requests: number }
>(
  `INSERT INTO request_counts (merchant_id, key_id, minute, requests)
   VALUES (:merchantId, :keyId, :minute, :requests)
   ON CONFLICT (merchant_id, key_id) DO UPDATE SET
     requests = excluded.requests + CASE WHEN excluded.minute > request_counts.minute THEN 0
                                         ELSE request_counts.requests END,
     minute = CASE WHEN excluded.minute > request_counts.minute THEN excluded.minute
                   ELSE request_counts.minute END
   RETURNING requests`,
);
