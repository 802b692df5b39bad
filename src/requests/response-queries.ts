import { statement } from '../database/database.ts';

/** A merchant's idempotency key. */
interface KeyOfMerchant {
  merchantId: number;
  key: string;
}

/** Finds the response stored for a key, unless it was stored at or before `expiredAt`. */
export const findResponseByKey = statement<
  KeyOfMerchant & { expiredAt: number },
  { endpoint: string; fingerprint: Uint8Array; response: string }
>(
  `SELECT endpoint, fingerprint, response FROM idempotency_keys
   WHERE merchant_id = :merchantId AND idempotency_key = :key AND created_at > :expiredAt`,
);

/** Deletes the response of a key if it has expired, and at most 20 other expired ones, so that no request deletes many. */
export const deleteSomeExpiredResponses = statement<KeyOfMerchant & { expiredAt: number }, never>(
  `DELETE FROM idempotency_keys
   WHERE merchant_id = :merchantId AND created_at <= :expiredAt AND (idempotency_key = :key OR idempotency_key IN
     (SELECT idempotency_key FROM idempotency_keys WHERE merchant_id = :merchantId AND created_at <= :expiredAt
      ORDER BY created_at LIMIT 20))`,
);

/** Stores a response. Changes nothing if another transaction was faster with the same key. */
export const insertResponse = statement<
  KeyOfMerchant & { endpoint: string; fingerprint: Uint8Array; response: string; now: number },
  never
>(
  `INSERT INTO idempotency_keys (merchant_id, idempotency_key, endpoint, fingerprint, response, created_at)
   VALUES (:merchantId, :key, :endpoint, :fingerprint, :response, :now)
   ON CONFLICT (merchant_id, idempotency_key) DO NOTHING`,
);
