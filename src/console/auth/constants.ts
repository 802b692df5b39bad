/** Not the real origin, so that better-auth ignores the `Host` of proxies. `consoleGuard` checks origins. */
export const AUTH_ORIGIN = 'https://console.internal';
/** Where better-auth believes to be, in every realm. */
export const AUTH_PATH = '/auth';
