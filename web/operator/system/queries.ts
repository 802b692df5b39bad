import { queryOptions } from '@tanstack/react-query';
import type { System } from '../../../clients/typescript/src/operator-operations.ts';
import { call } from '../call.ts';

export type { System };

const REFETCH_MS = 30_000;

export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => call('retrieveSystem', {}, {}, { signal }),
  refetchInterval: REFETCH_MS,
});

export const metricsQuery = queryOptions({
  queryKey: ['system', 'metrics'],
  queryFn: ({ signal }) => call('retrieveSystemMetrics', {}, {}, { signal }),
  refetchInterval: 2 * REFETCH_MS,
});
