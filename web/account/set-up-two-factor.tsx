import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../feedback/dialog.tsx';
import { asUser } from '../sign-in/auth.ts';
import { AskPassword } from './ask-password.tsx';
import { ConfirmApp } from './confirm-app.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Password, then the app, then the recovery codes. */
export function SetUpTwoFactor({ onClose }: { onClose: () => void }) {
  const [isConfirmed, setIsConfirmed] = useState(false);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (password: string) => asUser('two-factor/enable', { password }),
  });
  return (
    <Dialog
      onClose={onClose}
      title="Second factor"
      size="lg"
      closeOnClickOutside={data === undefined}
      closeOnEscape={!isConfirmed}
      withCloseButton={!isConfirmed}
    >
      {data?.totpURI === undefined || data.backupCodes === undefined ? (
        <AskPassword
          words="First your password, so that nobody else turns this on at your unlocked screen. Once it is on, you are signed out everywhere else."
          action="Go on"
          error={error}
          isPending={isPending}
          onPassword={mutate}
        />
      ) : isConfirmed ? (
        <RecoveryCodes codes={data.backupCodes} onDone={onClose} />
      ) : (
        <ConfirmApp uri={data.totpURI} onConfirmed={() => setIsConfirmed(true)} />
      )}
    </Dialog>
  );
}
