import { insertInto, statement } from '../database/database.ts';
import type { AuditAction } from './audit-entry.ts';

interface AuditRow {
  merchant_id: number;
  id: string;
  at: number;
  who: string;
  action: AuditAction;
  subject: string | null;
}

export const insertAuditEntry = insertInto<AuditRow>('audit_entries', [
  'merchant_id',
  'id',
  'at',
  'who',
  'action',
  'subject',
]);

export const listAuditEntriesBefore = statement<
  { merchantId: number; before: string; limit: number },
  Omit<AuditRow, 'merchant_id'>
>(
  `SELECT id, at, who, action, subject FROM audit_entries
   WHERE merchant_id = :merchantId AND id < :before ORDER BY id DESC LIMIT :limit`,
);
