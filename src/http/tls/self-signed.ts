import { X509Certificate } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { type Config, SettingError } from '../../config.ts';
import type { TlsMaterial } from '../connections/server.ts';
import { withLockFile } from './lock-file.ts';

type DataDirectory = Pick<Config, 'dataDirectory'>;

/** Where the certificate that the service made for itself is kept. */
export function selfSignedCertificateFile({ dataDirectory }: DataDirectory): string {
  return join(dataDirectory, 'tls-cert.pem');
}

/** Where its key is kept. */
export function selfSignedKeyFile({ dataDirectory }: DataDirectory): string {
  return join(dataDirectory, 'tls-key.pem');
}

/** Whoever trusts the certificate itself gets so long to fetch the one that follows it. */
const RENEW_BEFORE_MS = 30 * 24 * 60 * 60 * 1000;

/** Whether a self-signed certificate is to be made anew: its last thirty days have begun. */
export function isDueForRenewal({ cert }: TlsMaterial, now: number): boolean {
  return new X509Certificate(cert).validToDate.getTime() - RENEW_BEFORE_MS <= now;
}

/**
 * The self-signed pair of the data directory, made if there is none, or none that is good for long.
 * Processes that start together all get the same one.
 * @throws {SettingError} when it cannot be kept
 */
export async function selfSignedCertificate(config: Config, now: number): Promise<TlsMaterial> {
  const kept = await keptPair(config, now);
  if (kept !== undefined) return kept;
  const made = await makePair(config.host, now);
  try {
    return await withLockFile(`${selfSignedKeyFile(config)}.lock`, async () => {
      const meanwhile = await keptPair(config, now);
      if (meanwhile !== undefined) return meanwhile;
      await replaceFile(selfSignedKeyFile(config), made.key);
      await replaceFile(selfSignedCertificateFile(config), made.cert);
      return made;
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw new SettingError(
      `DATA_DIR is "${config.dataDirectory}", where the certificate cannot be kept: ${reason}.`,
    );
  }
}

/** Undefined where there is none yet, half of one, or one that is due for renewal. */
async function keptPair(place: DataDirectory, now: number): Promise<TlsMaterial | undefined> {
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

async function makePair(host: string, now: number): Promise<{ cert: string; key: string }> {
  // Loaded only here: it takes longer than the rest of the start.
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
