import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CodeBlock } from '../feedback/code-block.tsx';
import { asUser } from '../sign-in/auth.ts';
import { FormProblem } from '../sign-in/form-problem.tsx';
import styles from './account.module.css';
import { QrCode } from './qr-code.tsx';

/** Shows the secret to the app, and takes the app's first code as proof that it arrived. */
export function ConfirmApp({ uri, onConfirmed }: { uri: string; onConfirmed: () => void }) {
  const [code, setCode] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => asUser('two-factor/verify-totp', { code: code.replaceAll(/\s/g, '') }),
    onSuccess: onConfirmed,
  });
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <div className={styles.app}>
        <div className={styles.qr}>
          <QrCode text={uri} label="QR code with the secret for your authenticator app" />
        </div>
        <div className={styles.form}>
          <p>Scan this with your authenticator app. If it cannot scan, type the secret into it:</p>
          <CodeBlock text={secret} what="the secret" />
        </div>
      </div>
      <FormProblem error={error} />
      <TextInput
        label="The code that the app shows now"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        withAsterisk={false}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <div>
        <Button type="submit" loading={isPending}>
          Turn it on
        </Button>
      </div>
    </form>
  );
}
