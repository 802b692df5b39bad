import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { queryClient } from '../server/query-client.ts';
import { errorMessage } from '../server/server-error.ts';
import { forgetShop } from '../server/shop.ts';
import { publicAuthRequest } from './auth.ts';
import { recentToken } from './session.ts';

/** Returns a function that ends this browser's session and clears its data. */
export function useSignOut(): () => void {
  const goToSignIn = useGoToSignIn();
  return useCallback(async () => {
    try {
      await publicAuthRequest('sign-out');
      goToSignIn();
    } catch (error) {
      notifications.show({ color: 'red', message: errorMessage(error) });
    }
  }, [goToSignIn]);
}

/** Clears a session that has ended, on a page that needs none. */
export function forgetSession(): void {
  forgetShop();
  queryClient.setQueryData(['session'], null);
}

/** Returns a function that opens the sign-in page and clears the data of a session that has ended. */
export function useGoToSignIn(): () => void {
  const navigate = useNavigate();
  return useCallback(async () => {
    // Pages that need a session must be unmounted before it is cleared.
    await navigate({ to: '/sign-in' });
    recentToken.set('');
    forgetShop();
    queryClient.setQueryData(['session'], null);
    queryClient.removeQueries({
      predicate: ({ queryKey }) => queryKey[0] !== 'session' && queryKey[0] !== 'options',
    });
  }, [navigate]);
}
