import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { keepToken } from '../keys/kept-token.ts';
import { queryClient } from '../server/query-client.ts';
import { messageOf } from '../server/server-error.ts';
import { asVisitor } from '../sign-in/auth.ts';

/** Ends the session here, and forgets what was loaded in it. */
export function useSignOut(): () => void {
  const leave = useLeave();
  return useCallback(async () => {
    try {
      await asVisitor('sign-out');
      leave();
    } catch (error) {
      notifications.show({ color: 'red', message: messageOf(error) });
    }
  }, [leave]);
}

/** Goes to the sign-in page, for a session that is over already. */
export function useLeave(): () => void {
  const navigate = useNavigate();
  return useCallback(async () => {
    // First away from the pages that need a session.
    await navigate({ to: '/sign-in' });
    keepToken('');
    queryClient.setQueryData(['session'], null);
    queryClient.removeQueries({
      predicate: ({ queryKey }) => queryKey[0] !== 'session' && queryKey[0] !== 'options',
    });
  }, [navigate]);
}
