import { FirstCall } from '../reference/first-call.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { DialogResult } from '../ui/dialog-form.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Notice } from '../ui/notice.tsx';
import styles from './keys.module.css';

/** Shows a new token, which cannot be shown again. */
export function NewTokenPanel({ token, onDone }: { token: string; onDone: () => void }) {
  const more = (
    <LinkButton variant="default" to="/reference">
      Try it in the API reference
    </LinkButton>
  );
  return (
    <DialogResult onDone={onDone} more={more}>
      <Notice>
        <strong>Copy your token now.</strong> You won’t see it again.
      </Notice>
      <div className={styles.part}>
        <h3>Token</h3>
        <CodeBlock text={token} label="token" />
      </div>
      <div className={styles.part}>
        <h3>Try it in a terminal</h3>
        <FirstCall token={token} />
      </div>
    </DialogResult>
  );
}
