import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createSecureContext } from 'node:tls';
import { type Config, SettingError } from '../../config.ts';
import type { TlsMaterial } from '../connections/server.ts';
import { selfSignedCertificate, selfSignedCertificateFile, selfSignedKeyFile } from './self-signed.ts';

/** Where the certificate and its key are. */
export interface CertificateFiles {
  certificateFile: string;
  keyFile: string;
  /** Whether they are the self-signed pair of the data directory. */
  isSelfSigned: boolean;
}

/** The files that the service serves with; null where a proxy ends TLS. */
export function certificateFiles(config: Config): CertificateFiles | null {
  if (config.tls.mode === 'proxy') return null;
  const { certificateFile, keyFile } = config.tls;
  return certificateFile === null || keyFile === null
    ? {
        certificateFile: selfSignedCertificateFile(config),
        keyFile: selfSignedKeyFile(config),
        isSelfSigned: true,
      }
    : { certificateFile, keyFile, isSelfSigned: false };
}

/**
 * The certificate and key to serve with: the operator's, or a self-signed pair that is made once and
 * kept in the data directory. Null where a proxy ends TLS.
 * @throws {SettingError} when the operator's files cannot be read or do not belong together
 */
export async function loadTls(config: Config, now: number): Promise<TlsMaterial | null> {
  const files = certificateFiles(config);
  if (files === null) return null;
  return files.isSelfSigned ? await selfSignedCertificate(config, now) : await readTls(files);
}

/** @throws {SettingError} when the files cannot be read or do not belong together */
export async function readTls({
  certificateFile,
  keyFile,
  isSelfSigned,
}: CertificateFiles): Promise<TlsMaterial> {
  const [certName, keyName] = isSelfSigned
    ? [basename(certificateFile), basename(keyFile)]
    : ['TLS_CERT_FILE', 'TLS_KEY_FILE'];
  const material = {
    cert: await readNamed(certName, certificateFile),
    key: await readNamed(keyName, keyFile),
  };
  try {
    createSecureContext(material);
  } catch (error) {
    throw new SettingError(
      `${certName} (${certificateFile}) and ${keyName} (${keyFile}) are not a certificate and its key in PEM: ${reasonOf(error)}.`,
    );
  }
  return material;
}

async function readNamed(name: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new SettingError(`${name} is "${file}", which cannot be read: ${reasonOf(error)}.`);
  }
}

/** Why files cannot be read or served, for people. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}
