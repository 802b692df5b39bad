import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { FailedRequestList, RefusedKeyList, UsageReport } from '../../src/console/catalog-api.ts';
import { listQuery } from '../server/list-query.ts';
import { request } from '../server/request.ts';
import { stringifySearch } from '../server/search-params.ts';

/** The filters that the page's URL has. */
export interface RequestsSearch {
  status?: string;
  key?: string;
  path?: string;
  request_id?: string;
  /** The number of hours that the chart shows. */
  hours?: string;
}

export const DEFAULT_HOURS = '24';

/** Failed requests, newest first. */
export const failuresQuery = ({ hours: _, ...filter }: RequestsSearch) => ({
  ...listQuery<FailedRequestList>(['requests', 'failures', filter], 'requests', filter),
  placeholderData: keepPreviousData,
});

export const usageQuery = ({ hours = DEFAULT_HOURS, key }: RequestsSearch) =>
  queryOptions({
    queryKey: ['requests', 'usage', hours, key],
    queryFn: ({ signal }) =>
      request<UsageReport>(`requests/usage${stringifySearch({ hours, key })}`, { signal }),
    placeholderData: keepPreviousData,
  });

export const refusedKeysQuery = queryOptions({
  queryKey: ['requests', 'refused-keys'],
  queryFn: ({ signal }) => request<RefusedKeyList>('requests/refused-keys', { signal }),
});
