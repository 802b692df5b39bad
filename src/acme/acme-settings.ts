import { SettingError } from '../shared/setting-error.ts';

/** The authority that issues the certificate (ACME, RFC 8555), and what it is asked for. */
export interface AcmeSettings {
  /** The `https://` URL of its directory. */
  directory: string;
  /** What the certificate is valid for: in lower case, sorted, and not empty. */
  hosts: readonly string[];
  /** The contact of the account; null for none. */
  email: string | null;
  /** The root certificates, in PEM, of the authority's own server; null for those that Node.js trusts. */
  caFile: string | null;
}

/** The settings as they are written; blank if they are not set and have no default. */
export interface AcmeValues {
  hosts: string;
  directory: string;
  email: string;
  caFile: string;
  acceptsTerms: boolean;
}

export const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory';
/** As many as Let's Encrypt puts into a certificate. */
const MAX_HOSTS = 100;
const HOST = /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/;
const EMAIL = /^[\x21-\x7e]+@[\x21-\x7e]+$/;

/**
 * `publicHost` is the host of PUBLIC_URL, for which the certificate is if ACME_HOSTS is not set.
 * @throws {SettingError} for an invalid setting, and if one is missing
 */
export function parseAcmeSettings(
  { hosts, directory, email, caFile, acceptsTerms }: AcmeValues,
  publicHost: string | null,
): AcmeSettings {
  const settings = {
    directory: parseDirectory(directory),
    hosts: parseHosts(hosts, publicHost),
    email: email === '' ? null : parseEmail(email),
    caFile: caFile === '' ? null : caFile,
  };
  if (acceptsTerms) return settings;
  throw new SettingError(
    'TLS is "acme", which needs your consent to the terms of service of the certificate authority: read them, and set ACME_ACCEPT_TERMS to on.',
  );
}

function parseDirectory(value: string): string {
  const url = URL.parse(value);
  if (url?.protocol === 'https:' && url.username + url.password + url.hash === '') return url.href;
  // Leaves out the value, which may contain a password.
  throw new SettingError(
    `ACME_DIRECTORY cannot be used: expected the https:// address of a directory without a user, such as ${LETS_ENCRYPT}.`,
  );
}

function parseHosts(value: string, publicHost: string | null): string[] {
  if (value === '' && publicHost === null)
    throw new SettingError(
      'TLS is "acme", which needs the names that the certificate is for: set ACME_HOSTS or PUBLIC_URL.',
    );
  const [name, text] = value === '' ? ['PUBLIC_URL', publicHost ?? ''] : ['ACME_HOSTS', value];
  const hosts = text
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
  const unusable = hosts.find((host) => !HOST.test(host));
  if (unusable !== undefined)
    throw new SettingError(
      `${name} has "${unusable}": with TLS=acme, expected host names separated by commas, such as shop.example, without addresses and wildcards.`,
    );
  const unique = [...new Set(hosts)].sort();
  if (unique.length > 0 && unique.length <= MAX_HOSTS) return unique;
  throw new SettingError(`ACME_HOSTS has ${unique.length} names: expected from 1 to ${MAX_HOSTS}.`);
}

function parseEmail(value: string): string {
  if (EMAIL.test(value) && !/[,?]/.test(value)) return value;
  throw new SettingError(`ACME_EMAIL is "${value}": expected an email address, such as admin@shop.example.`);
}
