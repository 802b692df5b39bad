import type { Reader } from '../database/database.ts';
import { formatTime } from '../shared/timestamps.ts';
import type { AuditEntry, AuditList } from './audit-entry.ts';
import {
  listAuditEntriesBefore,
  listOperatorLog,
  listOperatorLogBy,
  listOperatorLogByAndOf,
  listOperatorLogOf,
} from './queries.ts';

/** Sorts after every id. */
const END = '~';

interface Part {
  before?: string | undefined;
  limit: number;
}

/** Newest first, after the entry `before`. */
export async function listAudit(
  database: Pick<Reader, 'all'>,
  merchantId: number,
  { before = END, limit }: Part,
): Promise<AuditList> {
  const rows = await database.all(listAuditEntriesBefore, { merchantId, before, limit: limit + 1 });
  return partOf(rows, limit);
}

export interface OperatorLogFilter {
  /** As entries have it. */
  who?: string | undefined;
  action?: string | undefined;
}

/** `merchant_id` is the merchant's, or `OPERATOR_ID`. */
export type OperatorLogEntry = AuditEntry & { merchant_id: number };

/** Returns what operators did, to merchants too. Newest first, after the entry `before`. */
export async function listOperatorEntries(
  database: Pick<Reader, 'all'>,
  { who, action, before = END, limit }: OperatorLogFilter & Part,
): Promise<{ entries: OperatorLogEntry[]; next: string | null }> {
  const part = { before, limit: limit + 1 };
  const read = () => {
    if (who !== undefined && action !== undefined)
      return database.all(listOperatorLogByAndOf, { ...part, who, action });
    if (who !== undefined) return database.all(listOperatorLogBy, { ...part, who });
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
