import type { FastifyRequest } from 'fastify';
import type { Exchange } from '../../http/endpoint/authentication.ts';
import { type Realm, type RealmCaller, sessionCookieName } from '../auth/realm.ts';
import { consoleErrors } from '../errors.ts';

type CookieOf = Pick<Realm, 'cookiePrefix'>;

/** Whether a request has the cookie of a realm's session, which may have ended. */
export function hasSessionCookie(realm: CookieOf, { headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers.cookie?.includes(`${sessionCookieName(realm)}=`) ?? false;
}

/** The value of the cookie of a realm's session. @throws {DomainError} without the cookie */
export function sessionCookie(realm: CookieOf, { headers }: Pick<FastifyRequest, 'headers'>): string {
  const prefix = `${sessionCookieName(realm)}=`;
  const cookies = headers.cookie?.split(';').map((cookie) => cookie.trim()) ?? [];
  const found = cookies.find((cookie) => cookie.startsWith(prefix));
  if (found === undefined) throw consoleErrors.session_required();
  return found.slice(prefix.length);
}

interface CurrentSessionOptions<Caller> {
  find(exchange: Exchange): Promise<Caller | undefined>;
  requireReady(caller: Caller): void;
}

/** Finds the session of a request's cookie, and remembers it for the request. */
export class CurrentSession<Caller extends RealmCaller> {
  readonly #options: CurrentSessionOptions<Caller>;
  readonly #found = new WeakMap<FastifyRequest, Promise<Caller | undefined>>();

  constructor(options: CurrentSessionOptions<Caller>) {
    this.#options = options;
  }

  /** Resolves to undefined if there is no valid session. */
  find(exchange: Exchange): Promise<Caller | undefined> {
    const known = this.#found.get(exchange.request);
    if (known !== undefined) return known;
    const found = this.#options.find(exchange);
    this.#found.set(exchange.request, found);
    return found;
  }

  forget(request: FastifyRequest): void {
    this.#found.delete(request);
  }

  /** @throws {DomainError} 401 without a session; 403 as `Realm.requireReady` */
  async require(exchange: Exchange): Promise<Caller> {
    const caller = await this.requireAny(exchange);
    this.#options.requireReady(caller);
    return caller;
  }

  /** Like `require`, but accepts callers who have to do something else first. */
  async requireAny(exchange: Exchange): Promise<Caller> {
    const caller = await this.find(exchange);
    if (caller === undefined) throw consoleErrors.session_required();
    return caller;
  }
}
