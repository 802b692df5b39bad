import { X509Certificate } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { type Config, SettingError } from '../../config.ts';
import { messageOf } from '../../shared/error-message.ts';
import { withLockFile } from './lock-file.ts';

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

/** How long before it expires a self-signed certificate is renewed. */
const RENEW_BEFORE_MS = 30 * 24 * 60 * 60 * 1000;

/** Whether a self-signed certificate must be renewed: it expires within thirty days. */
export function isDueForRenewal({ cert }: TlsMaterial, now: number): boolean {
  return new X509Certificate(cert).validToDate.getTime() - RENEW_BEFORE_MS <= now;
}

/**
 * Returns the self-signed pair of the data directory. Creates it if there is none, or if it is due for renewal.
 * Processes that start together all get the same pair.
 * @throws {SettingError} if it cannot be stored
 */
export async function selfSignedCertificate(config: Config, now: number): Promise<TlsMaterial> {
  const stored = await storedPair(config, now);
  if (stored !== undefined) return stored;
  const created = await createPair(config.host, now);
  try {
    return await withLockFile(`${selfSignedKeyFile(config)}.lock`, async () => {
      const meanwhile = await storedPair(config, now);
      if (meanwhile !== undefined) return meanwhile;
      await replaceFile(selfSignedKeyFile(config), created.key);
      await replaceFile(selfSignedCertificateFile(config), created.cert);
      return created;
    });
  } catch (error) {
    const reason = messageOf(error);
    throw new SettingError(
      `DATA_DIR is "${config.dataDirectory}", where the certificate cannot be stored: ${reason}.`,
    );
  }
}

/** Returns the stored pair; undefined if there is no complete one, or if it is due for renewal. */
async function storedPair(place: DataDirectory, now: number): Promise<TlsMaterial | undefined> {
  try {
    const pair = {
      cert: await readFile(selfSignedCertificateFile(place)),
      key: await readFile(selfSignedKeyFile(place)),
    };
    createSecureContext(pair);
    return isDueForRenewal(pair, now) ? undefined : pair;
  } catch {
    return undefined;
  }
}

const LIFETIME_MS = 825 * 24 * 60 * 60 * 1000;

async function createPair(host: string, now: number): Promise<{ cert: string; key: string }> {
  // Loaded on demand, because loading it takes longer than the rest of startup.
  const { generate } = await import('selfsigned');
  const names = [...new Set(['localhost', hostname(), ...(isIP(host) ? [] : [host])])];
  const addresses = [...new Set(['127.0.0.1', '::1', ...(isIP(host) ? [host] : [])])];
  const pair = await generate([{ name: 'commonName', value: 'Tradepost self-signed' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now),
    notAfterDate: new Date(now + LIFETIME_MS),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...names.map((value) => ({ type: 2 as const, value })),
          ...addresses.map((ip) => ({ type: 7 as const, ip })),
        ],
      },
    ],
  });
  return { cert: pair.cert, key: pair.private };
}

async function replaceFile(file: string, content: string): Promise<void> {
  const draft = `${file}.new`;
  try {
    await writeFile(draft, content, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
