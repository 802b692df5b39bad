import { type Lookup, namesPlaceholder } from '../database/look-up.ts';
import { insertInto, statement } from '../database/statement.ts';
import type { KeyNumbers } from './key-id.ts';
import type { RecordFields } from './record-fields.ts';

export interface KeyRow {
  merchant_id: number;
  id: number;
  name: string;
  /** As `formatScopes` returns them. */
  scopes: string;
  fields: RecordFields;
  token_start: string;
  token_end: string;
  created_at: number;
  /** When the last of its tokens expires; null if one never does. */
  expires_at: number | null;
  /** When the last of its earlier tokens expires or expired; null if none expires before the newest. */
  old_token_expires_at: number | null;
  /** Null while at least one of its tokens is not revoked. */
  revoked_at: number | null;
  last_used_at: number | null;
  last_erp_name: string | null;
  last_user_agent: string | null;
}

/** The only lookup that does not know its merchant. */
export const findTokenOwner = statement<{ tokenHash: Uint8Array }, { merchant_id: number }>(
  'SELECT merchant_id FROM access_tokens WHERE token_hash = :tokenHash',
);

/** Finds what a token's request needs: its key, scopes, the catalog's revision, and any suspension. */
export const findCaller = statement<
  { merchantId: number; tokenHash: Uint8Array },
  {
    merchant_id: number;
    key_id: number;
    expires_at: number | null;
    revoked_at: number | null;
    scopes: string;
    fields: RecordFields;
    catalog_revision: number;
    /** Null unless the merchant is suspended. */
    suspended_at: number | null;
    /** Null unless the operator has set one for the merchant. */
    request_limit: number | null;
  }
>(
  `SELECT t.merchant_id, t.key_id, t.expires_at, t.revoked_at, k.scopes, k.fields, c.catalog_revision, c.suspended_at,
     c.request_limit
   FROM key_tokens t
   JOIN api_keys k ON k.merchant_id = :merchantId AND k.id = t.key_id
   JOIN merchant_counters c ON c.merchant_id = :merchantId
   WHERE t.merchant_id = :merchantId AND t.token_hash = :tokenHash`,
);

export const takeNextKeyId = statement<{ merchantId: number }, { id: number }>(
  `UPDATE merchant_counters SET last_key_id = last_key_id + 1
   WHERE merchant_id = :merchantId RETURNING last_key_id AS id`,
);

type NewKeyRow = Pick<
  KeyRow,
  'merchant_id' | 'id' | 'name' | 'scopes' | 'fields' | 'token_start' | 'token_end' | 'created_at'
>;

export const insertKey = insertInto<NewKeyRow>('api_keys', [
  'merchant_id',
  'id',
  'name',
  'scopes',
  'fields',
  'token_start',
  'token_end',
  'created_at',
]);

/** Changes nothing if a merchant already has the token. */
export const insertTokenOwner = statement<{ merchantId: number; tokenHash: Uint8Array }, never>(
  `INSERT INTO access_tokens (token_hash, merchant_id) VALUES (:tokenHash, :merchantId)
   ON CONFLICT (token_hash) DO NOTHING`,
);

export const insertToken = statement<KeyNumbers & { tokenHash: Uint8Array; expiresAt: number | null }, never>(
  `INSERT INTO key_tokens (merchant_id, token_hash, key_id, expires_at)
   VALUES (:merchantId, :tokenHash, :id, :expiresAt)`,
);

/** The latest value of a column of a key's tokens; null if it is null for one of them. */
const latestOfTokens = (column: string): string =>
  `(SELECT CASE WHEN count(t.${column}) = count(*) THEN max(t.${column}) END
    FROM key_tokens t WHERE t.merchant_id = :merchantId AND t.key_id = k.id) AS ${column}`;

const NEVER = Number.MAX_SAFE_INTEGER;

/** The latest expiration of a key's tokens before the expiration of its newest token, which is the last. */
const oldTokenExpiration = `(SELECT max(o.expires_at) FROM key_tokens o
    WHERE o.merchant_id = :merchantId AND o.key_id = k.id AND o.expires_at < (
      SELECT max(coalesce(t.expires_at, ${NEVER})) FROM key_tokens t
      WHERE t.merchant_id = :merchantId AND t.key_id = k.id)) AS old_token_expires_at`;

// Subqueries read the tokens of the returned keys only, so the cost of a page depends on its size alone.
const selectKeys = `SELECT k.merchant_id, k.id, k.name, k.scopes, k.fields, k.token_start, k.token_end, k.created_at,
    ${latestOfTokens('expires_at')}, ${latestOfTokens('revoked_at')},
    ${oldTokenExpiration},
    k.last_used_at, k.last_erp_name, k.last_user_agent
  FROM api_keys k`;

export const listKeysByMerchant = statement<{ merchantId: number }, KeyRow>(
  `${selectKeys} WHERE k.merchant_id = :merchantId ORDER BY k.id`,
);

/** Newest first. */
export const listKeysBefore = statement<{ merchantId: number; before: number; limit: number }, KeyRow>(
  `${selectKeys} WHERE k.merchant_id = :merchantId AND k.id < :before ORDER BY k.id DESC LIMIT :limit`,
);

/** Keys with a token that expires after a time and up to another one, newest first. */
export const listKeysWithExpiringToken = statement<
  { merchantId: number; now: number; until: number },
  KeyRow
>(
  `${selectKeys} WHERE k.merchant_id = :merchantId AND k.id IN (
     SELECT t.key_id FROM key_tokens t
     WHERE t.merchant_id = :merchantId AND t.revoked_at IS NULL AND t.expires_at > :now AND t.expires_at <= :until)
   ORDER BY k.id DESC`,
);

export const findKey = statement<KeyNumbers, KeyRow>(
  `${selectKeys} WHERE k.merchant_id = :merchantId AND k.id = :id`,
);

/** For `lookUp`. */
export const findKeyNames = statement<Lookup<number>, { id: number; name: string }>(
  `SELECT id, name FROM api_keys WHERE merchant_id = :merchantId AND id IN (${namesPlaceholder})`,
);

export const countActiveKeys = statement<{ merchantId: number; now: number }, { keys: number }>(
  `SELECT count(*) AS keys FROM (
     SELECT t.key_id FROM key_tokens t
     WHERE t.merchant_id = :merchantId AND t.revoked_at IS NULL AND t.expires_at > :now
     UNION
     SELECT t.key_id FROM key_tokens t
     WHERE t.merchant_id = :merchantId AND t.revoked_at IS NULL AND t.expires_at IS NULL
   ) AS active`,
);

export const countValidTokens = statement<KeyNumbers & { now: number }, { tokens: number }>(
  `SELECT count(*) AS tokens FROM key_tokens
   WHERE merchant_id = :merchantId AND key_id = :id AND revoked_at IS NULL
     AND (expires_at IS NULL OR expires_at > :now)`,
);

/** Null if a merchant has never used a key. */
export const findLastUse = statement<{ merchantId: number }, { last_used_at: number | null }>(
  'SELECT max(last_used_at) AS last_used_at FROM api_keys WHERE merchant_id = :merchantId',
);

/** Locks a key until the transaction ends: other transactions that lock it wait. */
export const lockKey = statement<KeyNumbers, never>(
  'UPDATE api_keys SET name = name WHERE merchant_id = :merchantId AND id = :id',
);

export const updateTokenHint = statement<KeyNumbers & { start: string; end: string }, never>(
  'UPDATE api_keys SET token_start = :start, token_end = :end WHERE merchant_id = :merchantId AND id = :id',
);

/** Makes a key's tokens expire at `expiresAt`, except those that expire earlier. */
export const expireTokensOfKey = statement<KeyNumbers & { expiresAt: number }, never>(
  `UPDATE key_tokens SET expires_at = :expiresAt
   WHERE merchant_id = :merchantId AND key_id = :id AND (expires_at IS NULL OR expires_at > :expiresAt)`,
);

export const deleteExpiredTokens = statement<KeyNumbers & { before: number }, { token_hash: Uint8Array }>(
  `DELETE FROM key_tokens WHERE merchant_id = :merchantId AND key_id = :id AND expires_at <= :before
   RETURNING token_hash`,
);

export const deleteTokenOwner = statement<{ tokenHash: Uint8Array }, never>(
  'DELETE FROM access_tokens WHERE token_hash = :tokenHash',
);

/** Keeps the time of an earlier revocation. */
export const revokeTokensOfKey = statement<KeyNumbers & { revokedAt: number }, never>(
  `UPDATE key_tokens SET revoked_at = coalesce(revoked_at, :revokedAt)
   WHERE merchant_id = :merchantId AND key_id = :id`,
);

/** A null `erpName` or `userAgent` keeps the stored value. */
export const updateLastClient = statement<
  KeyNumbers & { usedAt: number; erpName: string | null; userAgent: string | null },
  never
>(
  `UPDATE api_keys
   SET last_used_at = :usedAt, last_erp_name = coalesce(:erpName, last_erp_name),
     last_user_agent = coalesce(:userAgent, last_user_agent)
   WHERE merchant_id = :merchantId AND id = :id`,
);

/**
 * Lists keys with a token that expires within a period, unless the key's event announced that. Reads from
 * every node of a cluster, so only the process that numbers events runs it.
 */
export const listExpiringKeys = statement<
  { now: number; until: number },
  { merchant_id: number; id: number }
>(
  `SELECT DISTINCT k.merchant_id, k.id FROM key_tokens t
   JOIN api_keys k ON k.merchant_id = t.merchant_id AND k.id = t.key_id
   WHERE t.revoked_at IS NULL AND t.expires_at > :now AND t.expires_at <= :until
     AND (k.announced_expiry IS NULL OR k.announced_expiry <> t.expires_at)
   ORDER BY k.merchant_id, k.id`,
  { everyNode: true },
);

/** Changes nothing if the expiry is stored already. */
export const setAnnouncedExpiry = statement<KeyNumbers & { expiresAt: number }, never>(
  `UPDATE api_keys SET announced_expiry = :expiresAt
   WHERE merchant_id = :merchantId AND id = :id AND (announced_expiry IS NULL OR announced_expiry <> :expiresAt)`,
);

/** Finds when a key of each merchant was last used. For lists of up to 50. */
export const findLastUses = statement<
  { merchants: readonly number[] },
  { merchant_id: number; last_used_at: number | null }
>(
  `SELECT merchant_id, max(last_used_at) AS last_used_at FROM api_keys
   WHERE merchant_id IN (:merchants[50]) GROUP BY merchant_id`,
  { everyNode: true },
);
