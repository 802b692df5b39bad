import type { FastifyRequest } from 'fastify';
import type { OperatorScope } from '../../api-keys/scopes.ts';
import { OPERATOR } from '../../audit/record-audit.ts';
import { countKey, type KeyUseServices, requireScope } from '../../http/endpoint/admit-key.ts';
import { type AuthenticationServices, authenticate } from '../../http/endpoint/authenticate.ts';
import type { Authentication, Exchange } from '../../http/endpoint/authentication.ts';
import { readBody, typeOfBody } from '../../http/parameters/body.ts';
import { mergeParameters, type RawParameters } from '../../http/parameters/raw-parameters.ts';
import { bearerToken, readQuery } from '../../http/parameters/read.ts';
import { requestErrors } from '../../http/responses/request-errors.ts';
import type { OperatorCaller } from './register.ts';

/**
 * The token is in the `Authorization` header alone. Parameters are in the query or, for PUT and POST, in a
 * JSON object.
 */
export function operatorAuthentication(
  services: AuthenticationServices<OperatorScope> & KeyUseServices,
): Authentication<OperatorCaller, OperatorScope> {
  const findKey = async ({ request }: Exchange): Promise<OperatorCaller> => {
    const bearer = bearerToken(request.headers.authorization);
    const sent = bearer === undefined ? [] : [{ kind: 'text', text: bearer } as const];
    const key = await authenticate(services, request, sent, requestErrors.operator_token_missing);
    return { ...key, who: OPERATOR };
  };
  return {
    acceptsTokenParameter: false,
    readParameters: async (request, { fromBody }) => {
      const posted = fromBody ? await readJson(request) : mergeParameters([]);
      const query = mergeParameters(readQuery(request.raw.url));
      const inBody = request.method === 'PUT' || request.method === 'POST';
      return inBody ? { sent: posted, misplaced: query } : { sent: query, misplaced: posted };
    },
    authenticate: findKey,
    authenticateBeforePostData: findKey,
    count: ({ request }, key) => countKey(services, request.raw, key),
    permit: async (_exchange, key, scope) => requireScope(key, scope),
    secretOf: (_exchange, { token }) => token,
  };
}

/** Reads a JSON object, which may be missing. @throws {DomainError} `unreadable_body` */
async function readJson(request: FastifyRequest): Promise<RawParameters> {
  const { body } = request;
  if (Buffer.isBuffer(body) && body.length > 0 && typeOfBody(request) !== 'application/json')
    throw requestErrors.unreadable_body('its Content-Type must be application/json');
  return mergeParameters(await readBody(request));
}
