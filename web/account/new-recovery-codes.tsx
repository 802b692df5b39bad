import { useMutation } from '@tanstack/react-query';
import { Dialog } from '../feedback/dialog.tsx';
import { asUser } from '../sign-in/auth.ts';
import { AskPassword } from './ask-password.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

export function NewRecoveryCodes({ onClose }: { onClose: () => void }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (password: string) => asUser('two-factor/generate-backup-codes', { password }),
  });
  return (
    <Dialog onClose={onClose} title="New recovery codes" closeOnClickOutside={data === undefined}>
      {data?.backupCodes === undefined ? (
        <AskPassword
          words="The ones that you have now stop working."
          action="Make new codes"
          error={error}
          isPending={isPending}
          onPassword={mutate}
        />
      ) : (
        <RecoveryCodes codes={data.backupCodes} onDone={onClose} />
      )}
    </Dialog>
  );
}
