import type { AuditEntry, AuditList } from '../console/console-api.ts';
import type { Reader } from '../database/database.ts';
import { formatTime } from '../shared/timestamps.ts';
import { listAuditEntriesBefore } from './queries.ts';

/** After every id. */
const END = '~';

/** A merchant's entries, newest first: the first `limit` before an id, or of all. */
export async function listAudit(
  database: Pick<Reader, 'all'>,
  merchantId: number,
  { before = END, limit }: { before?: string | undefined; limit: number },
): Promise<AuditList> {
  const rows = await database.all(listAuditEntriesBefore, [merchantId, before, limit + 1]);
  const entries = rows.slice(0, limit).map((row) => ({
    ...row,
    at: formatTime(row.at),
    action: row.action as AuditEntry['action'],
  }));
  return { entries, next: rows.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
