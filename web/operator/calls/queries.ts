import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { OperatorResponseOf } from '../../../clients/typescript/src/operator-operations.ts';
import { call } from '../call.ts';
import { pagedQuery } from '../paged.ts';

/** What the page’s URL has. */
export interface CallsSearch {
  /** The merchant whose log is shown; the causes of all merchants without it. */
  merchant?: string;
  hours?: string;
  status?: string;
  error?: string;
  method?: string;
  path?: string;
}

export type CallGroup = OperatorResponseOf<'listFailedCalls'>['groups'][number];

export const DEFAULT_HOURS = '24';
const MAX_AFFECTED = 200;

/** If a cause is chosen, more of the merchants that it affects are listed. */
export function causesQuery({ merchant: _, hours = DEFAULT_HOURS, ...cause }: CallsSearch) {
  const affected = Object.keys(cause).length === 0 ? undefined : MAX_AFFECTED;
  return queryOptions({
    queryKey: ['calls', hours, cause],
    queryFn: ({ signal }) => call('listFailedCalls', {}, { hours, affected, ...cause }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function logQuery(merchant: string, { hours: _, merchant: __, ...filter }: CallsSearch) {
  return pagedQuery(['calls', 'log', merchant, filter], 'listMerchantFailedCalls', {
    path: { external_id: merchant },
    parameters: filter,
  });
}
