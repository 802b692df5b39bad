import { statement } from '../../database/database.ts';

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

/**
 * Adds to the count of a name's hash in the window that ends at `endsAt`, and returns the total. If the clock
 * is behind, adds to the latest window that was counted.
 */
export const addByName = statement<{ name: Uint8Array; count: number; endsAt: number }, { requests: number }>(
  `INSERT INTO attempt_counts (name, attempts, resets_at) VALUES (:name, :count, :endsAt)
   ON CONFLICT (name) DO UPDATE SET
     attempts = excluded.attempts + CASE WHEN excluded.resets_at > attempt_counts.resets_at THEN 0
                                         ELSE attempt_counts.attempts END,
     resets_at = CASE WHEN excluded.resets_at > attempt_counts.resets_at THEN excluded.resets_at
                      ELSE attempt_counts.resets_at END
   RETURNING attempts AS requests`,
);

export const deleteEndedCounts = statement<{ now: number }, never>(
  'DELETE FROM attempt_counts WHERE resets_at <= :now',
);
