import type { AuditEntry } from '../../audit/audit-entry.ts';
import { listAudit } from '../../audit/list-audit.ts';
import type { Reader } from '../../database/database.ts';
import { OPERATOR_ID } from '../../database/sides.ts';

const LIMIT = 1_000;

/** Newest first. */
export async function listOperatorAudit(database: Pick<Reader, 'all'>): Promise<AuditEntry[]> {
  return (await listAudit(database, OPERATOR_ID, { limit: LIMIT })).entries;
}
