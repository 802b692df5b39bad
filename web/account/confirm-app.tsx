import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { authRequest } from '../session/auth.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { FormError } from '../ui/form-error.tsx';
import styles from './account.module.css';
import { QrCode } from './qr-code.tsx';

/** Shows the secret for the app, and asks for the app's first code to confirm it. */
export function ConfirmApp({ uri, onConfirmed }: { uri: string; onConfirmed: () => void }) {
  const [code, setCode] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => authRequest('two-factor/verify-totp', { code: code.replaceAll(/\s/g, '') }),
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
          <p>Scan this with your authenticator app, or enter the secret:</p>
          <CodeBlock text={secret} label="secret" />
        </div>
      </div>
      <FormError error={error} />
      <TextInput
        label="6-digit code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        withAsterisk={false}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <div>
        <Button type="submit" loading={isPending}>
          Enable
        </Button>
      </div>
    </form>
  );
}
