import type { FastifyRequest } from 'fastify';
import type { OperatorScope } from '../../api-keys/scopes.ts';
import type { KeyUseServices } from '../../http/endpoint/admit-key.ts';
import { type AuthenticationServices, authenticate } from '../../http/endpoint/authenticate.ts';
import type { Authentication, Exchange } from '../../http/endpoint/authentication.ts';
import { actorOfRequest, ofKeyOrSession, type Sessions } from '../../http/endpoint/key-or-session.ts';
import { readBody, typeOfBody } from '../../http/parameters/body.ts';
import { mergeParameters, type RawParameters } from '../../http/parameters/raw-parameters.ts';
import { bearerToken, readQuery } from '../../http/parameters/read.ts';
import { requestErrors } from '../../http/responses/request-errors.ts';
import type { OperatorCaller } from './register.ts';

/**
 * The token is in the `Authorization` header alone; without one, the cookie of a session counts. Parameters
 * are in the query or, for PUT and POST, in a JSON object.
 */
export function operatorAuthentication(
  services: AuthenticationServices<OperatorScope> & KeyUseServices,
  sessions: Sessions<OperatorScope>,
): Authentication<OperatorCaller, OperatorScope> {
  const findCaller = async (exchange: Exchange): Promise<OperatorCaller> => {
    const { request } = exchange;
    const bearer = bearerToken(request.headers.authorization);
    if (bearer === undefined && sessions.isNamedBy(exchange))
      return { ...(await sessions.authenticate(exchange)), key: undefined };
    const sent = bearer === undefined ? [] : [{ kind: 'text', text: bearer } as const];
    const key = await authenticate(services, request, sent, requestErrors.operator_token_missing);
    const who = actorOfRequest(request, { kind: 'operator_key', name: key.key });
    return { merchantId: key.merchantId, who, key };
  };
  return {
    acceptsTokenParameter: false,
    readParameters: async (request, { fromBody }) => {
      const posted = fromBody ? await readJson(request) : mergeParameters([]);
      const query = mergeParameters(readQuery(request.raw.url));
      const inBody = request.method === 'PUT' || request.method === 'POST';
      return inBody ? { sent: posted, misplaced: query } : { sent: query, misplaced: posted };
    },
    authenticate: findCaller,
    authenticateBeforePostData: findCaller,
    ...ofKeyOrSession(services, sessions),
  };
}

/** Reads a JSON object, which may be missing. @throws {DomainError} `unreadable_body` */
async function readJson(request: FastifyRequest): Promise<RawParameters> {
  const { body } = request;
  if (Buffer.isBuffer(body) && body.length > 0 && typeOfBody(request) !== 'application/json')
    throw requestErrors.unreadable_body('its Content-Type must be application/json');
  return mergeParameters(await readBody(request));
}
