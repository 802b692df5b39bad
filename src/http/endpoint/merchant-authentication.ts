import type { Scope } from '../../api-keys/scopes.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { bearerToken, readRawParameters, tokensBeforeBody } from '../parameters/read.ts';
import { contextOf } from '../request-context.ts';
import { requestErrors } from '../responses/request-errors.ts';
import { countKey, type KeyUseServices, requireScope } from './admit-key.ts';
import { type AuthenticationServices, authenticate, type KeyCaller } from './authenticate.ts';
import type { Authentication, EndpointCaller, Exchange, WriteCaller } from './authentication.ts';

/** A caller of v1: a merchant's software with an API key, or a user with a session of the console. */
export interface MerchantCaller extends WriteCaller {
  /** Undefined for a session. */
  key: KeyCaller<Scope> | undefined;
}

/** How v1 recognizes the users of the console. */
export interface Sessions {
  /** Whether a request has the cookie of a session, which may have ended. */
  isNamedBy(exchange: Exchange): boolean;
  /** @throws {DomainError} unless the session is valid, and the request comes from the console's own pages */
  authenticate(exchange: Exchange): Promise<WriteCaller>;
  /** Undoes what `authenticate` changed: the response is an API key's. */
  ignore(exchange: Exchange): void;
  count(exchange: Exchange, caller: EndpointCaller): void;
  /** @throws {DomainError} `role_required` */
  permit(exchange: Exchange, scope: Scope | undefined): Promise<void>;
  secretOf(exchange: Exchange): string;
}

/**
 * Finds callers by a token, wherever it is, or else by the cookie of a session. A request with a blank token,
 * or null, has none: its sender is a program that has lost its token, and not a page of the console.
 */
export function merchantAuthentication(
  services: AuthenticationServices & KeyUseServices,
  sessions: Sessions,
): Authentication<MerchantCaller, Scope> {
  const ofSession = async (exchange: Exchange): Promise<MerchantCaller> => ({
    ...(await sessions.authenticate(exchange)),
    key: undefined,
  });
  return {
    acceptsTokenParameter: true,
    readParameters: async (request, options) => ({ sent: await readRawParameters(request, options) }),
    authenticate: async (exchange, sent) => {
      const { request } = exchange;
      const tokens = sent.get('access_token');
      if (tokens === undefined && sessions.isNamedBy(exchange)) return await ofSession(exchange);
      // The session was the sender before the post data was read.
      sessions.ignore(exchange);
      const key = await authenticate(services, request, tokens ?? [], requestErrors.token_missing);
      const isInHeader = bearerToken(request.headers.authorization) !== undefined;
      contextOf(request.raw).tokenPlace = isInHeader ? 'header' : 'parameters';
      return callerOf(key);
    },
    authenticateBeforePostData: async (exchange) => {
      const tokens = tokensBeforeBody(exchange.request);
      if (tokens === undefined && sessions.isNamedBy(exchange))
        return await ofSession(exchange).catch(returnDomainError);
      const missing = requestErrors.token_missing_before_post_data;
      if (tokens === undefined || tokens.length === 0) return missing();
      return callerOf(await authenticate(services, exchange.request, tokens, missing));
    },
    count: async (exchange, caller) => {
      if (caller.key === undefined) sessions.count(exchange, caller);
      else await countKey(services, exchange.request.raw, caller.key);
    },
    permit: async (exchange, { key }, scope) => {
      if (key === undefined) await sessions.permit(exchange, scope);
      else requireScope(key, scope);
    },
    secretOf: (exchange, { key }) => key?.token ?? sessions.secretOf(exchange),
  };
}

/** The post data may have a token, which counts instead of the session. */
function returnDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  throw error;
}

function callerOf(key: KeyCaller<Scope>): MerchantCaller {
  return { merchantId: key.merchantId, who: `key ${key.key}`, key };
}
