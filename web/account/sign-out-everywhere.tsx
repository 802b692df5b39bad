import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { errorMessage } from '../server/server-error.ts';
import { authRequest } from '../session/auth.ts';
import { useGoToSignIn } from '../session/sign-out.ts';

/** Ends all of the user's sessions, including this one. */
export function SignOutEverywhere() {
  const goToSignIn = useGoToSignIn();
  const { mutate, isPending } = useMutation({
    mutationFn: () => authRequest('revoke-sessions'),
    onSuccess: goToSignIn,
    onError: (error) => notifications.show({ color: 'red', message: errorMessage(error) }),
  });
  return (
    <Button
      variant="default"
      loading={isPending}
      onClick={() => mutate()}
      title="Ends all sessions; API keys keep working"
    >
      Sign out everywhere
    </Button>
  );
}
