import type { Scope } from '../../api-keys/scopes.ts';
import { describeUser } from '../../audit/record-audit.ts';
import type { ConcurrentUse } from '../../budgets/concurrent-use.ts';
import type { Config } from '../../config.ts';
import type { Authentication, EndpointCaller, Exchange } from '../../http/endpoint/authentication.ts';
import type { Sessions } from '../../http/endpoint/merchant-authentication.ts';
import { readRawParameters } from '../../http/parameters/read.ts';
import { contextOf } from '../../http/request-context.ts';
import { isAtLeast, type Role } from '../../users/role.ts';
import { consoleRoom } from '../auth/console-room.ts';
import { consoleErrors } from '../errors.ts';
import { requireOwnPages } from '../guard.ts';
import { consoleHeaders } from '../headers.ts';
import type { ConsoleCaller } from './console-callers.ts';
import { type CurrentSession, hasSessionCookie, sessionCookie } from './current-session.ts';

interface SessionServices {
  config: Pick<Config, 'publicUrl' | 'trustedProxies'>;
  currentSession: CurrentSession<ConsoleCaller>;
  unreadBytes: ConcurrentUse;
}

/** The callers of the console's own endpoints. Only the address's rate limit applies to them. */
export function sessionAuthentication(services: SessionServices): Authentication<ConsoleCaller, Role> {
  const authenticate = (exchange: Exchange): Promise<ConsoleCaller> => requireCaller(services, exchange);
  return {
    acceptsTokenParameter: false,
    readParameters: async (request, options) => {
      const sent = await readRawParameters(request, options);
      // A proxy may send a token of its own in the header.
      sent.delete('access_token');
      return { sent };
    },
    authenticate,
    authenticateBeforePostData: authenticate,
    count: async (exchange, caller) => countSession(services, exchange, caller),
    permit: async (_exchange, { user }, least) => {
      if (least !== undefined && !isAtLeast(user.role, least))
        throw consoleErrors.role_required(least, user.role);
    },
    secretOf: ({ request }) => sessionCookie(consoleRoom, request),
  };
}

function countSession(
  { unreadBytes }: SessionServices,
  { request }: Exchange,
  { merchantId }: EndpointCaller,
): void {
  contextOf(request.raw).holdUnread = (bytes) => unreadBytes.hold(merchantId, bytes);
}

/** @throws {DomainError} for a request from another site, and as `CurrentSession.require` */
async function requireCaller(
  { config, currentSession }: SessionServices,
  exchange: Exchange,
): Promise<ConsoleCaller> {
  requireOwnPages(exchange.request, config);
  // The session may have ended while post data was read, or the user may have another role.
  currentSession.forget(exchange.request);
  return await currentSession.require(exchange);
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

/** Users of the console as callers of v1. They get the console's headers and errors. */
export function sessionsForApi(services: SessionServices): Sessions {
  const authentication = sessionAuthentication(services);
  return {
    isNamedBy: ({ request }) => hasSessionCookie(consoleRoom, request),
    authenticate: async (exchange) => {
      const { request, reply } = exchange;
      const context = contextOf(request.raw);
      context.isConsole = true;
      if (context.isHttps) reply.raw.setHeaders(new Map(consoleHeaders));
      const { merchantId, user } = await requireCaller(services, exchange);
      return { merchantId, who: describeUser(user) };
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
      await authentication.permit(exchange, caller, scope && leastRoles[scope]);
    },
    secretOf: ({ request }) => sessionCookie(consoleRoom, request),
  };
}
