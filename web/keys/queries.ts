import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AuditList, KeyList } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';

/** Pages of keys, newest first. */
export const keysQuery = infiniteQueryOptions({
  queryKey: ['keys'],
  queryFn: ({ pageParam, signal }) =>
    request<KeyList>(pageParam === null ? 'keys' : `keys?before=${pageParam}`, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
});

export type Key = KeyList['keys'][number];

const ENTRIES = 20;

export const auditQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: ({ pageParam, signal }) =>
    request<AuditList>(`audit?limit=${ENTRIES}${pageParam === null ? '' : `&before=${pageParam}`}`, {
      signal,
    }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
});
