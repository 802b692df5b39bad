import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { authRequest } from '../session/auth.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { Form } from '../ui/form.tsx';
import styles from './account.module.css';
import { QrCode } from './qr-code.tsx';

/** Shows the secret for the app, and asks for the app's first code to confirm it. */
export function ConfirmApp({ uri, onConfirmed }: { uri: string; onConfirmed: () => void }) {
  const [code, setCode] = useState('');
  const confirmation = useMutation({
    mutationFn: () => authRequest('two-factor/verify-totp', { code: code.replaceAll(/\s/g, '') }),
    onSuccess: onConfirmed,
  });
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const app = (
    <div className={styles.app}>
      <div className={styles.qr}>
        <QrCode text={uri} label="QR code with the secret for your authenticator app" />
      </div>
      <div className={styles.form}>
        <p>Scan this with your authenticator app, or enter the secret:</p>
        <CodeBlock text={secret} label="secret" />
      </div>
    </div>
  );
  return (
    <Form
      className={styles.form}
      text={app}
      action="Enable"
      mutation={confirmation}
      onSubmit={() => confirmation.mutate()}
    >
      <TextInput
        label="6-digit code"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        withAsterisk={false}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </Form>
  );
}
