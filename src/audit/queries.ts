import { insertInto, statement } from '../database/database.ts';

export interface AuditRow {
  id: string;
  at: number;
  who: string;
  action: string;
  subject: string | null;
}

export const insertAuditEntry = insertInto('audit_entries', [
  'merchant_id',
  'id',
  'at',
  'who',
  'action',
  'subject',
]);

/** Parameters: the merchant, the id that entries come before, how many. Newest first. */
export const listAuditEntriesBefore = statement<AuditRow>(
  `SELECT id, at, who, action, subject FROM audit_entries
   WHERE merchant_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
);
