import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { UseRecorder } from '../../api-keys/record-use.ts';
import type { Caller, TokenVerifier } from '../../api-keys/verify-token.ts';
import type { ConcurrentUse } from '../../budgets/concurrent-use.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { MOST_PARAMETERS } from '../bounds.ts';
import type { ClientNetworks } from '../gate/client-address.ts';
import type { OverloadControl } from '../gate/overload-control.ts';
import { queuedRequest } from '../gate/request-queue.ts';
import {
  type BoundParameters,
  bind,
  mergeParameters,
  type ParameterDefinitions,
  type RawParameters,
} from '../parameters/bind.ts';
import { readBody } from '../parameters/body.ts';
import { type RawParameter, readForm } from '../parameters/raw-parameters.ts';
import type { RateLimits } from '../rate-limits/limits.ts';
import { contextOf } from '../request-context.ts';
import { errors } from '../responses/errors.ts';
import { COMMON_STATUSES, type EndpointDeclaration } from './declaration.ts';

/** What every endpoint needs to know who calls and whether it may. */
export interface EndpointServices {
  verifier: TokenVerifier;
  limits: RateLimits;
  overloadControl: OverloadControl;
  usageRecorder: UseRecorder;
  metrics: Metrics;
  networks: ClientNetworks;
  /** Bytes of responses that each merchant has not read yet. */
  unreadBytes: ConcurrentUse;
}

/** One request, checked: who sent it and what it asks. */
export interface Call<Definitions extends ParameterDefinitions> {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: Caller;
  /** The token that the caller was told by. */
  token: string;
  input: BoundParameters<Definitions>;
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
 * Registers an endpoint under both of its paths. Refuses in the contract's order: the post data, the token,
 * unrecognized parameters, wrong parameters; then the endpoint answers.
 */
export function registerEndpoint<Definitions extends ParameterDefinitions>(
  app: FastifyInstance,
  services: EndpointServices,
  endpoint: Endpoint<Definitions>,
): void {
  const { method, path, parameters, statuses, handle } = endpoint;
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const given = await readRawParameters(request);
    const { token, caller } = await authenticate(services, request, given);
    const wait = await services.limits.byKey.take(caller.key, caller);
    identifyCaller(services, request.raw, caller);
    if (wait > 0) {
      services.metrics.limited('key');
      throw errors.rate_limited(wait);
    }
    services.unreadBytes.requireLeft(caller.merchantId);
    await handle({ request, reply, caller, token, input: bind(parameters, given) });
  };
  const handler = (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    services.overloadControl.run(() => answer(request, reply), queuedRequest(services, request.raw));
  for (const url of [path, path.slice(0, -'.json'.length)]) {
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url,
      config: { statuses: [...statuses, ...COMMON_STATUSES], endpoint },
      handler,
    });
  }
}

/** Notes who a request is from and by which client, and what is left of the key's limit. */
export function identifyCaller(
  { usageRecorder, limits, unreadBytes }: Pick<EndpointServices, 'usageRecorder' | 'limits' | 'unreadBytes'>,
  request: IncomingMessage,
  caller: Caller,
): void {
  const context = contextOf(request);
  context.keyId = caller.key;
  context.rateLimitHeaders = limits.byKey.headers(caller.key);
  context.holdUnread = (bytes) => unreadBytes.hold(caller.merchantId, bytes);
  const { 'x-erp-name': erpName, 'user-agent': userAgent } = request.headers;
  usageRecorder.record(caller, typeof erpName === 'string' ? erpName : undefined, userAgent);
}

/**
 * What a request gives in its query and its post data.
 * @throws {HttpError} `too_many_parameters`, `unreadable_body`
 */
export async function readRawParameters(request: FastifyRequest): Promise<RawParameters> {
  const posted = await readBody(request);
  const query = readQuery(request.raw.url);
  if (query.length + posted.length > MOST_PARAMETERS) throw errors.too_many_parameters(MOST_PARAMETERS);
  return mergeParameters(query, posted);
}

/** What a request gives in its query. */
export function readQuery(url = ''): RawParameter[] {
  const start = url.indexOf('?');
  return start < 0 ? [] : readForm(url.slice(start + 1));
}

/**
 * Where two different tokens were sent, one that is valid names the caller; `bind` refuses the pair. Each token that
 * is refused counts as a failure of its network. Past the limit of failures, tokens that were good before are still
 * looked up, and others within a small budget.
 */
async function authenticate(
  { verifier, limits, metrics, networks }: EndpointServices,
  request: FastifyRequest,
  given: RawParameters,
): Promise<{ token: string; caller: Caller }> {
  const values = given.get('access_token') ?? [];
  if (values.length === 0) throw errors.token_missing();
  const network = networks.of(request.raw);
  let [wait, skipped] = [0, false];
  for (const { kind, text: token } of values) {
    if (network !== undefined) wait = limits.failuresByAddress.wait(network);
    const isToken = kind === 'text' || kind === 'string';
    if (isToken && wait > 0 && network !== undefined && !verifier.wasGood(token)) {
      skipped = !limits.lookupBudget.take(network);
      // The budget is there again within a second.
      if (skipped) break;
    }
    const caller = isToken ? await verifier.verify(token) : undefined;
    if (caller !== undefined) return { token, caller };
    if (network !== undefined) limits.failuresByAddress.takeWithoutWaiting(network, network);
  }
  if (wait === 0 || network === undefined) throw errors.token_refused();
  metrics.limited('failed-authentication');
  if (skipped) throw errors.authentication_limited(1);
  contextOf(request.raw).rateLimitHeaders = limits.failuresByAddress.headers(network);
  throw errors.authentication_limited(wait);
}
