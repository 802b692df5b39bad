import { CERTIFICATE_FILE } from './curl.ts';

/** A link to a self-signed certificate, which `curl` needs. Renders nothing without one. */
export function CertificateLink({ certificate }: { certificate: string | null }) {
  return (
    certificate !== null && (
      <p className="muted small">
        The certificate is self-signed. For curl,{' '}
        <a
          href={`data:application/x-pem-file,${encodeURIComponent(certificate)}`}
          download={CERTIFICATE_FILE}
        >
          download {CERTIFICATE_FILE}
        </a>{' '}
        to your working directory.
      </p>
    )
  );
}
