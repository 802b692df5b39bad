import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createSecureContext } from 'node:tls';
import { type Config, SettingError } from '../../config.ts';
import { messageOf } from '../../shared/error-message.ts';
import {
  selfSignedCertificate,
  selfSignedCertificateFile,
  selfSignedKeyFile,
  type TlsMaterial,
} from './self-signed.ts';

export interface CertificateFiles {
  certificateFile: string;
  keyFile: string;
  isSelfSigned: boolean;
}

/** Returns null if a proxy terminates TLS. With TLS=acme, they are served before the first certificate. */
export function certificateFiles(config: Config): CertificateFiles | null {
  const { tls } = config;
  if (tls.mode === 'proxy') return null;
  if (tls.mode === 'own' && tls.certificateFile !== null && tls.keyFile !== null)
    return { certificateFile: tls.certificateFile, keyFile: tls.keyFile, isSelfSigned: false };
  return {
    certificateFile: selfSignedCertificateFile(config),
    keyFile: selfSignedKeyFile(config),
    isSelfSigned: true,
  };
}

/**
 * Loads the certificate and key: the operator's, or a self-signed pair that is created once and kept in the
 * data directory. Null if a proxy terminates TLS.
 * @throws {SettingError} if the operator's files cannot be read or do not match, or if the self-signed pair
 *   cannot be stored
 */
export async function loadTls(config: Config, now: number): Promise<TlsMaterial | null> {
  const files = certificateFiles(config);
  if (files === null) return null;
  return files.isSelfSigned ? await selfSignedCertificate(config, now) : await readTls(files);
}

/** Reads a certificate and key. @throws {SettingError} if the files cannot be read or do not match */
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
      `${certName} (${certificateFile}) and ${keyName} (${keyFile}) are not a certificate and its key in PEM: ${messageOf(error)}.`,
    );
  }
  return material;
}

async function readNamed(name: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new SettingError(`${name} is "${file}", which cannot be read: ${messageOf(error)}.`);
  }
}

/**
 * Returns a self-signed certificate as PEM, for clients to trust it; null if the service serves another one,
 * or is about to get one from an authority, or if a proxy terminates TLS.
 */
export async function readSelfSigned(config: Parameters<typeof certificateFiles>[0]): Promise<string | null> {
  if (config.tls.mode === 'acme') return null;
  const files = certificateFiles(config);
  return files?.isSelfSigned ? await readFile(files.certificateFile, 'utf8').catch(() => null) : null;
}
