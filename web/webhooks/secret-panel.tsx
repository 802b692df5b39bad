import { Button } from '@mantine/core';
import { CodeBlock } from '../ui/code-block.tsx';
import styles from './webhooks.module.css';

/** Shows a new secret, which cannot be shown again. */
export function SecretPanel({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <div className={styles.form}>
      <p className={styles.notice}>
        <strong>Copy the secret now.</strong> You won’t see it again.
      </p>
      <CodeBlock text={secret} label="secret" />
      <p>
        Your software verifies the signature of each message with it: use a library of{' '}
        <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
          Standard Webhooks
        </a>
        .
      </p>
      <div className={styles.buttons}>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}
