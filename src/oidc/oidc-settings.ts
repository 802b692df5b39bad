import { SettingError } from '../shared/setting-error.ts';
import { isEncryptedOrLocal } from '../shared/setting-values.ts';

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

/** The settings as they are written, or their defaults; the first three are blank if they are not set. */
export interface OidcValues {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  roleClaim: string;
  /** Only of merchants. */
  merchantClaim?: string;
  only: boolean;
  /** Whether the name or a claim is set. */
  isStated: boolean;
}

/**
 * Returns null if nothing is set. `prefix` is before the names of the settings.
 * @throws {SettingError} for an invalid setting, and if one is missing
 */
export function parseOidcSettings(
  prefix: 'OIDC_' | 'MERCHANT_OIDC_',
  { issuer, clientId, clientSecret, name, roleClaim, merchantClaim, only, isStated }: OidcValues,
): OidcSettings | null {
  const provider = [issuer, clientId, clientSecret];
  if (provider.every((value) => value === '')) {
    if (!only && !isStated) return null;
    throw new SettingError(
      `There are settings that begin with ${prefix}, but no provider: set ${prefix}ISSUER, ${prefix}CLIENT_ID and ${prefix}CLIENT_SECRET too.`,
    );
  }
  if (provider.includes('')) {
    throw new SettingError(
      `${prefix}ISSUER, ${prefix}CLIENT_ID and ${prefix}CLIENT_SECRET belong together: set all or none of them.`,
    );
  }
  return {
    issuer: parseIssuer(`${prefix}ISSUER`, issuer),
    clientId,
    clientSecret,
    name,
    roleClaim,
    merchantClaim: merchantClaim ?? null,
    only,
  };
}

function parseIssuer(name: string, value: string): string {
  const url = URL.parse(value);
  if (
    url !== null &&
    isEncryptedOrLocal(url) &&
    [url.search, url.hash, url.username, url.password].every((part) => part === '')
  )
    return value;
  throw new SettingError(
    `${name} is "${value}": expected the https:// address of an identity provider, such as https://login.example. Only a provider on this machine may have http://.`,
  );
}
