import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errors } from '../../errors/errors.ts';
import type { MerchantRow } from '../../merchants/queries.ts';
import { consoleErrors } from '../errors.ts';
import type { Role } from '../users/role.ts';

export interface ConsoleCaller {
  sessionId: string;
  user: { id: string; name: string; email: string; two_factor: boolean; role: Role };
  merchant: MerchantRow;
  /** Who requires it of the user; null if nobody does. */
  twoFactorRequiredBy: 'operator' | 'owner' | null;
}

export function isTwoFactorMissing({ twoFactorRequiredBy, user }: ConsoleCaller): boolean {
  return twoFactorRequiredBy !== null && !user.two_factor;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Finds the session of the request's cookie; set by `provideSessions`. */
    findSession: (() => Promise<ConsoleCaller | undefined>) | null;
  }
}

/** Makes `requireSession` available to `app`. Calls `find` at most once per request. */
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

/** @throws {DomainError} 401 without a session; 403 if two-factor is missing or the merchant is suspended */
export async function requireSession(request: FastifyRequest): Promise<ConsoleCaller> {
  const caller = await requireAnySession(request);
  if (caller.merchant.suspended_at !== null) throw errors.account_suspended();
  if (caller.twoFactorRequiredBy !== null && !caller.user.two_factor)
    throw consoleErrors.two_factor_required(caller.twoFactorRequiredBy);
  return caller;
}

/** Like `requireSession`, but accepts users without two-factor authentication, and suspended merchants. */
export async function requireAnySession(request: FastifyRequest): Promise<ConsoleCaller> {
  const caller = await request.findSession?.();
  if (caller === undefined) throw consoleErrors.session_required();
  return caller;
}
