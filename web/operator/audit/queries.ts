import { keepPreviousData } from '@tanstack/react-query';
import type { OperatorAudit } from '../../../src/operator/screen/list-operator-audit.ts';
import { listQuery } from '../../server/list-query.ts';

/** The filters in the URL. */
export interface AuditSearch {
  who?: string;
  action?: string;
}

export function auditQuery(search: AuditSearch) {
  return {
    ...listQuery<OperatorAudit>(['audit', search], 'audit', { ...search, limit: 50 }),
    placeholderData: keepPreviousData,
  };
}
