import type { KeyList } from '../../src/console/console-api.ts';
import { listQuery } from '../server/list-query.ts';

/** Keys, newest first. */
export const keysQuery = listQuery<KeyList>(['keys'], 'keys');

/** Keys that expire within a week. */
export const expiringKeysQuery = listQuery<KeyList>(['keys', 'expiring'], 'keys', { expiring: true });

export type Key = KeyList['keys'][number];
