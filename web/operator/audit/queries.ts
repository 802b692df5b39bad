import { keepPreviousData } from '@tanstack/react-query';
import type { OperatorAudit } from '../../../src/operator/screen/list-operator-audit.ts';
import { listQuery } from '../../server/list-query.ts';
import { ROWS_OF_PART } from '../paged.ts';

/** The filters in the URL. */
export interface AuditSearch {
  kind?: string;
  who?: string;
  action?: string;
}

export function auditQuery(search: AuditSearch) {
  return {
    ...listQuery<OperatorAudit>(['audit', search], 'audit', { ...search, limit: ROWS_OF_PART }),
    placeholderData: keepPreviousData,
  };
}
