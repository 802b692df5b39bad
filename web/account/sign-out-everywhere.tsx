import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { authRequest } from '../session/auth.ts';
import { useGoToSignIn } from '../session/sign-out.ts';
import { showError } from '../ui/notify.tsx';

/** Ends all of the user's sessions, including this one. */
export function SignOutEverywhere() {
  const goToSignIn = useGoToSignIn();
  const { mutate, isPending } = useMutation({
    mutationFn: () => authRequest('revoke-sessions'),
    onSuccess: goToSignIn,
    onError: showError,
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
