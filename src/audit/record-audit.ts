import { randomUUIDv7 } from 'node:crypto';
import type { AuditEntry } from '../console/console-api.ts';
import type { Connection } from '../database/database.ts';
import { insertAuditEntry } from './queries.ts';

/** Who an entry names where it was done on the command line. */
export const OPERATOR = 'operator';

export interface NewAuditEntry {
  merchantId: number;
  /** `OPERATOR`, or a user by `describeUser`. */
  who: string;
  action: AuditEntry['action'];
  /** What it was done to; never anything secret. */
  subject: string | null;
}

/** Notes what was done, in the transaction that does it: there is never one without the other. */
export async function recordAudit(
  connection: Pick<Connection, 'run'>,
  { merchantId, who, action, subject }: NewAuditEntry,
  now: number,
): Promise<void> {
  await connection.run(insertAuditEntry, [merchantId, randomUUIDv7(), now, who, action, subject]);
}

/** What an entry calls a user of the console. */
export function describeUser({ name, email }: { name: string; email: string }): string {
  return `${name} <${email}>`;
}
