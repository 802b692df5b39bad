import { queryOptions, useQuery } from '@tanstack/react-query';
import type { SingleSignOnOption } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';

/** The part of the options that the console and the operator's screen share. */
const optionsQuery = queryOptions({
  queryKey: ['options'],
  queryFn: () => request<{ single_sign_on: SingleSignOnOption | null }>('options', { needsSession: false }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Returns who signs users in instead of a password; null if nobody does, or as long as it is not known. */
export function useSingleSignOn(): SingleSignOnOption | null {
  return useQuery(optionsQuery).data?.single_sign_on ?? null;
}
