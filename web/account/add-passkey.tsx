import { TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_PASSKEY_NAME_LENGTH } from '../../src/console/passkeys/passkey-limits.ts';
import { addPasskey } from '../session/passkeys.ts';
import { DialogForm } from '../ui/dialog-form.tsx';
import { fieldErrors } from '../ui/field-errors.ts';
import { CurrentPasswordInput } from '../ui/password-inputs.tsx';
import { browserName } from './browser-name.ts';

interface Props {
  onClose: () => void;
  onAdded: () => void;
}

/** Confirms the password, and lets the browser make a passkey. */
export function AddPasskey({ onClose, onAdded }: Props) {
  const [name, setName] = useState(() => browserName(navigator.userAgent).slice(0, MAX_PASSKEY_NAME_LENGTH));
  const [password, setPassword] = useState('');
  const adding = useMutation({
    mutationFn: () => addPasskey({ name, password }),
    onSuccess: () => {
      notifications.show({ message: 'Passkey added.' });
      onAdded();
      onClose();
    },
  });
  const problems = fieldErrors(adding.error);
  return (
    <DialogForm
      title="Add a passkey"
      action="Continue"
      mutation={adding}
      inputs={['name', 'password']}
      closeOnClickOutside={false}
      text={<p>Confirm your password. Your browser then asks where to keep the passkey.</p>}
      onSubmit={() => adding.mutate()}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="To recognize it in the list, such as the device or password manager that keeps it."
        maxLength={MAX_PASSKEY_NAME_LENGTH}
        required
        withAsterisk={false}
        error={problems.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <CurrentPasswordInput
        label="Your password"
        data-autofocus
        error={problems.password}
        value={password}
        onChange={setPassword}
      />
    </DialogForm>
  );
}
