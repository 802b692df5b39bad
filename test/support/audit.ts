import type { AuditEntry } from '../../src/audit/audit-entry.ts';
import { listAudit } from '../../src/audit/list-audit.ts';
import { describeActor } from '../../src/audit/record-audit.ts';
import type { ConsoleSession } from '../../src/console/console-api.ts';
import type { Database } from '../../src/database/database.ts';
import type { ConsoleClient } from './console.ts';

/** More than a test makes. */
const ALL = 1_000;

/** Returns who an entry names, such as `operator Ada Miller <ada@example.com>` or `key 12-3`. */
export function whoOf({ who_kind, who }: Pick<AuditEntry, 'who_kind' | 'who'>): string {
  return describeActor({ kind: who_kind, name: who });
}

/** Resolves to the audit log of the shop in which a client is signed in, newest first. */
export async function auditLogOf(
  { database }: { database: Database },
  client: ConsoleClient,
): Promise<AuditEntry[]> {
  const { merchant } = (await client.get('/session')).json<ConsoleSession>();
  return await listAudit(database, merchant.id, { limit: ALL });
}
