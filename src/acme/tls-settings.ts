import { resolve } from 'node:path';
import { SettingError } from '../shared/setting-error.ts';
import { oneOf } from '../shared/setting-values.ts';
import { type AcmeSettings, type AcmeValues, parseAcmeSettings } from './acme-settings.ts';

/** Where the certificate comes from. The files are null for a self-signed one. */
export type TlsSettings =
  | { mode: 'own'; certificateFile: string | null; keyFile: string | null }
  | { mode: 'acme'; acme: AcmeSettings }
  | { mode: 'proxy' };

interface TlsValues {
  certificateFile: string;
  keyFile: string;
  acme: AcmeValues;
}

/** @throws {SettingError} for an invalid setting, and if one is missing or does not fit the others */
export function parseTlsSettings(
  mode: string,
  { certificateFile, keyFile, acme }: TlsValues,
  publicUrl: string | null,
): TlsSettings {
  const known = oneOf<TlsSettings['mode']>('TLS', mode, ['own', 'acme', 'proxy']);
  if ((certificateFile === '') !== (keyFile === ''))
    throw new SettingError('TLS_CERT_FILE and TLS_KEY_FILE belong together: set both or neither.');
  if (known === 'own')
    return { mode: known, certificateFile: certificateFile || null, keyFile: keyFile || null };
  if (certificateFile !== '') {
    const reason = known === 'proxy' ? 'needs no certificate' : 'gets the certificate from an authority';
    throw new SettingError(`TLS is "${known}", which ${reason}: unset TLS_CERT_FILE and TLS_KEY_FILE.`);
  }
  if (known === 'proxy') return { mode: known };
  const settings = parseAcmeSettings(acme, publicUrl === null ? null : new URL(publicUrl).hostname);
  return { mode: known, acme: { ...settings, caFile: settings.caFile && resolve(settings.caFile) } };
}
