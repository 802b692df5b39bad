import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { type Config, SettingError } from '../../config.ts';
import { messageOf } from '../../shared/error-message.ts';
import { publishFile } from '../../shared/publish-file.ts';
import { createCertificate, createKey, isCertificateKey } from './create-certificate.ts';

/** A certificate and its private key, both PEM. */
export interface TlsMaterial {
  cert: string | Buffer;
  key: string | Buffer;
}

type DataDirectory = Pick<Config, 'dataDirectory'>;

/** Returns the path of the self-signed certificate. */
export function selfSignedCertificateFile({ dataDirectory }: DataDirectory): string {
  return join(dataDirectory, 'tls-cert.pem');
}

/** Returns the path of the self-signed certificate's key. */
export function selfSignedKeyFile({ dataDirectory }: DataDirectory): string {
  return join(dataDirectory, 'tls-key.pem');
}

/** How long before its expiration a self-signed certificate is renewed. */
const RENEW_BEFORE_MS = 30 * 24 * 60 * 60 * 1000;

/** Whether a self-signed certificate must be renewed: it expires within thirty days. */
export function isDueForRenewal({ cert }: TlsMaterial, now: number): boolean {
  return new X509Certificate(cert).validToDate.getTime() - RENEW_BEFORE_MS <= now;
}

/**
 * Returns the self-signed pair of the data directory. Creates it if there is none, or if it is due for renewal.
 * Processes that create it together all get the same pair. A renewed certificate keeps its key, so that the two files match
 * even if several processes renew it at once: the last certificate stays.
 * @throws {SettingError} if it cannot be stored
 */
export async function selfSignedCertificate(config: Config, now: number): Promise<TlsMaterial> {
  const [certificateFile, keyFile] = [selfSignedCertificateFile(config), selfSignedKeyFile(config)];
  const stored = { cert: await readStored(certificateFile), key: await readStored(keyFile) };
  if (isUsablePair(stored, now)) return stored;
  try {
    const key = isCertificateKey(stored.key)
      ? stored.key
      : await publishFile(keyFile, createKey(), { replace: stored.key !== undefined });
    const cert = await createCertificate(key, config.host, now);
    return { cert: await publishFile(certificateFile, cert, { replace: stored.cert !== undefined }), key };
  } catch (error) {
    const reason = messageOf(error);
    throw new SettingError(
      `DATA_DIR is "${config.dataDirectory}", where the certificate cannot be stored: ${reason}.`,
    );
  }
}

/** The content of a stored file: undefined if it does not exist, empty if it cannot be read. */
type Stored = Buffer | undefined;

async function readStored(file: string): Promise<Stored> {
  return await readFile(file).catch((error) => (error.code === 'ENOENT' ? undefined : Buffer.alloc(0)));
}

function isUsablePair(
  pair: { cert: Stored; key: Stored },
  now: number,
): pair is { cert: Buffer; key: Buffer } {
  const { cert, key } = pair;
  if (cert === undefined || key === undefined) return false;
  try {
    createSecureContext({ cert, key });
    return !isDueForRenewal({ cert, key }, now);
  } catch {
    return false;
  }
}
