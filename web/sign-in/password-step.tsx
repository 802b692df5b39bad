import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { asVisitor } from './auth.ts';
import styles from './door.module.css';
import { FormProblem } from './form-problem.tsx';

interface Props {
  /** Whose password is asked for, where only one will do. */
  fixedEmail?: string;
  onSecondFactor: () => void;
  onDone: () => void;
}

export function PasswordStep({ fixedEmail, onSecondFactor, onDone }: Props) {
  const [email, setEmail] = useState(fixedEmail ?? '');
  const [password, setPassword] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => asVisitor('sign-in/email', { email, password }),
    onSuccess: (answer) => (answer.twoFactorRedirect ? onSecondFactor() : onDone()),
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <FormProblem error={error} />
      <TextInput
        label="E-mail address"
        type="email"
        name="email"
        autoComplete="username"
        required
        withAsterisk={false}
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
