import { queryOptions, useQuery } from '@tanstack/react-query';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { ServerError } from '../server/server-error.ts';
import { isShopOfPage } from '../server/shop.ts';

/** What every session tells, in the console and on the operator's screen. */
export interface AnySession {
  /** Whether the user has to set up two-factor authentication before anything else. */
  two_factor_missing: boolean;
  /** Whether an identity provider signed the user in. */
  by_provider: boolean;
  user: { id: string; name: string; email: string; two_factor: boolean };
  /** These are only in the console. */
  merchant?: { id: number; name: string };
  test_data?: boolean;
  support_view?: object | null;
}

/**
 * The current session; null if there is none. If it expires on an open page, a dialog asks to sign in; if it
 * enters another shop, the page keeps its own. All of these queries are one.
 */
export function sessionQueryOf<Session extends AnySession>() {
  return queryOptions({
    queryKey: ['session'],
    queryFn: async (): Promise<Session | null> => {
      const known = queryClient.getQueryData<Session | null>(['session']) ?? null;
      try {
        const session = await request<Session>('session', { needsSession: known !== null });
        return isShopOfPage(session.merchant, session.test_data === true && session.support_view === null)
          ? session
          : known;
      } catch (error) {
        if (error instanceof ServerError && error.status === 401) return null;
        throw error;
      }
    },
    staleTime: 60_000,
  });
}

const anySessionQuery = sessionQueryOf<AnySession>();

/** Returns the session, for pages that only signed-in users can open. */
export function useAnySession(): AnySession {
  const { data } = useQuery(anySessionQuery);
  if (data === undefined || data === null) throw new Error('This page needs a session.');
  return data;
}

/** Returns the signed-in user, for pages that only signed-in users can open. */
export function useUser(): AnySession['user'] {
  return useAnySession().user;
}
