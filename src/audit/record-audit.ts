import { randomUUIDv7 } from 'node:crypto';
import type { WriteContext } from '../database/write-context.ts';
import type { AuditAction } from './audit-entry.ts';
import { insertAuditEntry } from './queries.ts';

/** The `who` of actions from the command line. */
export const OPERATOR = 'operator';
/** The `who` of what the service does by itself. */
export const SERVICE = 'Tradepost';

export interface NewAuditEntry {
  action: AuditAction;
  /** Never a secret. */
  subject: string | null;
}

/** Runs in the transaction of the action, so that neither is committed without the other. */
export function recordAudit(
  { connection, merchantId, who, now }: WriteContext,
  { action, subject }: NewAuditEntry,
): void {
  const entry = { merchant_id: merchantId, id: randomUUIDv7(), at: now, who, action, subject };
  connection.send(insertAuditEntry, [entry]);
}

/** Returns for example `Ada Miller <ada@example.com>`. */
export function describeUser({ name, email }: { name: string; email: string }): string {
  return `${name} <${email}>`;
}
