import { readSecretFile } from './secret-files.ts';

export const settingSources = ['environment', 'file', 'default'] as const;

/** A setting as it is in effect, for people. */
export interface SettingInEffect {
  name: string;
  /** As text, with hidden secrets; null if it is not set and has no default, or is a secret. */
  value: string | null;
  source: (typeof settingSources)[number];
  is_secret: boolean;
}

/** Their values are never shown. */
const SECRETS: readonly string[] = [
  'OIDC_CLIENT_SECRET',
  'MERCHANT_OIDC_CLIENT_SECRET',
  'BACKUP_KEY',
  'BACKUP_S3_SECRET_ACCESS_KEY',
];

/** Their values can contain a password, which is never shown. */
const WITH_SECRET: readonly string[] = [
  'DATABASE_URL',
  'SMTP_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
];

/** Each can also be stated in a file: `NAME_FILE`, or a credential of systemd. */
export const secretSettings: readonly string[] = [...SECRETS, ...WITH_SECRET];

const HIDDEN = '***';

/** A file that a secret was read from. */
export interface SecretSource {
  name: string;
  path: string;
}

/** Reads settings, and remembers each one as it is in effect. */
export class TextSettings {
  /** In the order in which they were read. Contains no secrets. */
  readonly inEffect: SettingInEffect[] = [];
  /** Files that secrets were read from. */
  readonly secretFiles: SecretSource[] = [];
  readonly #environment: Readonly<Record<string, string | undefined>>;

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment;
  }

  /**
   * Returns the setting without spaces around it, or `fallback` if it is not set or blank. A secret can also
   * be in a file.
   * @throws {SettingError} if the file of a secret cannot be used, or the secret is stated twice
   */
  read(name: string, fallback: string): string {
    const file = secretSettings.includes(name) ? readSecretFile(this.#environment, name) : null;
    if (file !== null && file.namedBy !== null)
      this.secretFiles.push({ name: file.namedBy, path: file.path });
    const value = file?.value ?? (this.#environment[name]?.trim() || fallback);
    const isSecret = SECRETS.includes(name);
    this.inEffect.push({
      name,
      value: isSecret || value === '' ? null : withoutCredentials(value),
      source: file !== null ? 'file' : this.isSet(name) ? 'environment' : 'default',
      is_secret: isSecret,
    });
    return value;
  }

  /** Whether the environment states it. */
  isSet(name: string): boolean {
    return Boolean(this.#environment[name]?.trim());
  }
}

/** Hides the user and the password of a URL, and all values in its query. */
function withoutCredentials(value: string): string {
  // `http:user@host` is a URL with a user, too.
  const url = URL.parse(value);
  const text = url !== null && url.username + url.password !== '' ? url.href : value;
  const [, scheme, credentials, place = '', query] =
    /^([a-z][a-z\d+.-]*:\/\/)([^/?#]*@)?([^?]*)(\?.*)?$/is.exec(text) ?? [];
  if (scheme === undefined) return value;
  const user = credentials === undefined ? '' : `${HIDDEN}@`;
  return `${scheme}${user}${place}${query?.replaceAll(/=[^&]*/g, `=${HIDDEN}`) ?? ''}`;
}
