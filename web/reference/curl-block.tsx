import { useSession } from '../session/session.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { CertificateLink } from './certificate-link.tsx';
import { type ApiRequest, curlCommand } from './curl.ts';
import styles from './curl-block.module.css';

/** A request as a `curl` command. Show a `CertificateNote` on the same page. */
export function CurlBlock({ request, label }: { request: ApiRequest; label: string }) {
  return <CodeBlock text={curlCommand(request, useSession())} label={label} />;
}

/** A link to the self-signed certificate, which `curl` needs. Renders nothing for another certificate. */
export function CertificateNote() {
  return <CertificateLink certificate={useSession().certificate} />;
}

/** The `curl` command that lists the first products. */
export function FirstCall({ token }: { token: string }) {
  const { api_url: apiUrl } = useSession();
  const headers = { Authorization: `Bearer ${token}` };
  return (
    <div className={styles.firstCall}>
      <CurlBlock
        request={{ method: 'GET', url: `${apiUrl}/products?per_page=2`, headers }}
        label="curl command"
      />
      <CertificateNote />
    </div>
  );
}
