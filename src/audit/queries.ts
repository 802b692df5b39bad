import type { ActorKind } from '../database/actor.ts';
import { insertInto, statement } from '../database/statement.ts';
import type { AuditAction } from './audit-entry.ts';

interface AuditRow {
  merchant_id: number;
  id: string;
  at: number;
  who_kind: ActorKind;
  who: string;
  action: AuditAction;
  subject: string | null;
  /** 1 if the operator's log has it too, or alone. */
  in_operator_log: number;
}

export const insertAuditEntry = insertInto<AuditRow>('audit_entries', [
  'merchant_id',
  'id',
  'at',
  'who_kind',
  'who',
  'action',
  'subject',
  'in_operator_log',
]);

export const listNewestAuditEntries = statement<
  { merchantId: number; limit: number },
  Omit<AuditRow, 'merchant_id' | 'in_operator_log'>
>(
  `SELECT id, at, who_kind, who, action, subject FROM audit_entries
   WHERE merchant_id = :merchantId ORDER BY id DESC LIMIT :limit`,
);

interface LogPart {
  before: string;
  limit: number;
}

interface ByKind {
  kind: ActorKind;
}

/** The part of the operator's log that a condition leaves, newest first, over all merchants. */
function operatorLog<Filter>(condition: string) {
  return statement<LogPart & Filter, Omit<AuditRow, 'in_operator_log'>>(
    `SELECT merchant_id, id, at, who_kind, who, action, subject FROM audit_entries
     WHERE in_operator_log = 1${condition} AND id < :before ORDER BY id DESC LIMIT :limit`,
    { everyNode: true },
  );
}

export const listOperatorLog = operatorLog<unknown>('');
export const listOperatorLogByKind = operatorLog<ByKind>(' AND who_kind = :kind');
export const listOperatorLogBy = operatorLog<ByKind & { who: string }>(
  ' AND who_kind = :kind AND who = :who',
);
export const listOperatorLogOf = operatorLog<{ action: string }>(' AND action = :action');
export const listOperatorLogByKindAndOf = operatorLog<ByKind & { action: string }>(
  ' AND who_kind = :kind AND action = :action',
);
export const listOperatorLogByAndOf = operatorLog<ByKind & { who: string; action: string }>(
  ' AND who_kind = :kind AND who = :who AND action = :action',
);
