/** A user as better-auth knows them. */
export interface AuthUser {
  id: string;
  name: string;
  email: string;
  merchantId: number;
  twoFactorEnabled: boolean;
}

/**
 * Requests are handed on as if they were for this address: whether they came from the console's own pages
 * is decided before, by what the browser says and not by what proxies make of `Host`.
 */
export const AUTH_ORIGIN = 'https://console.internal';
export const AUTH_PATH = '/console/api/auth';

/** A browser takes cookies of this name only from this host itself, over HTTPS and for all of its paths. */
export const COOKIE_PREFIX = '__Host-tradepost';
/** The one that a session is in. */
export const SESSION_COOKIE = `${COOKIE_PREFIX}.session_token`;
