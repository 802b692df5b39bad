import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../server/server-error.ts';
import { useLeave } from '../session/use-sign-out.ts';
import { asUser } from '../sign-in/auth.ts';

/** Ends every session of the user, this one too. */
export function SignOutEverywhere() {
  const leave = useLeave();
  const { mutate, isPending } = useMutation({
    mutationFn: () => asUser('revoke-sessions'),
    onSuccess: leave,
    onError: (error) => notifications.show({ color: 'red', message: messageOf(error) }),
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
