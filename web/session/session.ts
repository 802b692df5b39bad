import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ConsoleOptions, ConsoleSession } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';
import { Store } from '../server/store.ts';
import { sessionQueryOf } from './any-session.ts';

export const sessionQuery = sessionQueryOf<ConsoleSession>();

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
