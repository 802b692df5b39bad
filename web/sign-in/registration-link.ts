import { queryOptions } from '@tanstack/react-query';
import type { RegistrationLinkState } from '../../src/console/console-api.ts';
import { request } from '../server/request.ts';

/** The email that a link confirms, and whether the link still works. */
export function registrationLinkQuery(token: string) {
  return queryOptions({
    queryKey: ['registration-link', token],
    queryFn: ({ signal }) =>
      request<RegistrationLinkState>('registration-links/check', {
        method: 'POST',
        body: { token },
        needsSession: false,
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
