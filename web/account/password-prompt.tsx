import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { FormError } from '../ui/form-error.tsx';
import styles from './account.module.css';

interface Props {
  /** The reason for asking for the password, or the effect of confirming. */
  text: string;
  /** The label of the submit button. */
  action: string;
  error: unknown;
  isPending: boolean;
  onPassword: (password: string) => void;
}

export function PasswordPrompt({ text, action, error, isPending, onPassword }: Props) {
  const [password, setPassword] = useState('');
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onPassword(password);
      }}
    >
      <p>{text}</p>
      <FormError error={error} />
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        required
        withAsterisk={false}
        data-autofocus
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <div>
        <Button type="submit" loading={isPending}>
          {action}
        </Button>
      </div>
    </form>
  );
}
