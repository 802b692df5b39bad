import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readAcmeState } from '../../acme/acme-store.ts';
import type { Config } from '../../config.ts';
import type { Reader } from '../../database/database.ts';
import { certificateFiles } from '../../http/tls/files.ts';
import { formatTime } from '../../shared/timestamps.ts';

export interface ServedCertificate {
  subject: string;
  issuer: string;
  /** The names and addresses that it is valid for, as in `DNS:shop.example`. */
  names: string[];
  valid_from: string;
  valid_to: string;
  /** Whether the service has created it. */
  self_signed: boolean;
}

/** Resolves to null if a proxy terminates TLS, or the file has no certificate. */
export async function readCertificate(
  config: Config,
  database: Pick<Reader, 'first'>,
): Promise<ServedCertificate | null> {
  const files = certificateFiles(config);
  if (files === null) return null;
  const stored = config.tls.mode === 'acme' ? (await readAcmeState(database)).certificate : null;
  try {
    const certificate = new X509Certificate(stored?.certificate ?? (await readFile(files.certificateFile)));
    return {
      subject: onOneLine(certificate.subject),
      issuer: onOneLine(certificate.issuer),
      names: certificate.subjectAltName?.split(', ') ?? [],
      valid_from: formatTime(certificate.validFromDate.getTime()),
      valid_to: formatTime(certificate.validToDate.getTime()),
      self_signed: files.isSelfSigned && stored === null,
    };
  } catch {
    // The finding of `doctor` says why.
    return null;
  }
}

/** Node.js separates the parts of a name with line breaks. */
function onOneLine(name: string | undefined): string {
  return (name ?? '').split('\n').join(', ');
}
