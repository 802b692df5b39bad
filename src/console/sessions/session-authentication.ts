import type { Scope } from '../../api-keys/scopes.ts';
import type { ConcurrentUse } from '../../budgets/concurrent-use.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import type { Authentication, EndpointCaller, Exchange } from '../../http/endpoint/authentication.ts';
import { actorOfRequest, type Sessions } from '../../http/endpoint/key-or-session.ts';
import { readRawParameters } from '../../http/parameters/read.ts';
import { contextOf } from '../../http/request-context.ts';
import { isAtLeast, type Role } from '../../users/role.ts';
import type { Realm, RealmCaller } from '../auth/realm.ts';
import { consoleErrors } from '../errors.ts';
import { requireOwnPages } from '../guard.ts';
import { consoleHeaders } from '../headers.ts';
import type { ConsoleCaller } from './console-callers.ts';
import { type CurrentSession, hasSessionCookie, sessionCookie } from './current-session.ts';
import { SHOP_PARAMETER } from './shop-header.ts';
import { requireShopOfPage } from './shop-of-page.ts';

export interface SessionServices<Caller extends RealmCaller> {
  realm: Pick<Realm, 'cookiePrefix' | 'visitors'> & Pick<Realm<Caller>, 'inTestData'>;
  database: Pick<Database, 'first'>;
  config: Pick<Config, 'publicUrl' | 'trustedProxies'>;
  currentSession: CurrentSession<Caller>;
  unreadBytes: ConcurrentUse;
}

/**
 * The callers of a realm's own endpoints. Only the address's rate limit applies to them. `requireRole` throws
 * unless a caller has at least a role.
 */
export function sessionAuthentication<Caller extends RealmCaller, Least extends string>(
  services: SessionServices<Caller>,
  requireRole: (caller: Caller, least: Least) => void,
): Authentication<Caller, Least> {
  const authenticate = async (exchange: Exchange): Promise<Caller> => {
    const caller = await requireCaller(services, exchange);
    return { ...caller, who: actorOfRequest(exchange.request, caller.who) };
  };
  return {
    acceptsTokenParameter: false,
    readParameters: async (request, options) => {
      const sent = await readRawParameters(request, options);
      // A proxy may send a token of its own in the header.
      sent.delete('access_token');
      sent.delete(SHOP_PARAMETER);
      return { sent };
    },
    authenticate,
    authenticateBeforePostData: authenticate,
    count: async (exchange, caller) => countSession(services, exchange, caller),
    permit: async (_exchange, caller, least) => {
      if (least !== undefined) requireRole(caller, least);
    },
    secretOf: ({ request }) => sessionCookie(services.realm, request),
  };
}

/** @throws {DomainError} `role_required` */
export function requireConsoleRole({ user }: ConsoleCaller, least: Role): void {
  if (isAtLeast(user.role, least)) return;
  const who = least === 'owner' ? 'owners' : 'owners and editors';
  throw consoleErrors.role_required(who, user.role === 'viewer' ? 'a viewer' : 'an editor');
}

function countSession(
  { unreadBytes }: Pick<SessionServices<never>, 'unreadBytes'>,
  { request }: Exchange,
  { merchantId }: EndpointCaller,
): void {
  contextOf(request.raw).holdUnread = (bytes) => unreadBytes.hold(merchantId, bytes);
}

/**
 * Returns the caller on the side that the page shows.
 * @throws {DomainError} for a request from another site, `other_shop` for a page of another shop, and as
 *   `CurrentSession.require` and `Realm.inTestData`
 */
async function requireCaller<Caller extends RealmCaller>(
  { config, currentSession, realm, database }: SessionServices<Caller>,
  exchange: Exchange,
): Promise<Caller> {
  requireOwnPages(exchange.request, config);
  // The session may have ended while post data was read, or the user may have another role.
  currentSession.forget(exchange.request);
  const side = requireShopOfPage(exchange, await currentSession.requireAny(exchange));
  const caller = await currentSession.require(exchange);
  return side === 'test' && realm.inTestData !== undefined
    ? await realm.inTestData({ database }, caller)
    : caller;
}

/** The least role that may do what a scope allows keys to do. */
const leastRoles: Readonly<Record<Scope, Role>> = {
  read: 'viewer',
  write: 'editor',
  stock: 'editor',
  campaigns: 'editor',
  orders: 'viewer',
  fulfillment: 'editor',
  customers: 'editor',
  webhooks: 'owner',
};

/** Users of the console as callers of v1. */
export function consoleSessions(services: SessionServices<ConsoleCaller>): Sessions {
  return sessionsForApi(services, requireConsoleRole, (scope) => leastRoles[scope]);
}

/**
 * People with a session as callers of an API. They get the console's headers and errors. `leastRoleOf` is who
 * may do what a scope allows keys to do.
 */
export function sessionsForApi<Caller extends RealmCaller, Granted extends string, Least extends string>(
  services: SessionServices<Caller>,
  requireRole: (caller: Caller, least: Least) => void,
  leastRoleOf: (scope: Granted, method: string) => Least,
): Sessions<Granted> {
  return {
    isNamedBy: ({ request }) => hasSessionCookie(services.realm, request),
    authenticate: async (exchange) => {
      const { request, reply } = exchange;
      const context = contextOf(request.raw);
      context.isConsole = true;
      if (context.isHttps) reply.raw.setHeaders(new Map(consoleHeaders));
      const { merchantId, who } = await requireCaller(services, exchange);
      return { merchantId, who: actorOfRequest(request, who) };
    },
    ignore: ({ request, reply }) => {
      const context = contextOf(request.raw);
      if (!context.isConsole) return;
      context.isConsole = false;
      for (const name of consoleHeaders.keys()) reply.raw.removeHeader(name);
    },
    count: (exchange, caller) => countSession(services, exchange, caller),
    permit: async (exchange, scope) => {
      const caller = await services.currentSession.require(exchange);
      if (scope !== undefined) requireRole(caller, leastRoleOf(scope, exchange.request.method));
    },
    secretOf: ({ request }) => sessionCookie(services.realm, request),
  };
}
