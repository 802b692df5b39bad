import type { Reader } from '../database/database.ts';
import { formatTime } from '../shared/timestamps.ts';
import { formatKeyId, type KeyNumbers } from './key-id.ts';
import {
  countActiveKeys,
  findKey,
  findLastUse,
  type KeyRow,
  listKeysBefore,
  listKeysByMerchant,
} from './queries.ts';
import { parseScopes, type Scope } from './scopes.ts';

/** A key as its owner sees it, without its tokens; times are RFC 3339. */
export interface KeySummary {
  id: string;
  name: string;
  state: 'active' | 'expired' | 'revoked';
  scopes: Scope[];
  /** The newest token's first and last characters, to recognize it by. */
  token: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  last_erp_name: string | null;
  last_user_agent: string | null;
}

/** Lists a merchant's keys, oldest first. */
export async function listKeys(
  { database, now }: { database: Reader; now: () => number },
  merchantId: number,
): Promise<KeySummary[]> {
  const rows = await database.all(listKeysByMerchant, { merchantId });
  return rows.map((row) => summarize(row, now()));
}

/** Lists a page of a merchant's keys, newest first: at most `limit` with a number below `before`. */
export async function listKeyPage(
  { database, now }: { database: Reader; now: () => number },
  merchantId: number,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number | undefined; limit: number },
): Promise<{ keys: KeySummary[]; next: string | null }> {
  const rows = await database.all(listKeysBefore, { merchantId, before, limit: limit + 1 });
  const keys = rows.slice(0, limit).map((row) => summarize(row, now()));
  return { keys, next: rows.length > limit ? (keys.at(-1)?.id ?? null) : null };
}

/** Counts a merchant's active keys, and finds when any of its keys was last used. */
export async function countKeys(
  { database, now }: { database: Pick<Reader, 'first'>; now: () => number },
  merchantId: number,
): Promise<{ active: number; last_used_at: string | null }> {
  const active = await database.first(countActiveKeys, { merchantId, now: now() });
  const use = await database.first(findLastUse, { merchantId });
  const time = use?.last_used_at ?? null;
  return { active: active?.keys ?? 0, last_used_at: time === null ? null : formatTime(time) };
}

/** Returns one key, or undefined if the merchant has no key with this number. */
export async function summarizeKey(
  { database, now }: { database: Reader; now: () => number },
  key: KeyNumbers,
): Promise<KeySummary | undefined> {
  const row = await database.first(findKey, key);
  return row && summarize(row, now());
}

function summarize(row: KeyRow, now: number): KeySummary {
  const time = (value: number | null): string | null => (value === null ? null : formatTime(value));
  const expired = row.expires_at !== null && row.expires_at <= now;
  return {
    id: formatKeyId({ merchantId: row.merchant_id, id: row.id }),
    name: row.name,
    state: row.revoked_at !== null ? 'revoked' : expired ? 'expired' : 'active',
    scopes: parseScopes(row.scopes) ?? [],
    token: `${row.token_start}…${row.token_end}`,
    created_at: formatTime(row.created_at),
    expires_at: time(row.expires_at),
    revoked_at: time(row.revoked_at),
    last_used_at: time(row.last_used_at),
    last_erp_name: row.last_erp_name,
    last_user_agent: row.last_user_agent,
  };
}
