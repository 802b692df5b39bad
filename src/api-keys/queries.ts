import { insertInto, statement } from '../database/database.ts';

export interface KeyRow {
  merchant_id: number;
  id: number;
  name: string;
  token_start: string;
  token_end: string;
  created_at: number;
  /** When the last of its tokens does, null where one never does. */
  expires_at: number | null;
  /** Null as long as one of its tokens is not. */
  revoked_at: number | null;
  last_used_at: number | null;
  last_erp_name: string | null;
  last_user_agent: string | null;
}

/** The one look-up that is not by merchant. */
export const findCallerByTokenHash = statement<{
  merchant_id: number;
  key_id: number;
  expires_at: number | null;
  revoked_at: number | null;
  catalog_revision: number;
}>(
  `SELECT t.merchant_id, t.key_id, t.expires_at, t.revoked_at, m.catalog_revision
   FROM access_tokens t
   JOIN merchants m ON m.id = t.merchant_id
   WHERE t.token_hash = ?`,
);

/** Parameters: the merchant. Gives the new key its number. */
export const takeNextKeyId = statement<{ id: number }>(
  'UPDATE merchants SET last_key_id = last_key_id + 1 WHERE id = ? RETURNING last_key_id AS id',
);

export const insertKey = insertInto('api_keys', [
  'merchant_id',
  'id',
  'name',
  'token_start',
  'token_end',
  'created_at',
]);

/** Parameters: the hash, the merchant, the key, when it expires. Changes nothing where the hash is known. */
export const insertToken = statement(
  `INSERT INTO access_tokens (token_hash, merchant_id, key_id, expires_at) VALUES (?, ?, ?, ?)
   ON CONFLICT (token_hash) DO NOTHING`,
);

const selectKeys = `SELECT k.merchant_id, k.id, k.name, k.token_start, k.token_end, k.created_at,
    CASE WHEN count(t.expires_at) = count(*) THEN max(t.expires_at) END AS expires_at,
    CASE WHEN count(t.revoked_at) = count(*) THEN max(t.revoked_at) END AS revoked_at,
    k.last_used_at, k.last_erp_name, k.last_user_agent
  FROM api_keys k
  JOIN access_tokens t ON t.merchant_id = k.merchant_id AND t.key_id = k.id`;

export const listKeysByMerchant = statement<KeyRow>(
  `${selectKeys} WHERE k.merchant_id = ? GROUP BY k.merchant_id, k.id ORDER BY k.id`,
);

/** Parameters: the merchant, the key. */
export const findKey = statement<KeyRow>(
  `${selectKeys} WHERE k.merchant_id = ? AND k.id = ? GROUP BY k.merchant_id, k.id`,
);

/** Parameters: the merchant, the key. Until the transaction ends, others that claim the same key wait. */
export const claimKey = statement('UPDATE api_keys SET name = name WHERE merchant_id = ? AND id = ?');

/** Parameters: the new token's first and last letters, the merchant, the key. */
export const updateShownToken = statement(
  'UPDATE api_keys SET token_start = ?, token_end = ? WHERE merchant_id = ? AND id = ?',
);

/** Parameters: the time, the merchant, the key, the time again. Leaves what expires earlier. */
export const expireTokensOfKey = statement(
  `UPDATE access_tokens SET expires_at = ?
   WHERE merchant_id = ? AND key_id = ? AND (expires_at IS NULL OR expires_at > ?)`,
);

/** Parameters: the time, the merchant, the key. Leaves the time of an earlier revocation. */
export const revokeTokensOfKey = statement(
  'UPDATE access_tokens SET revoked_at = coalesce(revoked_at, ?) WHERE merchant_id = ? AND key_id = ?',
);

/** Parameters: the time, the ERP's name, the client, the merchant, the key. */
export const updateLastClient = statement(
  `UPDATE api_keys SET last_used_at = ?, last_erp_name = coalesce(?, last_erp_name), last_user_agent = coalesce(?, last_user_agent)
   WHERE merchant_id = ? AND id = ?`,
);
