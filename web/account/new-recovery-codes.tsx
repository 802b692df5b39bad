import { useMutation } from '@tanstack/react-query';
import { authRequest } from '../session/auth.ts';
import { Dialog } from '../ui/dialog.tsx';
import { PasswordPrompt } from './password-prompt.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

export function NewRecoveryCodes({ onClose }: { onClose: () => void }) {
  const creation = useMutation({
    mutationFn: (password: string) => authRequest('two-factor/generate-backup-codes', { password }),
  });
  const { data } = creation;
  return (
    <Dialog onClose={onClose} title="New recovery codes" closeOnClickOutside={data === undefined}>
      {data?.backupCodes === undefined ? (
        <PasswordPrompt
          text="New codes replace your current ones."
          action="Create new codes"
          mutation={creation}
          onPassword={creation.mutate}
        />
      ) : (
        <RecoveryCodes codes={data.backupCodes} onDone={onClose} />
      )}
    </Dialog>
  );
}
