import { queryOptions } from '@tanstack/react-query';
import type { OperatorResponseOf } from '../../../clients/typescript/src/operator-operations.ts';
import { call } from '../call.ts';

export type ListSummary = OperatorResponseOf<'listMetadataLists'>['results'][number];

export const listsQuery = queryOptions({
  queryKey: ['lists'],
  queryFn: ({ signal }) => call('listMetadataLists', {}, {}, { signal }),
});

export function listQuery(list: string) {
  return queryOptions({
    queryKey: ['lists', list],
    queryFn: ({ signal }) => call('retrieveMetadataList', { list }, {}, { signal }),
  });
}
