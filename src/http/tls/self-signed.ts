import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { type Config, SettingError } from '../../config.ts';
import { messageOf } from '../../shared/error-message.ts';
import { publishFile } from '../../shared/publish-file.ts';
import { createCertificate, createKey, isCertificateKey } from './create-certificate.ts';

/** Both PEM. */
export interface TlsMaterial {
  cert: string | Buffer;
  key: string | Buffer;
}

type DataDirectory = Pick<Config, 'dataDirectory'>;

export function selfSignedCertificateFile({ dataDirectory }: DataDirectory): string {
  return join(dataDirectory, 'tls-cert.pem');
}

export function selfSignedKeyFile({ dataDirectory }: DataDirectory): string {
  return join(dataDirectory, 'tls-key.pem');
}

const RENEW_BEFORE_MS = 30 * 24 * 60 * 60 * 1000;

/** It must be renewed if it expires within thirty days. */
export function isDueForRenewal({ cert }: TlsMaterial, now: number): boolean {
  return new X509Certificate(cert).validToDate.getTime() - RENEW_BEFORE_MS <= now;
}

/**
 * Returns the self-signed pair of the data directory, or creates it if it is missing or due for renewal: in
 * several processes, the same pair. A renewed certificate keeps its key, so that the files match whichever
 * process wrote last.
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

/** Undefined if the file does not exist, empty if it cannot be read. */
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
