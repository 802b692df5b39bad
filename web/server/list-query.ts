import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import { request } from './request.ts';
import { type SearchParameters, stringifySearch } from './search-params.ts';

/** A list that the server returns in parts. `next` of a part requests the following one; null at the end. */
export function listQuery<Part extends { next: string | number | null }>(
  queryKey: QueryKey,
  path: string,
  parameters: SearchParameters = {},
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      request<Part>(`${path}${stringifySearch({ ...parameters, before: pageParam ?? undefined })}`, {
        signal,
      }),
    initialPageParam: null as Part['next'],
    getNextPageParam: ({ next }) => next,
  });
}
