import { statement } from '../../database/database.ts';

/** Parameters: merchant, key, the time before which a record is too old. */
export const findAnswerByKey = statement<{ fingerprint: Uint8Array; answer: string }>(
  `SELECT fingerprint, answer FROM idempotency_keys
   WHERE merchant_id = ? AND idempotency_key = ? AND created_at > ?`,
);

/**
 * Deletes a key's record if it is too old, and a few others that are: no request pays for many. Parameters: merchant,
 * the time up to which records are too old, the key, and the first two again.
 */
export const deleteSomeAnswersUpTo = statement(
  `DELETE FROM idempotency_keys WHERE merchant_id = ? AND created_at <= ? AND (idempotency_key = ? OR idempotency_key IN
     (SELECT idempotency_key FROM idempotency_keys WHERE merchant_id = ? AND created_at <= ?
      ORDER BY created_at LIMIT 20))`,
);

/** Changes nothing where another transaction was quicker with the same key. */
export const insertAnswer = statement(
  `INSERT INTO idempotency_keys (merchant_id, idempotency_key, fingerprint, answer, created_at)
   VALUES (?, ?, ?, ?, ?) ON CONFLICT (merchant_id, idempotency_key) DO NOTHING`,
);
