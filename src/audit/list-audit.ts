import type { ActorKind } from '../database/actor.ts';
import type { Reader } from '../database/database.ts';
import { formatTime } from '../shared/timestamps.ts';
import type { AuditEntry } from './audit-entry.ts';
import {
  listNewestAuditEntries,
  listOperatorLog,
  listOperatorLogBy,
  listOperatorLogByAndOf,
  listOperatorLogByKind,
  listOperatorLogByKindAndOf,
  listOperatorLogOf,
} from './queries.ts';

/** Sorts after every id. */
const END = '~';

interface Part {
  before?: string | undefined;
  limit: number;
}

/** Newest first. Which key an operator has used is not a merchant's to know. */
export async function listAudit(
  database: Pick<Reader, 'all'>,
  merchantId: number,
  { limit }: { limit: number },
): Promise<AuditEntry[]> {
  const rows = await database.all(listNewestAuditEntries, { merchantId, limit });
  return rows.map(({ at, ...row }) => ({
    ...row,
    at: formatTime(at),
    who: row.who_kind === 'operator_key' ? '' : row.who,
  }));
}

export interface OperatorLogFilter {
  /** As entries have it. */
  kind?: ActorKind | undefined;
  /** As entries have it; of an operator without `kind`. */
  who?: string | undefined;
  action?: string | undefined;
}

/** `merchant_id` is the merchant's, or `OPERATOR_ID`. */
export type OperatorLogEntry = AuditEntry & { merchant_id: number };

/** Returns what operators did, to merchants too. Newest first, after the entry `before`. */
export async function listOperatorEntries(
  database: Pick<Reader, 'all'>,
  {
    who,
    kind = who === undefined ? undefined : 'operator',
    action,
    before = END,
    limit,
  }: OperatorLogFilter & Part,
): Promise<{ entries: OperatorLogEntry[]; next: string | null }> {
  const part = { before, limit: limit + 1 };
  const read = () => {
    if (kind !== undefined && who !== undefined && action !== undefined)
      return database.all(listOperatorLogByAndOf, { ...part, kind, who, action });
    if (kind !== undefined && who !== undefined)
      return database.all(listOperatorLogBy, { ...part, kind, who });
    if (kind !== undefined && action !== undefined)
      return database.all(listOperatorLogByKindAndOf, { ...part, kind, action });
    if (kind !== undefined) return database.all(listOperatorLogByKind, { ...part, kind });
    if (action !== undefined) return database.all(listOperatorLogOf, { ...part, action });
    return database.all(listOperatorLog, part);
  };
  return partOf(await read(), limit);
}

function partOf<Row extends { id: string; at: number }>(
  rows: readonly Row[],
  limit: number,
): { entries: (Omit<Row, 'at'> & { at: string })[]; next: string | null } {
  const entries = rows.slice(0, limit).map((row) => ({ ...row, at: formatTime(row.at) }));
  return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
