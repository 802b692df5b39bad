import { Button } from '@mantine/core';
import { CodeBlock } from '../feedback/code-block.tsx';
import { firstCall } from '../reference/curl.ts';
import { useSession } from '../session/session.ts';
import { LinkButton } from '../shell/link-button.tsx';
import styles from './keys.module.css';

/** The only time that a token is seen. */
export function NewTokenShown({ token, onDone }: { token: string; onDone: () => void }) {
  const { api_url: apiUrl } = useSession();
  return (
    <div className={styles.form}>
      <p className={styles.once}>
        <strong>Copy it now.</strong> It is shown this once; only a fingerprint of it is kept here.
      </p>
      <div>
        <h3>Token</h3>
        <CodeBlock text={token} what="the token" />
      </div>
      <div>
        <h3>Try it in a terminal</h3>
        <CodeBlock text={firstCall(apiUrl, token)} what="the curl line" />
      </div>
      <div className={styles.buttons}>
        <LinkButton variant="default" to="/reference">
          Try it in the API reference
        </LinkButton>
        <Button onClick={onDone}>I have copied it</Button>
      </div>
    </div>
  );
}
