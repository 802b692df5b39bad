/** A setting as it is in effect, for people. */
export interface SettingInEffect {
  name: string;
  /** As text, with hidden secrets; null if it is not set and has no default, or is a secret. */
  value: string | null;
  source: 'environment' | 'default';
  is_secret: boolean;
}

const SECRET = /SECRET|PASSWORD|TOKEN/;
const HIDDEN = '***';

/** Reads settings, and remembers each one as it is in effect. */
export class TextSettings {
  /** In the order in which they were read. Contains no secrets. */
  readonly inEffect: SettingInEffect[] = [];
  readonly #environment: Readonly<Record<string, string | undefined>>;

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment;
  }

  /** Returns the setting without spaces around it, or `fallback` if it is not set or blank. */
  read(name: string, fallback: string): string {
    const value = this.#environment[name]?.trim() || fallback;
    const isSecret = SECRET.test(name);
    this.inEffect.push({
      name,
      value: isSecret || value === '' ? null : withoutCredentials(value),
      source: this.isSet(name) ? 'environment' : 'default',
      is_secret: isSecret,
    });
    return value;
  }

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
