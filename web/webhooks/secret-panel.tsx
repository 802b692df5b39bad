import { CodeBlock } from '../ui/code-block.tsx';
import { DialogResult } from '../ui/dialog-form.tsx';
import { Notice } from '../ui/notice.tsx';

/** Shows a new secret, which cannot be shown again. */
export function SecretPanel({ secret, onDone }: { secret: string; onDone: () => void }) {
  return (
    <DialogResult onDone={onDone}>
      <Notice>
        <strong>Copy the secret now.</strong> You won’t see it again.
      </Notice>
      <CodeBlock text={secret} label="secret" />
      <p>
        Your software verifies the signature of each message with it: use a library of{' '}
        <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
          Standard Webhooks
        </a>
        .
      </p>
    </DialogResult>
  );
}
