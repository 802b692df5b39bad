import { queryOptions } from '@tanstack/react-query';
import type { PasswordLinkState, RegistrationLinkState } from '../../src/console/console-api.ts';
import { post } from '../server/request.ts';

interface States {
  'password-links': PasswordLinkState;
  'registration-links': RegistrationLinkState;
}

/** Whether a link still works, before anyone types a password. */
export function linkQuery<Path extends keyof States>(path: Path, token: string) {
  return queryOptions({
    queryKey: [path, token],
    queryFn: ({ signal }) => post<States[Path]>(`${path}/check`, { token }, { needsSession: false, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
