import type { FastifyRequest } from 'fastify';
import type { Scope } from '../../api-keys/scopes.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { bearerToken, readRawParameters, tokensBeforeBody } from '../parameters/read.ts';
import { contextOf } from '../request-context.ts';
import { requestErrors } from '../responses/request-errors.ts';
import type { KeyUseServices } from './admit-key.ts';
import { type AuthenticationServices, authenticate, type KeyCaller } from './authenticate.ts';
import type { Authentication, Exchange } from './authentication.ts';
import { actorOfRequest, type KeyOrSession, ofKeyOrSession, type Sessions } from './key-or-session.ts';

/** A caller of v1: a merchant's software with an API key, or a user with a session of the console. */
export type MerchantCaller = KeyOrSession<Scope>;

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
      return callerOf(key, request);
    },
    authenticateBeforePostData: async (exchange) => {
      const tokens = tokensBeforeBody(exchange.request);
      if (tokens === undefined && sessions.isNamedBy(exchange))
        return await ofSession(exchange).catch(returnDomainError);
      const missing = requestErrors.token_missing_before_post_data;
      if (tokens === undefined || tokens.length === 0) return missing();
      return callerOf(await authenticate(services, exchange.request, tokens, missing), exchange.request);
    },
    ...ofKeyOrSession(services, sessions),
  };
}

/** The post data may have a token, which counts instead of the session. */
function returnDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  throw error;
}

function callerOf(key: KeyCaller<Scope>, request: FastifyRequest): MerchantCaller {
  const who = actorOfRequest(request, { kind: 'merchant_key', name: key.key });
  return { merchantId: key.merchantId, who, key };
}
