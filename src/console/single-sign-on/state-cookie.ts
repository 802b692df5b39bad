import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Realm } from '../auth/realm.ts';
import { cookieOf } from '../sessions/current-session.ts';

function stateCookieName({ cookiePrefix }: Pick<Realm, 'cookiePrefix'>): string {
  return `${cookiePrefix}.single_sign_on`;
}

/** Sent when the provider sends the browser back, and never to scripts. */
export function setStateCookie(
  realm: Pick<Realm, 'cookiePrefix' | 'cookiePath'>,
  { raw }: FastifyReply,
  { value, seconds }: { value: string; seconds: number },
): void {
  const attributes = `Max-Age=${seconds}; Path=${realm.cookiePath}; HttpOnly; Secure; SameSite=Lax`;
  raw.appendHeader('set-cookie', `${stateCookieName(realm)}=${value}; ${attributes}`);
}

export function readStateCookie(
  realm: Pick<Realm, 'cookiePrefix'>,
  request: FastifyRequest,
): string | undefined {
  return cookieOf(request, stateCookieName(realm));
}
