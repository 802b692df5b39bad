import { queryOptions } from '@tanstack/react-query';
import type { SessionList } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => request<SessionList>('sessions', { signal }),
});
