import { randomUUIDv7 } from 'node:crypto';
import type { WriteContext } from '../database/write-context.ts';
import type { AuditAction } from './audit-entry.ts';
import { insertAuditEntry } from './queries.ts';

/** The `who` of actions from the command line and of operator keys. */
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

/** The `who` of an operator with a session, such as `operator Ada Miller <ada@example.com>`. */
export function describeOperator(user: { name: string; email: string }): string {
  return `${OPERATOR} ${describeUser(user)}`;
}

/** Whether something was done by the operator, not by a merchant. */
export function isByOperator(who: string): boolean {
  return who === OPERATOR || who.startsWith(`${OPERATOR} `);
}

/** Returns for example `Ada Miller <ada@example.com>`. */
export function describeUser({ name, email }: { name: string; email: string }): string {
  return `${name} <${email}>`;
}
