import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../errors/domain-error.ts';
import type { Exchange } from '../../http/endpoint/authentication.ts';
import { type Realm, type RealmCaller, sessionCookieName } from '../auth/realm.ts';
import { consoleErrors } from '../errors.ts';

type CookieOf = Pick<Realm, 'cookiePrefix' | 'visitors'>;
type WithHeaders = Pick<FastifyRequest, 'headers'>;

/** Whether a request has the cookie of a realm's session, which may have ended, or of a visitor. */
export function hasSessionCookie(realm: CookieOf, { headers }: WithHeaders): boolean {
  const names = [sessionCookieName(realm), ...(realm.visitors === undefined ? [] : [realm.visitors.cookie])];
  return names.some((name) => headers.cookie?.includes(`${name}=`));
}

/** The value of a cookie; undefined without it. */
export function cookieOf({ headers }: WithHeaders, name: string): string | undefined {
  const cookies = headers.cookie?.split(';').map((cookie) => cookie.trim()) ?? [];
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** The value of the cookie of a realm's session. @throws {DomainError} without the cookie */
export function sessionCookie(realm: Pick<Realm, 'cookiePrefix'>, request: WithHeaders): string {
  const cookie = cookieOf(request, sessionCookieName(realm));
  if (cookie === undefined) throw consoleErrors.session_required();
  return cookie;
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

  /** Like `find`, but also resolves to undefined for one that has ended, such as a support view. */
  async findOpen(exchange: Exchange): Promise<Caller | undefined> {
    try {
      return await this.find(exchange);
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
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
