import { queryOptions } from '@tanstack/react-query';
import type { SalesView } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';

export const salesQuery = queryOptions({
  queryKey: ['sales'],
  queryFn: ({ signal }) => request<SalesView>('sales', { signal }),
});
