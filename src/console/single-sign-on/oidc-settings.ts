/** An identity provider that signs people in (OpenID Connect), and what its claims mean. */
export interface OidcSettings {
  /** As the provider states it. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Completes “Sign in with …”. */
  name: string;
  /** The claim that has the role. */
  roleClaim: string;
  /** The claim that has the merchant; null for operators. */
  merchantClaim: string | null;
  /** Whether passwords are off. */
  only: boolean;
}

/** The message names the setting and what was expected. It never has the secret. */
export class OidcSettingsError extends Error {
  override name = 'OidcSettingsError';
}

const DEFAULT_NAME = 'single sign-on';

/**
 * Reads the settings whose names begin with `prefix`. Returns null if none is set.
 * @throws {OidcSettingsError} for an invalid setting, and if one is missing
 */
export function parseOidcSettings(
  read: (name: string, fallback: string) => string,
  prefix: 'OIDC_' | 'MERCHANT_OIDC_',
): OidcSettings | null {
  const isMerchants = prefix === 'MERCHANT_OIDC_';
  const of = (name: string, fallback = ''): string => read(`${prefix}${name}`, fallback);
  const required = [of('ISSUER'), of('CLIENT_ID'), of('CLIENT_SECRET')] as const;
  const [issuer, clientId, clientSecret] = required;
  const only = of('ONLY', 'off');
  if (only !== 'on' && only !== 'off')
    throw new OidcSettingsError(`${prefix}ONLY is "${only}": expected one of on, off.`);
  if (required.every((value) => value === '')) {
    const further = ['NAME', 'ROLE_CLAIM', 'MERCHANT_CLAIM'].find((name) => of(name) !== '');
    if (only === 'off' && further === undefined) return null;
    throw new OidcSettingsError(
      `${prefix}${further ?? 'ONLY'} is set, but no provider: set ${prefix}ISSUER, ${prefix}CLIENT_ID and ${prefix}CLIENT_SECRET too.`,
    );
  }
  if (required.includes('')) {
    throw new OidcSettingsError(
      `${prefix}ISSUER, ${prefix}CLIENT_ID and ${prefix}CLIENT_SECRET belong together: set all or none of them.`,
    );
  }
  return {
    issuer: parseIssuer(`${prefix}ISSUER`, issuer),
    clientId,
    clientSecret,
    name: of('NAME', DEFAULT_NAME),
    roleClaim: of('ROLE_CLAIM', isMerchants ? 'tradepost_merchant_role' : 'tradepost_role'),
    merchantClaim: isMerchants ? of('MERCHANT_CLAIM', 'tradepost_merchant') : null,
    only: only === 'on',
  };
}

function parseIssuer(name: string, value: string): string {
  const url = URL.parse(value);
  const isAllowed =
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname));
  if (isAllowed && url.search === '' && url.hash === '' && url.username === '' && url.password === '')
    return value;
  throw new OidcSettingsError(
    `${name} is "${value}": expected the https:// address of an identity provider, such as https://login.example. Only a provider on this machine may have http://.`,
  );
}
