import { CertificateLink } from '../../reference/certificate-link.tsx';
import { curlCommand } from '../../reference/curl.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { DialogResult } from '../../ui/dialog-form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSession } from '../session.ts';
import styles from './merchants.module.css';

/** Shows a new token, which cannot be shown again, and a command that uses it. */
export function NewKey({ token, onDone }: { token: string; onDone: () => void }) {
  const { api_url: apiUrl, certificate } = useSession();
  const request = { method: 'GET', url: `${apiUrl}/account`, headers: { Authorization: `Bearer ${token}` } };
  return (
    <DialogResult onDone={onDone}>
      <Notice>
        <strong>Copy the token now.</strong> You won’t see it again.
      </Notice>
      <div className={styles.part}>
        <h3>Token</h3>
        <CodeBlock text={token} label="token" />
      </div>
      <div className={styles.part}>
        <h3>Try it in a terminal</h3>
        <CodeBlock text={curlCommand(request, { certificate })} label="curl command" />
        <CertificateLink certificate={certificate} />
      </div>
    </DialogResult>
  );
}
