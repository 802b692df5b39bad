import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { type Config, SettingError } from '../config.ts';
import { ownCertificate } from './own-certificate.ts';
import type { TlsMaterial } from './server.ts';

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

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
