import { useState } from 'react';
import { Form, type FormProps } from '../ui/form.tsx';
import { CurrentPasswordInput } from '../ui/password-inputs.tsx';
import styles from './account.module.css';

interface Props extends Pick<FormProps, 'action' | 'mutation'> {
  /** The reason for asking for the password, or the effect of confirming. */
  text: string;
  onPassword: (password: string) => void;
}

export function PasswordPrompt({ text, onPassword, ...form }: Props) {
  const [password, setPassword] = useState('');
  return (
    <Form {...form} className={styles.form} text={<p>{text}</p>} onSubmit={() => onPassword(password)}>
      <CurrentPasswordInput label="Your password" data-autofocus value={password} onChange={setPassword} />
    </Form>
  );
}
