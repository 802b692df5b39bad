import { statement } from '../database/database.ts';

interface KeyOfMerchant {
  merchantId: number;
  key: string;
}

export const findResponseByKey = statement<
  KeyOfMerchant & { expiredAt: number },
  { endpoint: string; fingerprint: Uint8Array; response: string }
>(
  `SELECT endpoint, fingerprint, response FROM idempotency_keys
   WHERE merchant_id = :merchantId AND idempotency_key = :key AND created_at > :expiredAt`,
);

/** Deletes a key's expired response and at most 20 others, so that no request deletes many. */
export const deleteSomeExpiredResponses = statement<KeyOfMerchant & { expiredAt: number }, never>(
  `DELETE FROM idempotency_keys
   WHERE merchant_id = :merchantId AND created_at <= :expiredAt AND (idempotency_key = :key OR idempotency_key IN
     (SELECT idempotency_key FROM idempotency_keys WHERE merchant_id = :merchantId AND created_at <= :expiredAt
      ORDER BY created_at LIMIT 20))`,
);

/** Changes nothing if another transaction was faster with the same key. */
export const insertResponse = statement<
  KeyOfMerchant & { endpoint: string; fingerprint: Uint8Array; response: string; now: number },
  never
>(
  `INSERT INTO idempotency_keys (merchant_id, idempotency_key, endpoint, fingerprint, response, created_at)
   VALUES (:merchantId, :key, :endpoint, :fingerprint, :response, :now)
   ON CONFLICT (merchant_id, idempotency_key) DO NOTHING`,
);
