import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errors } from '../../errors/errors.ts';
import type { MerchantRow } from '../../merchants/queries.ts';
import { consoleErrors } from '../errors.ts';
import type { Role } from '../users/role.ts';

/** The session, user and merchant of a request to the console. */
export interface ConsoleCaller {
  sessionId: string;
  user: { id: string; name: string; email: string; two_factor: boolean; role: Role };
  merchant: MerchantRow;
  /** Who requires two-factor authentication of the user; null if nobody does. */
  twoFactorRequiredBy: 'operator' | 'owner' | null;
}

/** Whether the user must set up two-factor authentication before using the console. */
export function isTwoFactorMissing({ twoFactorRequiredBy, user }: ConsoleCaller): boolean {
  return twoFactorRequiredBy !== null && !user.two_factor;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Finds the session of the request's cookie; set by `provideSessions`. */
    findSession: (() => Promise<ConsoleCaller | undefined>) | null;
  }
}

/** Makes `requireSession` available to the routes of `app`. Calls `find` at most once per request. */
export function provideSessions(
  app: FastifyInstance,
  find: (request: FastifyRequest, reply: FastifyReply) => Promise<ConsoleCaller | undefined>,
): void {
  app.decorateRequest('findSession', null);
  app.addHook('onRequest', async (request, reply) => {
    let found: Promise<ConsoleCaller | undefined> | undefined;
    request.findSession = () => {
      found ??= find(request, reply);
      return found;
    };
  });
}

/**
 * Returns the session of a request's cookie.
 * @throws {DomainError} 401 if there is no valid session; 403 if two-factor authentication is required and missing, or the
 *   merchant is suspended
 */
export async function requireSession(request: FastifyRequest): Promise<ConsoleCaller> {
  const caller = await requireAnySession(request);
  if (caller.merchant.suspended_at !== null) throw errors.account_suspended();
  if (caller.twoFactorRequiredBy !== null && !caller.user.two_factor)
    throw consoleErrors.two_factor_required(caller.twoFactorRequiredBy);
  return caller;
}

/**
 * Like `requireSession`, but also accepts users who still have to set up two-factor authentication, and users of suspended
 * merchants.
 * @throws {DomainError} 401 if there is no valid session
 */
export async function requireAnySession(request: FastifyRequest): Promise<ConsoleCaller> {
  const caller = await request.findSession?.();
  if (caller === undefined) throw consoleErrors.session_required();
  return caller;
}
