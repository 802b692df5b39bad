import { statement } from '../database/database.ts';

export interface KeyRow {
  merchant_id: number;
  id: number;
  name: string;
  token_start: string;
  token_end: string;
  created_at: number;
  expires_at: number | null;
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
  `SELECT k.merchant_id, k.id AS key_id, k.expires_at, k.revoked_at, m.catalog_revision
   FROM access_tokens t
   JOIN api_keys k ON k.merchant_id = t.merchant_id AND k.id = t.key_id
   JOIN merchants m ON m.id = t.merchant_id
   WHERE t.token_hash = ?`,
);

export const findTokenByHash = statement<{ merchant_id: number }>(
  'SELECT merchant_id FROM access_tokens WHERE token_hash = ?',
);

/** Parameters: the merchant. Gives the new key its number. */
export const takeNextKeyId = statement<{ id: number }>(
  'UPDATE merchants SET last_key_id = last_key_id + 1 WHERE id = ? RETURNING last_key_id AS id',
);

export const insertKey = statement(
  `INSERT INTO api_keys (merchant_id, id, name, token_start, token_end, created_at, expires_at)
   VALUES (?, ?, ?, ?, ?, ?, ?)`,
);

export const insertToken = statement(
  'INSERT INTO access_tokens (token_hash, merchant_id, key_id) VALUES (?, ?, ?)',
);

export const listKeysByMerchant = statement<KeyRow>(
  'SELECT * FROM api_keys WHERE merchant_id = ? ORDER BY id',
);

/** Parameters: the time, the merchant, the key. Leaves the time of an earlier revocation. */
export const revokeKeyById = statement(
  'UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE merchant_id = ? AND id = ?',
);

/** Parameters: the time, the ERP's name, the client, the merchant, the key. */
export const updateLastClient = statement(
  `UPDATE api_keys SET last_used_at = ?, last_erp_name = coalesce(?, last_erp_name), last_user_agent = coalesce(?, last_user_agent)
   WHERE merchant_id = ? AND id = ?`,
);
