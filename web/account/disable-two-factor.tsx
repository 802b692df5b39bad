import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { authRequest } from '../session/auth.ts';
import { Dialog } from '../ui/dialog.tsx';
import { PasswordPrompt } from './password-prompt.tsx';

export function DisableTwoFactor({ onClose }: { onClose: () => void }) {
  const disabling = useMutation({
    mutationFn: (password: string) => authRequest('two-factor/disable', { password }),
    onSuccess: () => {
      notifications.show({ message: 'Two-factor authentication disabled.' });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title="Disable two-factor authentication">
      <PasswordPrompt
        text="You’ll sign in with your password only. Your recovery codes stop working, and your other devices are signed out."
        action="Disable"
        mutation={disabling}
        onPassword={disabling.mutate}
      />
    </Dialog>
  );
}
