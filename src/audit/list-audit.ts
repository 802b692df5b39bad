import type { Reader } from '../database/database.ts';
import { formatTime } from '../shared/timestamps.ts';
import type { AuditList } from './audit-entry.ts';
import { listAuditEntriesBefore } from './queries.ts';

/** Sorts after every id. */
const END = '~';

/** Newest first, after the entry `before`. */
export async function listAudit(
  database: Pick<Reader, 'all'>,
  merchantId: number,
  { before = END, limit }: { before?: string | undefined; limit: number },
): Promise<AuditList> {
  const rows = await database.all(listAuditEntriesBefore, { merchantId, before, limit: limit + 1 });
  const entries = rows.slice(0, limit).map((row) => ({ ...row, at: formatTime(row.at) }));
  return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
