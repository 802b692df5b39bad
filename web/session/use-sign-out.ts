import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { queryClient } from '../server/query-client.ts';
import { asVisitor } from '../sign-in/auth.ts';

/** Ends the session here, and forgets what was loaded in it. */
export function useSignOut(): () => void {
  const leave = useLeave();
  return useCallback(async () => {
    await asVisitor('sign-out');
    leave();
  }, [leave]);
}

/** Goes to the sign-in page, for a session that is over already. */
export function useLeave(): () => void {
  const navigate = useNavigate();
  return useCallback(async () => {
    queryClient.setQueryData(['session'], null);
    await navigate({ to: '/sign-in' });
    queryClient.removeQueries({
      predicate: ({ queryKey }) => queryKey[0] !== 'session' && queryKey[0] !== 'options',
    });
  }, [navigate]);
}
