import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { FormProblem } from '../sign-in/form-problem.tsx';
import styles from './account.module.css';

interface Props {
  /** What the password is asked for. */
  words: string;
  action: string;
  error: unknown;
  isPending: boolean;
  onPassword: (password: string) => void;
}

export function AskPassword({ words, action, error, isPending, onPassword }: Props) {
  const [password, setPassword] = useState('');
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onPassword(password);
      }}
    >
      <p>{words}</p>
      <FormProblem error={error} />
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
