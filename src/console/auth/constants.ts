export interface AuthUser {
  id: string;
  name: string;
  email: string;
  merchantId: number;
  twoFactorEnabled: boolean;
  role: string;
}

/** Not the real origin, so that better-auth ignores the `Host` of proxies. `consoleGuard` checks origins. */
export const AUTH_ORIGIN = 'https://console.internal';
export const AUTH_PATH = '/console/api/auth';

/** Browsers accept the prefix `__Host-` only from the host itself, over HTTPS and for all paths. */
export const COOKIE_PREFIX = '__Host-tradepost';
export const SESSION_COOKIE = `${COOKIE_PREFIX}.session_token`;
