import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { asVisitor } from './auth.ts';
import styles from './door.module.css';
import { FormProblem } from './form-problem.tsx';

/** Asks for a code of the authenticator app, or for one of the recovery codes. */
export function SecondFactorStep({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const [recovering, setRecovering] = useState(false);
  const [code, setCode] = useState('');
  const { mutate, reset, error, isPending } = useMutation({
    mutationFn: () =>
      recovering
        ? asVisitor('two-factor/verify-backup-code', { code: code.trim() })
        : asVisitor('two-factor/verify-totp', { code: code.replaceAll(/\s/g, '') }),
    onSuccess: onDone,
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
        key={recovering ? 'recovery' : 'app'}
        className={styles.code ?? ''}
        label={recovering ? 'Recovery code' : 'Code of your authenticator app'}
        inputMode={recovering ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        required
        withAsterisk={false}
        autoFocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" loading={isPending}>
        Go on
      </Button>
      <div className="small">
        <button
          type="button"
          className="text-button"
          onClick={() => {
            setRecovering(!recovering);
            setCode('');
            reset();
          }}
        >
          {recovering ? 'Use the authenticator app' : 'Use a recovery code'}
        </button>
        {' · '}
        <button type="button" className="text-button" onClick={onBack}>
          Back to the password
        </button>
      </div>
    </form>
  );
}
