import { randomUUIDv7 } from 'node:crypto';
import type { Actor } from '../database/actor.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import type { WriteContext } from '../database/write-context.ts';
import type { AuditAction } from './audit-entry.ts';
import { insertAuditEntry } from './queries.ts';

/** Who acts on the command line. */
export const OPERATOR: Actor = { kind: 'command', name: '' };
/** Who does what the service does by itself. */
export const SERVICE: Actor = { kind: 'service', name: '' };

export interface NewAuditEntry {
  action: AuditAction;
  /** Never a secret. */
  subject: string | null;
}

/**
 * Runs in the transaction of the action, so that neither is committed without the other. What the operator
 * does to a merchant is one entry, which both logs show.
 */
export function recordAudit(
  { connection, merchantId, who, now }: WriteContext,
  { action, subject }: NewAuditEntry,
): void {
  connection.send(insertAuditEntry, [
    {
      merchant_id: merchantId,
      id: randomUUIDv7(),
      at: now,
      who_kind: who.kind,
      who: who.name,
      action,
      subject,
      in_operator_log: Number(merchantId === OPERATOR_ID || isByOperator(who)),
    },
  ]);
}

/** A user of the console, who acts for a merchant. */
export function merchantUser(user: { name: string; email: string }): Actor {
  return { kind: 'merchant_user', name: describeUser(user) };
}

/** An operator with a session. */
export function operatorUser(user: { name: string; email: string }): Actor {
  return { kind: 'operator', name: describeUser(user) };
}

/** Whether the operator does something: a person, a key of the operator API, or a command. */
export function isByOperator({ kind }: Actor): boolean {
  return kind === 'operator' || kind === 'operator_key' || kind === 'command';
}

/** Returns who acts as a text, such as `operator Ada Miller <ada@example.com>` or `key 12-3`. */
export function describeActor({ kind, name }: Actor): string {
  switch (kind) {
    case 'merchant_key':
      return `key ${name}`;
    case 'merchant_user':
    case 'stranger':
      return name;
    case 'operator':
      return `operator ${name}`;
    case 'operator_key':
    case 'command':
      return 'operator';
    case 'service':
      return 'Tradepost';
  }
}

/** Returns for example `Ada Miller <ada@example.com>`. */
export function describeUser({ name, email }: { name: string; email: string }): string {
  return `${name} <${email}>`;
}
