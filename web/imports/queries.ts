import { queryOptions } from '@tanstack/react-query';
import { type ConsoleImport, type ImportList, MAX_LISTED_IMPORTS } from '../../src/console/catalog-api.ts';
import { request } from '../server/request.ts';

const POLL_INTERVAL_MS = 400;
const LIST_INTERVAL_MS = 5_000;

/** An upload, polled while the server processes it. */
export function importQuery(id: string) {
  return queryOptions({
    queryKey: ['imports', id],
    queryFn: ({ signal }) => request<ConsoleImport>(`imports/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'checking' || data?.state === 'importing' ? POLL_INTERVAL_MS : false,
  });
}

/** The latest uploads that have rejected rows. */
export const rejectingImportsQuery = queryOptions({
  queryKey: ['imports', 'rejecting'],
  queryFn: ({ signal }) =>
    request<ImportList>(`imports?rejecting=true&limit=${MAX_LISTED_IMPORTS}`, { signal }),
  refetchInterval: LIST_INTERVAL_MS,
});

/** The latest uploads. */
export const recentImportsQuery = queryOptions({
  queryKey: ['imports'],
  queryFn: ({ signal }) => request<ImportList>('imports', { signal }),
  refetchInterval: LIST_INTERVAL_MS,
});
