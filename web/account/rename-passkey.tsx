import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { PasskeyList, PasskeySummary } from '../../src/console/console-api.ts';
import { MAX_PASSKEY_NAME_LENGTH } from '../../src/console/passkeys/passkey-limits.ts';
import { post } from '../server/request.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { fieldErrors } from '../ui/field-errors.ts';

interface Props {
  passkey: PasskeySummary;
  onClose: () => void;
  onRenamed: (list: PasskeyList) => void;
}

export function RenamePasskey({ passkey: { id, name: before }, onClose, onRenamed }: Props) {
  const [name, setName] = useState(before);
  const renaming = useMutation({
    mutationFn: () => post<PasskeyList>(`passkeys/${encodeURIComponent(id)}`, { name }),
    onSuccess: (list) => {
      onRenamed(list);
      onClose();
    },
  });
  return (
    <DialogForm
      title="Rename the passkey"
      action="Rename"
      mutation={renaming}
      inputs={['name']}
      onSubmit={() => renaming.mutate()}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        data-autofocus
        maxLength={MAX_PASSKEY_NAME_LENGTH}
        required
        withAsterisk={false}
        error={fieldErrors(renaming.error).name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
