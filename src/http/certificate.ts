import { X509Certificate } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { type Config, SettingError } from '../config.ts';
import type { TlsMaterial } from './server.ts';

/** Where the certificate that the service made for itself is kept. */
export function ownCertificateFile(config: Pick<Config, 'dataDirectory'>): string {
  return join(config.dataDirectory, 'tls-cert.pem');
}

/**
 * The certificate and key to serve with: the operator's, or a self-signed pair that is made once and
 * kept in the data directory. Null where a proxy ends TLS.
 * @throws {SettingError} when the operator's files cannot be read or do not belong together
 */
export async function loadTls(config: Config, now: number): Promise<TlsMaterial | null> {
  if (config.tls.mode === 'proxy') return null;
  const { certificateFile, keyFile } = config.tls;
  if (certificateFile === null || keyFile === null) return await ownCertificate(config, now);
  const material = {
    cert: await readSetting('TLS_CERT_FILE', certificateFile),
    key: await readSetting('TLS_KEY_FILE', keyFile),
  };
  try {
    createSecureContext(material);
  } catch (error) {
    throw new SettingError(
      `TLS_CERT_FILE (${certificateFile}) and TLS_KEY_FILE (${keyFile}) are not a certificate and its key in PEM: ${reasonOf(error)}.`,
    );
  }
  return material;
}

async function readSetting(name: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new SettingError(`${name} is "${file}", which cannot be read: ${reasonOf(error)}.`);
  }
}

async function ownCertificate(config: Config, now: number): Promise<TlsMaterial> {
  const certificateFile = ownCertificateFile(config);
  const keyFile = join(config.dataDirectory, 'tls-key.pem');
  try {
    const material = { cert: await readFile(certificateFile), key: await readFile(keyFile) };
    createSecureContext(material);
    if (new X509Certificate(material.cert).validToDate.getTime() > now) return material;
  } catch {
    // None yet, or half of one: a new pair takes its place.
  }
  const material = await makeCertificate(config.host, now);
  try {
    await replaceFile(keyFile, material.key);
    await replaceFile(certificateFile, material.cert);
  } catch (error) {
    throw new SettingError(
      `DATA_DIR is "${config.dataDirectory}", where the certificate cannot be kept: ${reasonOf(error)}.`,
    );
  }
  return material;
}

const LIFETIME_MS = 825 * 24 * 60 * 60 * 1000;

async function makeCertificate(host: string, now: number): Promise<{ cert: string; key: string }> {
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
  const draft = `${file}.${process.pid}`;
  try {
    await writeFile(draft, content, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
