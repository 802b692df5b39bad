import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { MerchantRow } from '../../merchants/queries.ts';
import { refusals } from '../errors.ts';

/** Who is signed in. */
export interface ConsoleCaller {
  sessionId: string;
  user: { id: string; name: string; email: string; two_factor: boolean };
  merchant: MerchantRow;
  /** Whether the user has to set up two-factor authentication before anything else. */
  twoFactorMissing: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Looks the session of the request's cookie up; set by `openSessions`. */
    findSession: (() => Promise<ConsoleCaller | undefined>) | null;
  }
}

/** Makes `requireSession` work in what is registered on `app`; `find` is asked once a request at most. */
export function openSessions(
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
 * Who sent a request, by its session's cookie.
 * @throws {HttpError} 401 where there is no session, or it has ended; 403 if two-factor authentication is required
 *   and missing
 */
export async function requireSession(request: FastifyRequest): Promise<ConsoleCaller> {
  const caller = await requireAnySession(request);
  if (caller.twoFactorMissing) throw refusals.two_factor_required();
  return caller;
}

/**
 * As `requireSession`, for the calls by which two-factor authentication is set up.
 * @throws {HttpError} 401 where there is no session, or it has ended
 */
export async function requireAnySession(request: FastifyRequest): Promise<ConsoleCaller> {
  const caller = await request.findSession?.();
  if (caller === undefined) throw refusals.session_required();
  return caller;
}
