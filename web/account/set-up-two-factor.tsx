import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { authRequest } from '../session/auth.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ConfirmApp } from './confirm-app.tsx';
import { PasswordPrompt } from './password-prompt.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** The setup steps: password, authenticator app, recovery codes. */
export function SetUpTwoFactor({ onClose }: { onClose: () => void }) {
  const [isConfirmed, setIsConfirmed] = useState(false);
  const setUp = useMutation({
    mutationFn: (password: string) => authRequest('two-factor/enable', { password }),
  });
  const { data } = setUp;
  return (
    <Dialog
      onClose={onClose}
      title="Two-factor authentication"
      size="lg"
      closeOnClickOutside={data === undefined}
      closeOnEscape={!isConfirmed}
      withCloseButton={!isConfirmed}
    >
      {data?.totpURI === undefined || data.backupCodes === undefined ? (
        <PasswordPrompt
          text="Confirm your password. Enabling two-factor authentication signs out your other devices."
          action="Continue"
          mutation={setUp}
          onPassword={setUp.mutate}
        />
      ) : isConfirmed ? (
        <RecoveryCodes codes={data.backupCodes} onDone={onClose} />
      ) : (
        <ConfirmApp uri={data.totpURI} onConfirmed={() => setIsConfirmed(true)} />
      )}
    </Dialog>
  );
}
