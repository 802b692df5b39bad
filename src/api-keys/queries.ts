import { insertInto, statement } from '../database/database.ts';

export interface KeyRow {
  merchant_id: number;
  id: number;
  name: string;
  token_start: string;
  token_end: string;
  created_at: number;
  /** When the last of its tokens expires; null if one never does. */
  expires_at: number | null;
  /** Null as long as one of its tokens is not revoked. */
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

/** The last of a key's values of one column, or null if one of its tokens has none. */
const lastOfTokens = (column: string): string =>
  `(SELECT CASE WHEN count(t.${column}) = count(*) THEN max(t.${column}) END
    FROM access_tokens t WHERE t.merchant_id = k.merchant_id AND t.key_id = k.id) AS ${column}`;

// The tokens are read for each key that is returned, so that a page costs a page.
const selectKeys = `SELECT k.merchant_id, k.id, k.name, k.token_start, k.token_end, k.created_at,
    ${lastOfTokens('expires_at')}, ${lastOfTokens('revoked_at')},
    k.last_used_at, k.last_erp_name, k.last_user_agent
  FROM api_keys k`;

export const listKeysByMerchant = statement<KeyRow>(`${selectKeys} WHERE k.merchant_id = ? ORDER BY k.id`);

/** Parameters: the merchant, the key that others come before, how many. Newest first. */
export const listKeysBefore = statement<KeyRow>(
  `${selectKeys} WHERE k.merchant_id = ? AND k.id < ? ORDER BY k.id DESC LIMIT ?`,
);

/** Parameters: the merchant, the key. */
export const findKey = statement<KeyRow>(`${selectKeys} WHERE k.merchant_id = ? AND k.id = ?`);

/** Parameters: the merchant and the time, the merchant. Keys with a token that works. */
export const countActiveKeys = statement<{ keys: number }>(
  `SELECT count(*) AS keys FROM (
     SELECT t.key_id FROM access_tokens t
     WHERE t.merchant_id = ? AND t.revoked_at IS NULL AND t.expires_at > ?
     UNION
     SELECT t.key_id FROM access_tokens t
     WHERE t.merchant_id = ? AND t.revoked_at IS NULL AND t.expires_at IS NULL
   ) AS active`,
);

/** Parameters: the merchant, the key, the time. */
export const countWorkingTokens = statement<{ tokens: number }>(
  `SELECT count(*) AS tokens FROM access_tokens
   WHERE merchant_id = ? AND key_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
);

/** Parameters: the merchant. Null if no key of it was ever used. */
export const findLastUse = statement<{ last_used_at: number | null }>(
  'SELECT max(last_used_at) AS last_used_at FROM api_keys WHERE merchant_id = ?',
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

/** Parameters: the merchant, the key, the time. */
export const deleteExpiredTokens = statement(
  'DELETE FROM access_tokens WHERE merchant_id = ? AND key_id = ? AND expires_at <= ?',
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
