import type { Reader } from '../database/database.ts';
import { type Mode, modeOf, OPERATOR_ID, sidesSeenFrom, testSideOf } from '../database/sides.ts';
import type { WriteContext } from '../database/write-context.ts';
import { errors } from '../errors/errors.ts';
import { formatTime } from '../shared/timestamps.ts';
import { NOTICE_MS } from './announce-expiring-keys.ts';
import { formatKeyId, type KeyNumbers } from './key-id.ts';
import {
  countActiveKeys,
  findKey,
  findLastUse,
  type KeyRow,
  listKeysBefore,
  listKeysByMerchant,
  listKeysWithExpiringToken,
} from './queries.ts';
import type { RecordFields } from './record-fields.ts';
import { type OperatorScope, operatorScopes, parseScopes, type Scope, scopes } from './scopes.ts';

/** A key as its owner sees it, without its tokens; times are RFC 3339. */
export interface KeySummary<Granted extends string = Scope> {
  id: string;
  name: string;
  state: 'active' | 'expired' | 'revoked';
  /** Whose data it reads and writes: the merchant's, or its test side's. */
  mode: Mode;
  scopes: Granted[];
  fields: RecordFields;
  /** The newest token's first and last characters, to recognize it by. */
  token: string;
  created_at: string;
  expires_at: string | null;
  /** The end of the token that a rotation replaced; null if it is over, or if it is the key's. */
  old_token_expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  last_erp_name: string | null;
  last_user_agent: string | null;
}

/** Lists a merchant's keys, oldest first, then its test keys. */
export async function listKeys(
  { database, now }: { database: Reader; now: () => number },
  merchantId: number,
): Promise<KeySummary[]> {
  const rows = await database.all(listKeysByMerchant, { merchantId });
  rows.push(...(await database.all(listKeysByMerchant, { merchantId: testSideOf(merchantId) })));
  return rows.map((row) => summarize(row, scopes, now()));
}

/** Oldest first. */
export async function listOperatorKeys({
  database,
  now,
}: {
  database: Reader;
  now: () => number;
}): Promise<Omit<KeySummary<OperatorScope>, 'mode' | 'fields'>[]> {
  const rows = await database.all(listKeysByMerchant, { merchantId: OPERATOR_ID });
  return rows.map((row) => {
    const { mode: _, fields: __, ...key } = summarize(row, operatorScopes, now());
    return key;
  });
}

/** Lists a merchant's keys, then its test keys, both newest first: at most `limit` after the key `before`. */
export async function listKeyPage(
  { database, now }: { database: Reader; now: () => number },
  merchantId: number,
  { before = { merchantId, id: Number.MAX_SAFE_INTEGER }, limit }: KeyPage,
): Promise<{ keys: KeySummary[]; next: string | null }> {
  const rows = await database.all(listKeysBefore, {
    merchantId: before.merchantId,
    before: before.id,
    limit: limit + 1,
  });
  if (modeOf(before.merchantId) === 'live' && rows.length <= limit) {
    const testKeys = { merchantId: testSideOf(merchantId), before: Number.MAX_SAFE_INTEGER };
    rows.push(...(await database.all(listKeysBefore, { ...testKeys, limit: limit + 1 - rows.length })));
  }
  const keys = rows.slice(0, limit).map((row) => summarize(row, scopes, now()));
  return { keys, next: rows.length > limit ? (keys.at(-1)?.id ?? null) : null };
}

/**
 * Lists the keys that stop working within a week, of the merchant and then of its test side, both newest
 * first; of a test side, only its own. A key of which only an older token expires is not one of them.
 */
export async function listExpiringKeysOf(
  { database, now }: { database: Pick<Reader, 'all'>; now: () => number },
  merchantId: number,
): Promise<KeySummary[]> {
  const time = now();
  const until = time + NOTICE_MS;
  const rows = await Promise.all(
    sidesSeenFrom(merchantId).map((side) =>
      database.all(listKeysWithExpiringToken, { merchantId: side, now: time, until }),
    ),
  );
  return rows
    .flat()
    .filter(({ expires_at: expires }) => expires !== null && expires <= until)
    .map((row) => summarize(row, scopes, time))
    .filter(({ state }) => state === 'active');
}

interface KeyPage {
  /** A key of either side; from the first key if undefined. */
  before?: KeyNumbers | undefined;
  limit: number;
}

/** Counts a merchant's active keys, without test keys, and finds when any of them was last used. */
export async function countKeys(
  { database, now }: { database: Pick<Reader, 'first'>; now: () => number },
  merchantId: number,
): Promise<{ active: number; last_used_at: string | null }> {
  const active = await database.first(countActiveKeys, { merchantId, now: now() });
  const use = await database.first(findLastUse, { merchantId });
  const time = use?.last_used_at ?? null;
  return { active: active?.keys ?? 0, last_used_at: time === null ? null : formatTime(time) };
}

/** Returns undefined if the merchant has no key with this number. */
export async function summarizeKey(
  { database, now }: { database: Pick<Reader, 'first'>; now: () => number },
  key: KeyNumbers,
): Promise<KeySummary | undefined> {
  const row = await database.first(findKey, key);
  return row && summarize(row, scopes, now());
}

/** Reads a key inside a transaction. @throws {DomainError} `key_not_found` */
export async function requireKey(
  { connection, now }: Pick<WriteContext, 'connection' | 'now'>,
  key: KeyNumbers,
): Promise<KeySummary> {
  const summary = await summarizeKey({ database: connection, now: () => now }, key);
  if (summary === undefined) throw errors.key_not_found(formatKeyId(key));
  return summary;
}

function summarize<Granted extends string>(
  row: KeyRow,
  all: readonly Granted[],
  now: number,
): KeySummary<Granted> {
  const time = (value: number | null): string | null => (value === null ? null : formatTime(value));
  const oldToken = row.old_token_expires_at;
  const oldTokenWorks = row.revoked_at === null && oldToken !== null && oldToken > now;
  const expired = row.expires_at !== null && row.expires_at <= now;
  return {
    id: formatKeyId({ merchantId: row.merchant_id, id: row.id }),
    name: row.name,
    state: row.revoked_at !== null ? 'revoked' : expired ? 'expired' : 'active',
    mode: modeOf(row.merchant_id),
    scopes: parseScopes(row.scopes, all) ?? [],
    fields: row.fields,
    token: `${row.token_start}…${row.token_end}`,
    created_at: formatTime(row.created_at),
    expires_at: time(row.expires_at),
    old_token_expires_at: oldTokenWorks ? formatTime(oldToken) : null,
    revoked_at: time(row.revoked_at),
    last_used_at: time(row.last_used_at),
    last_erp_name: row.last_erp_name,
    last_user_agent: row.last_user_agent,
  };
}
