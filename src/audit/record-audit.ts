import { randomUUIDv7 } from 'node:crypto';
import type { Connection } from '../database/database.ts';
import type { AuditAction } from './audit-entry.ts';
import { insertAuditEntry } from './queries.ts';

/** The `who` of actions from the command line. */
export const OPERATOR = 'operator';

export interface NewAuditEntry {
  merchantId: number;
  /** `OPERATOR`, or a result of `describeUser`. */
  who: string;
  action: AuditAction;
  /** Never a secret. */
  subject: string | null;
}

/** Runs in the transaction of the action, so that neither is committed without the other. */
export async function recordAudit(
  connection: Pick<Connection, 'run'>,
  { merchantId, ...entry }: NewAuditEntry,
  now: number,
): Promise<void> {
  await connection.run(insertAuditEntry, { merchant_id: merchantId, id: randomUUIDv7(), at: now, ...entry });
}

/** Returns for example `Ada Miller <ada@example.com>`. */
export function describeUser({ name, email }: { name: string; email: string }): string {
  return `${name} <${email}>`;
}
