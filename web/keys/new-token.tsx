import { Button } from '@mantine/core';
import { FirstCall } from '../reference/curl-block.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import styles from './keys.module.css';

/** Shows a new token, which cannot be shown again. */
export function NewTokenPanel({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <div className={styles.form}>
      <p className={styles.notice}>
        <strong>Copy your token now.</strong> You won’t see it again.
      </p>
      <div>
        <h3>Token</h3>
        <CodeBlock text={token} label="token" />
      </div>
      <div>
        <h3>Try it in a terminal</h3>
        <FirstCall token={token} />
      </div>
      <div className={styles.buttons}>
        <LinkButton variant="default" to="/reference">
          Try it in the API reference
        </LinkButton>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}
