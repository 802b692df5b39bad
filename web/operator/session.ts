import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ScreenOptions, ScreenSession } from '../../src/operator/screen/screen-api.ts';
import { isAtLeastOperator, type OperatorRole } from '../../src/operators/role.ts';
import { request } from '../server/request.ts';
import { sessionQueryOf } from '../session/any-session.ts';

export const sessionQuery = sessionQueryOf<ScreenSession>();

export const optionsQuery = queryOptions({
  queryKey: ['options'],
  queryFn: () => request<ScreenOptions>('options', { needsSession: false }),
});

/** Returns the current session, for pages that only signed-in operators can open. */
export function useSession(): ScreenSession {
  const { data } = useQuery(sessionQuery);
  if (data === undefined || data === null) throw new Error('This page needs a session.');
  return data;
}

/** Whether the operator's role is at least this. The server enforces it; pages hide what is not allowed. */
export function useAllows(least: OperatorRole): boolean {
  return isAtLeastOperator(useSession().user.role, least);
}
