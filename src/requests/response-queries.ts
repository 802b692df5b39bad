import { statement } from '../database/statement.ts';

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

/** Deletes at most 20, so that no request deletes many. */
export const deleteSomeExpiredResponses = statement<{ merchantId: number; expiredAt: number }, never>(
  `DELETE FROM idempotency_keys
   WHERE merchant_id = :merchantId AND created_at <= :expiredAt AND idempotency_key IN
     (SELECT idempotency_key FROM idempotency_keys WHERE merchant_id = :merchantId AND created_at <= :expiredAt
      ORDER BY created_at LIMIT 20)`,
);

/** Replaces an expired response. Changes nothing if another transaction was faster with the same key. */
export const insertResponse = statement<
  KeyOfMerchant & {
    endpoint: string;
    fingerprint: Uint8Array;
    response: string;
    now: number;
    expiredAt: number;
  },
  never
>(
  `INSERT INTO idempotency_keys (merchant_id, idempotency_key, endpoint, fingerprint, response, created_at)
   VALUES (:merchantId, :key, :endpoint, :fingerprint, :response, :now)
   ON CONFLICT (merchant_id, idempotency_key) DO UPDATE
   SET endpoint = excluded.endpoint, fingerprint = excluded.fingerprint, response = excluded.response,
     created_at = excluded.created_at
   WHERE idempotency_keys.created_at <= :expiredAt`,
);
