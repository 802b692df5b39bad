import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { publicAuthRequest } from '../session/auth.ts';
import { Form } from '../ui/form.tsx';
import { CurrentPasswordInput } from '../ui/password-inputs.tsx';
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
  const signIn = useMutation({
    mutationFn: () => publicAuthRequest('sign-in/email', { email, password }),
    onSuccess: (response) => (response.twoFactorRedirect ? onTwoFactor() : onDone()),
  });
  return (
    <Form className={styles.form} action="Sign in" mutation={signIn} onSubmit={() => signIn.mutate()}>
      <EmailInput
        readOnly={fixedEmail !== undefined}
        data-autofocus={fixedEmail === undefined || undefined}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <CurrentPasswordInput
        label="Password"
        name="password"
        data-autofocus={fixedEmail !== undefined || undefined}
        value={password}
        onChange={setPassword}
      />
    </Form>
  );
}
