import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { publicAuthRequest } from '../session/auth.ts';
import { FormError } from '../ui/form-error.tsx';
import { EmailInput } from './email-input.tsx';
import styles from './sign-in.module.css';

interface Props {
  /** The user's email, which cannot be changed when signing in again. */
  fixedEmail?: string;
  onTwoFactor: () => void;
  onDone: () => void;
}

export function PasswordStep({ fixedEmail, onTwoFactor, onDone }: Props) {
  const [email, setEmail] = useState(fixedEmail ?? '');
  const [password, setPassword] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => publicAuthRequest('sign-in/email', { email, password }),
    onSuccess: (response) => (response.twoFactorRedirect ? onTwoFactor() : onDone()),
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <FormError error={error} />
      <EmailInput
        readOnly={fixedEmail !== undefined}
        data-autofocus={fixedEmail === undefined || undefined}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        data-autofocus={fixedEmail !== undefined || undefined}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" loading={isPending}>
        Sign in
      </Button>
    </form>
  );
}
