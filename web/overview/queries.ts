import { queryOptions } from '@tanstack/react-query';
import type { Overview } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => request<Overview>('overview', { signal }),
});
