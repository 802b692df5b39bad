import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ConsoleOptions, ConsoleSession } from '../../src/console/console-api.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { ServerError } from '../server/server-error.ts';

/** Null where nobody is signed in. A session that ends under an open page is asked for again instead. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<ConsoleSession | null> => {
    const needsSession = Boolean(queryClient.getQueryData<ConsoleSession | null>(['session']));
    try {
      return await request<ConsoleSession>('session', { needsSession });
    } catch (error) {
      if (error instanceof ServerError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

export const optionsQuery = queryOptions({
  queryKey: ['options'],
  queryFn: () => request<ConsoleOptions>('options', { needsSession: false }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Who is signed in, for pages that are only shown to them. */
export function useSession(): ConsoleSession {
  const { data } = useQuery(sessionQuery);
  if (data === undefined || data === null) throw new Error('this page needs a session');
  return data;
}
