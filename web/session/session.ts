import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ConsoleOptions, ConsoleSession } from '../../src/console/console-api.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { ServerError } from '../server/server-error.ts';
import { Store } from '../server/store.ts';

/** The current session; null if there is none. If it expires on an open page, a dialog asks to sign in. */
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

/** Returns the current session, for pages that only signed-in users can open. */
export function useSession(): ConsoleSession {
  const { data } = useQuery(sessionQuery);
  if (data === undefined || data === null) throw new Error('This page needs a session.');
  return data;
}

/** The access token that was created or entered last, '' for none. In memory only: a reload clears it. */
export const recentToken = new Store('');
