/** A user as better-auth returns it. */
export interface AuthUser {
  id: string;
  name: string;
  email: string;
  merchantId: number;
  twoFactorEnabled: boolean;
  role: string;
}

/**
 * The origin of requests to better-auth. It is not the real one, so better-auth does not depend on the `Host` that
 * proxies send. The console checks the origin of requests itself (`consoleGuard`): by `Sec-Fetch-Site`, or by `Origin`
 * if the browser does not send that header.
 */
export const AUTH_ORIGIN = 'https://console.internal';
export const AUTH_PATH = '/console/api/auth';

/** Browsers accept a cookie with the prefix `__Host-` only from the host itself, over HTTPS and for all paths. */
export const COOKIE_PREFIX = '__Host-tradepost';
/** The cookie of a session. */
export const SESSION_COOKIE = `${COOKIE_PREFIX}.session_token`;
