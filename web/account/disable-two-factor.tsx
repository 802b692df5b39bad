import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Dialog } from '../feedback/dialog.tsx';
import { asUser } from '../sign-in/auth.ts';
import { AskPassword } from './ask-password.tsx';

export function DisableTwoFactor({ onClose }: { onClose: () => void }) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: (password: string) => asUser('two-factor/disable', { password }),
    onSuccess: () => {
      notifications.show({ message: 'The second factor is off.' });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title="Turn the second factor off">
      <AskPassword
        words="From then on your password alone lets you in. The recovery codes stop working, and everywhere else you are signed out."
        action="Turn it off"
        error={error}
        isPending={isPending}
        onPassword={mutate}
      />
    </Dialog>
  );
}
