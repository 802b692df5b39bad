import type { FastifyRequest } from 'fastify';
import { errors } from '../../errors/errors.ts';
import type { EndpointCaller, Exchange } from '../../http/endpoint/authentication.ts';
import type { MerchantRow } from '../../merchants/queries.ts';
import type { Role } from '../../users/role.ts';
import { SESSION_COOKIE } from '../auth/constants.ts';
import { consoleErrors } from '../errors.ts';

export interface ConsoleCaller extends EndpointCaller {
  sessionId: string;
  /** As in the audit log. */
  who: string;
  user: { id: string; name: string; email: string; two_factor: boolean; role: Role };
  merchant: MerchantRow;
  /** Who requires it of the user; null if nobody does. */
  twoFactorRequiredBy: 'operator' | 'owner' | null;
}

/** Who requires the two-factor authentication that the user has not set up; null if none is missing. */
export function missingTwoFactor({
  twoFactorRequiredBy,
  user,
}: ConsoleCaller): ConsoleCaller['twoFactorRequiredBy'] {
  return user.two_factor ? null : twoFactorRequiredBy;
}

/** Whether a request has the cookie of a session, which may have ended. */
export function hasSessionCookie({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers.cookie?.includes(`${SESSION_COOKIE}=`) ?? false;
}

/** The value of the cookie of a session. @throws {DomainError} without the cookie */
export function sessionCookie({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const prefix = `${SESSION_COOKIE}=`;
  const cookies = headers.cookie?.split(';').map((cookie) => cookie.trim()) ?? [];
  const found = cookies.find((cookie) => cookie.startsWith(prefix));
  if (found === undefined) throw consoleErrors.session_required();
  return found.slice(prefix.length);
}

/** Finds the session of a request's cookie, and remembers it for the request. */
export class CurrentSession {
  readonly #find: (exchange: Exchange) => Promise<ConsoleCaller | undefined>;
  readonly #found = new WeakMap<FastifyRequest, Promise<ConsoleCaller | undefined>>();

  constructor(find: (exchange: Exchange) => Promise<ConsoleCaller | undefined>) {
    this.#find = find;
  }

  /** Resolves to undefined if there is no valid session. */
  find(exchange: Exchange): Promise<ConsoleCaller | undefined> {
    const known = this.#found.get(exchange.request);
    if (known !== undefined) return known;
    const found = this.#find(exchange);
    this.#found.set(exchange.request, found);
    return found;
  }

  forget(request: FastifyRequest): void {
    this.#found.delete(request);
  }

  /** @throws {DomainError} 401 without a session; 403 without two-factor, or if the merchant is suspended */
  async require(exchange: Exchange): Promise<ConsoleCaller> {
    const caller = await this.requireAny(exchange);
    if (caller.merchant.suspended_at !== null) throw errors.account_suspended();
    const requiredBy = missingTwoFactor(caller);
    if (requiredBy !== null) throw consoleErrors.two_factor_required(requiredBy);
    return caller;
  }

  /** Like `require`, but accepts users without two-factor authentication, and suspended merchants. */
  async requireAny(exchange: Exchange): Promise<ConsoleCaller> {
    const caller = await this.find(exchange);
    if (caller === undefined) throw consoleErrors.session_required();
    return caller;
  }
}
