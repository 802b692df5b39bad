import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { publicAuthRequest } from '../session/auth.ts';
import { Form } from '../ui/form.tsx';
import styles from './sign-in.module.css';

/** Asks for a code from the authenticator app, or for a recovery code. */
export function TwoFactorStep({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const [isRecovery, setIsRecovery] = useState(false);
  const [code, setCode] = useState('');
  const verification = useMutation({
    mutationFn: () =>
      isRecovery
        ? publicAuthRequest('two-factor/verify-backup-code', { code: code.trim() })
        : publicAuthRequest('two-factor/verify-totp', { code: code.replaceAll(/\s/g, '') }),
    onSuccess: onDone,
  });
  return (
    <>
      <Form
        className={styles.form}
        action="Continue"
        mutation={verification}
        onSubmit={() => verification.mutate()}
      >
        <TextInput
          key={isRecovery ? 'recovery' : 'app'}
          className={styles.code ?? ''}
          label={isRecovery ? 'Recovery code' : 'Authentication code'}
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          autoFocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      </Form>
      <div className={`small ${styles.below}`}>
        <button
          type="button"
          className="text-button"
          onClick={() => {
            setIsRecovery(!isRecovery);
            setCode('');
            verification.reset();
          }}
        >
          {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </button>
        {' · '}
        <button type="button" className="text-button" onClick={onBack}>
          Back
        </button>
      </div>
    </>
  );
}
