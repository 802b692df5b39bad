import { queryOptions } from '@tanstack/react-query';
import type { Overview } from '../../../clients/typescript/src/operator-operations.ts';
import { call } from '../call.ts';

export type { Overview };
export type Attention = Overview['attention'][number];
export type PeriodFigures = Overview['periods'][number];
export type Compared = PeriodFigures['calls'];

const REFETCH_MS = 30_000;

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => call('retrieveOverview', {}, {}, { signal }),
  refetchInterval: REFETCH_MS,
});
