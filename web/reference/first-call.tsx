import { useSession } from '../session/session.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CertificateLink } from './certificate-link.tsx';
import { curlCommand } from './curl.ts';
import styles from './first-call.module.css';

/** The `curl` command that lists the first products. */
export function FirstCall({ token }: { token: string }) {
  const { api_url: apiUrl, certificate } = useSession();
  const headers = { Authorization: `Bearer ${token}` };
  const request = { method: 'GET', url: `${apiUrl}/products?per_page=2`, headers };
  return (
    <div className={styles.firstCall}>
      <CodeBlock text={curlCommand(request, { certificate })} label="curl command" />
      <CertificateLink certificate={certificate} />
    </div>
  );
}
