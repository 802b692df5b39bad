import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AuditList, KeyList } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => request<KeyList>('keys', { signal }),
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
