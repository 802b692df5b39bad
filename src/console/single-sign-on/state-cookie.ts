import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Realm } from '../auth/realm.ts';
import { cookieOf } from '../sessions/current-session.ts';

type Purpose = 'single_sign_on' | 'passkey';

/** `__Host-` in both realms, so that no other host of the domain can plant a state. It needs the path `/`. */
function stateCookieName({ cookiePrefix }: Pick<Realm, 'cookiePrefix'>, purpose: Purpose): string {
  return `${cookiePrefix.replace('__Secure-', '__Host-')}.${purpose}`;
}

/** Binds a sign-in to the browser that began it. Never sent to scripts. */
export function setStateCookie(
  realm: Pick<Realm, 'cookiePrefix'>,
  { raw }: FastifyReply,
  { purpose, value, seconds }: { purpose: Purpose; value: string; seconds: number },
): void {
  const attributes = `Max-Age=${seconds}; Path=/; HttpOnly; Secure; SameSite=Lax`;
  raw.appendHeader('set-cookie', `${stateCookieName(realm, purpose)}=${value}; ${attributes}`);
}

export function readStateCookie(
  realm: Pick<Realm, 'cookiePrefix'>,
  request: FastifyRequest,
  purpose: Purpose,
): string | undefined {
  return cookieOf(request, stateCookieName(realm, purpose));
}
