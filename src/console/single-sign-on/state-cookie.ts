import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Realm } from '../auth/realm.ts';
import { cookieOf } from '../sessions/current-session.ts';

/** `__Host-` in both realms, so that no other host of the domain can plant a state. It needs the path `/`. */
function stateCookieName({ cookiePrefix }: Pick<Realm, 'cookiePrefix'>): string {
  return `${cookiePrefix.replace('__Secure-', '__Host-')}.single_sign_on`;
}

/** Sent when the provider sends the browser back, and never to scripts. */
export function setStateCookie(
  realm: Pick<Realm, 'cookiePrefix'>,
  { raw }: FastifyReply,
  { value, seconds }: { value: string; seconds: number },
): void {
  const attributes = `Max-Age=${seconds}; Path=/; HttpOnly; Secure; SameSite=Lax`;
  raw.appendHeader('set-cookie', `${stateCookieName(realm)}=${value}; ${attributes}`);
}

export function readStateCookie(
  realm: Pick<Realm, 'cookiePrefix'>,
  request: FastifyRequest,
): string | undefined {
  return cookieOf(request, stateCookieName(realm));
}
