import { queryOptions } from '@tanstack/react-query';
import type { OperatorList } from '../../../src/operator/screen/screen-api.ts';
import { queryClient, refresh } from '../../server/query-client.ts';
import { request } from '../../server/request.ts';

export type Operator = OperatorList['operators'][number];

export const operatorsQuery = queryOptions({
  queryKey: ['operators'],
  queryFn: ({ signal }) => request<OperatorList>('operators', { signal }),
});

/** Shows the operators after a change, which is in the audit log too. */
export function showOperators(list: OperatorList): void {
  queryClient.setQueryData(operatorsQuery.queryKey, list);
  void refresh('audit');
}
