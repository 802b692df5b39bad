import type { AuditList, KeyList } from '../../src/console/console-api.ts';
import { listQuery } from '../server/list-query.ts';

/** Keys, newest first. */
export const keysQuery = listQuery<KeyList>(['keys'], 'keys');

export type Key = KeyList['keys'][number];

export const auditQuery = listQuery<AuditList>(['audit'], 'audit', { limit: 20 });
