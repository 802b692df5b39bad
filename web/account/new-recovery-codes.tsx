import { Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { asUser } from '../sign-in/auth.ts';
import { AskPassword } from './ask-password.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

export function NewRecoveryCodes({ onClose }: { onClose: () => void }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (password: string) => asUser('two-factor/generate-backup-codes', { password }),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title="New recovery codes"
      closeOnClickOutside={data === undefined}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
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
    </Modal>
  );
}
