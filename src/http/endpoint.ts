import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { UseRecorder } from '../api-keys/record-use.ts';
import type { Caller, TokenVerifier } from '../api-keys/verify-token.ts';
import { commonStatuses, type EndpointDeclaration } from './endpoint-declaration.ts';
import { errors } from './errors.ts';
import { type Given, readForm } from './given.ts';
import { type Bound, bind, collect, type GivenParameters, type ParameterDefinitions } from './parameters.ts';
import type { RateLimit } from './rate-limit.ts';

/** What every endpoint needs to know who calls and whether it may. */
export interface Gatekeepers {
  verifier: TokenVerifier;
  rateLimit: RateLimit;
  uses: UseRecorder;
}

/** One request, checked: who sent it and what it asks. */
export interface Call<Definitions extends ParameterDefinitions> {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: Caller;
  /** The token that the caller was told by. */
  token: string;
  input: Bound<Definitions>;
}

/** An endpoint of v1, and what answers. */
export interface Endpoint<Definitions extends ParameterDefinitions> extends EndpointDeclaration<Definitions> {
  handle(call: Call<Definitions>): Promise<void>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    statuses?: readonly number[];
    endpoint?: EndpointDeclaration;
  }
}

/**
 * Registers an endpoint under both of its paths. Refuses in the contract's order: the post data (by
 * Fastify, before this), the token, unrecognized parameters, wrong parameters; then the endpoint answers.
 */
export function registerEndpoint<Definitions extends ParameterDefinitions>(
  app: FastifyInstance,
  { verifier, rateLimit, uses }: Gatekeepers,
  endpoint: Endpoint<Definitions>,
): void {
  const { method, path, parameters, statuses, handle } = endpoint;
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const given = givenBy(request);
    const { token, caller } = await authenticate(verifier, given);
    const wait = await rateLimit.take(caller);
    if (wait > 0) throw errors.rate_limited(wait);
    noteUse(uses, caller, request.headers);
    await handle({ request, reply, caller, token, input: bind(parameters, given) });
  };
  for (const url of [path, path.slice(0, -'.json'.length)]) {
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url,
      config: { statuses: [...statuses, ...commonStatuses], endpoint },
      handler,
    });
  }
}

/** Notes the client that a request of this caller came from. */
export function noteUse(uses: UseRecorder, caller: Caller, headers: IncomingHttpHeaders): void {
  const erpName = headers['x-erp-name'];
  uses.record(caller, typeof erpName === 'string' ? erpName : undefined, headers['user-agent']);
}

/** What a request gives in its query and its post data; for bodies that `acceptBodies` reads. */
export function givenBy(request: FastifyRequest): GivenParameters {
  // A body that is to be read as it comes is no list.
  const given: Given[] = Array.isArray(request.body) ? request.body : [];
  return collect(readQuery(request.raw.url), given);
}

/** What a request gives in its query. */
export function readQuery(url = ''): Given[] {
  const start = url.indexOf('?');
  return start < 0 ? [] : readForm(url.slice(start + 1));
}

/** Where two different tokens were sent, one that is valid tells the caller; `bind` refuses the pair. */
async function authenticate(
  verifier: TokenVerifier,
  given: GivenParameters,
): Promise<{ token: string; caller: Caller }> {
  const values = given.get('access_token') ?? [];
  if (values.length === 0) throw errors.token_missing();
  for (const { kind, text: token } of values) {
    if (kind !== 'text' && kind !== 'string') continue;
    const caller = await verifier.verify(token);
    if (caller !== undefined) return { token, caller };
  }
  throw errors.token_refused();
}
