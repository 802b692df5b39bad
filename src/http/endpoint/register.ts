import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KeyUsageRecorder } from '../../api-keys/record-usage.ts';
import type { Scope } from '../../api-keys/scopes.ts';
import type { Caller } from '../../api-keys/verify-token.ts';
import type { ConcurrentUse } from '../../budgets/concurrent-use.ts';
import { modeOf } from '../../database/sides.ts';
import type { BodyMemory } from '../gate/body-memory.ts';
import { merchantQueue, queuedRequest } from '../gate/request-queue.ts';
import { type BoundParameters, bind, type ParameterDefinitions } from '../parameters/bind.ts';
import {
  discardBody,
  type FileRequest,
  type IncomingFile,
  openFileRequest,
} from '../parameters/incoming-file.ts';
import { type BodyLine, readLines } from '../parameters/lines.ts';
import { bearerToken, readRawParameters } from '../parameters/read.ts';
import { contextOf } from '../request-context.ts';
import { MAX_PARAMETERS, MAX_WRITE_PARAMETERS } from '../request-limits.ts';
import { requestErrors } from '../responses/request-errors.ts';
import { type AuthenticationServices, authenticate } from './authenticate.ts';
import { type EndpointDeclaration, statusesOf } from './declaration.ts';
import { acceptLargePostData, queueBeforePostData } from './large-post-data.ts';
import { type SimulationServices, simulate } from './simulate.ts';

export interface EndpointServices<Granted extends string = Scope>
  extends AuthenticationServices<Granted>,
    SimulationServices {
  usageRecorder: KeyUsageRecorder;
  /** Counts the unread bytes of each merchant's responses. */
  unreadBytes: ConcurrentUse;
  bodyMemory: BodyMemory;
}

const NO_FILE: FileRequest = { fields: [], file: undefined };

export interface Call<Definitions extends ParameterDefinitions> {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: Caller;
  token: string;
  input: BoundParameters<Definitions>;
  /** Set if the endpoint receives a file and the request has one. */
  file: IncomingFile | undefined;
  lines: readonly BodyLine[];
}

export interface Endpoint<Definitions extends ParameterDefinitions> extends EndpointDeclaration<Definitions> {
  method: 'GET' | 'POST';
  path: `/${string}.json`;
  scope?: Scope;
  handle(call: Call<Definitions>): Promise<void>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    statuses?: readonly number[];
    endpoint?: EndpointDeclaration;
  }
}

/**
 * Registers an endpoint under its paths, with and without `.json`. Checks requests in the contract's order:
 * post data (above `MAX_BODY_BYTES`, only after a token in the query or header), token, the merchant's turn,
 * rate limit, scope, simulation, unread bytes, unrecognized parameters, invalid parameters.
 */
export function registerEndpoint<Definitions extends ParameterDefinitions>(
  app: FastifyInstance,
  services: EndpointServices,
  endpoint: Endpoint<Definitions>,
): void {
  const { method, path, alias, bodyLimit, parameters, scope, file: acceptsFile, handle } = endpoint;
  const maxParameters = bodyLimit === undefined ? MAX_PARAMETERS : MAX_WRITE_PARAMETERS;
  const respond = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const lines = endpoint.lines === undefined ? [] : readLines(request, endpoint.lines.maximum);
    const fromBody = endpoint.lines === undefined;
    // A client may send the fields before a file slowly.
    const { fields, file } =
      acceptsFile === undefined
        ? NO_FILE
        : await services.overloadControl.runOutside(() => openFileRequest(request));
    const sent = await readRawParameters(request, { maximum: maxParameters, fromBody, fields });
    contextOf(request.raw).parameters = sent;
    const tokens = sent.get('access_token') ?? [];
    const missing =
      file === undefined ? requestErrors.token_missing : requestErrors.token_missing_before_file;
    const { token, caller } = await authenticate(services, request, tokens, missing);
    const isInHeader = bearerToken(request.headers.authorization) !== undefined;
    contextOf(request.raw).tokenPlace = isInHeader ? 'header' : 'parameters';
    await services.overloadControl.moveTo(merchantQueue(caller.merchantId));
    await admitCaller(services, request.raw, caller, scope);
    if (modeOf(caller.merchantId) === 'test' && !(await simulate(services, request, reply))) return;
    services.unreadBytes.requireRemaining(caller.merchantId);
    // Binding takes as long as reading the post data if there are tens of thousands of parameters.
    await services.overloadControl.takeAnotherTurn();
    const unrecognized =
      acceptsFile === undefined || file !== undefined
        ? requestErrors.unrecognized_parameters
        : requestErrors.unrecognized_parameters_without_file;
    const input = services.overloadControl.measure(() => bind(parameters, sent, unrecognized));
    await handle({ request, reply, caller, token, lines, input, file });
  };
  const run = (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    services.overloadControl.run(() => respond(request, reply), queuedRequest(services, request.raw));
  const handler =
    acceptsFile === undefined
      ? run
      : (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
          run(request, reply).finally(() => discardBody(request));
  const largeBodies = acceptLargePostData(services.bodyMemory, bodyLimit, queueBeforePostData(services));
  const paths = alias === undefined ? [path] : [path, alias];
  for (const url of paths.flatMap((path) => [path, path.slice(0, -'.json'.length)])) {
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url,
      config: { statuses: statusesOf(endpoint), endpoint },
      ...largeBodies,
      handler,
    });
  }
}

/**
 * Counts an authenticated caller's request, and checks its scope; undefined needs no scope.
 * @throws {DomainError} `rate_limited`, `scope_missing`
 */
export async function admitCaller<Granted extends string>(
  services: EndpointServices<Granted>,
  request: IncomingMessage,
  caller: Caller<Granted>,
  scope: Granted | undefined,
): Promise<void> {
  const secondsToWait = await services.limits.byKey.take(caller.key, caller);
  identifyCaller(services, request, caller);
  if (secondsToWait > 0) {
    services.metrics.limited('key');
    throw requestErrors.rate_limited(secondsToWait);
  }
  if (scope !== undefined && !caller.scopes.includes(scope)) throw requestErrors.scope_missing(scope);
}

/** Completes the request's context with its caller, and records the use of the key. */
export function identifyCaller(
  {
    usageRecorder,
    limits,
    unreadBytes,
  }: Pick<EndpointServices<string>, 'usageRecorder' | 'limits' | 'unreadBytes'>,
  request: IncomingMessage,
  caller: Caller<string>,
): void {
  const context = contextOf(request);
  context.caller = caller;
  context.rateLimitHeaders = limits.byKey.headers(caller.key);
  context.holdUnread = (bytes) => unreadBytes.hold(caller.merchantId, bytes);
  const { 'x-erp-name': erpName, 'user-agent': userAgent } = request.headers;
  usageRecorder.record(caller, typeof erpName === 'string' ? erpName : undefined, userAgent);
}
