import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../../api-keys/scopes.ts';
import type { ConcurrentUse } from '../../budgets/concurrent-use.ts';
import { modeOf } from '../../database/sides.ts';
import type { BodyMemory } from '../gate/body-memory.ts';
import { merchantQueue, type QueueServices, queuedRequest } from '../gate/request-queue.ts';
import {
  type BoundParameters,
  bind,
  bindWithoutToken,
  type ParameterDefinitions,
  type ParameterRules,
} from '../parameters/bind.ts';
import { discardBody, type IncomingFile, NO_FILE, requireNdjson } from '../parameters/incoming-file.ts';
import { type BodyLine, readLines } from '../parameters/lines.ts';
import type { RawParameter, RawParameters } from '../parameters/raw-parameters.ts';
import { contextOf } from '../request-context.ts';
import { MAX_PARAMETERS, MAX_WRITE_PARAMETERS } from '../request-limits.ts';
import { requestErrors } from '../responses/request-errors.ts';
import type { Authentication, EndpointCaller, Exchange, SentParameters } from './authentication.ts';
import { type BoundPath, bindPath, type PathParameters } from './bind-path.ts';
import { type EndpointDeclaration, type EndpointRules, statusesOf } from './declaration.ts';
import { acceptLargePostData } from './large-post-data.ts';
import type { MerchantCaller } from './merchant-authentication.ts';
import { receiveFields } from './receive-fields.ts';
import { type SimulationServices, simulate } from './simulate.ts';

export interface EndpointServices<
  Caller extends EndpointCaller = MerchantCaller,
  Permission extends string = Scope,
> extends QueueServices,
    SimulationServices {
  authentication: Authentication<Caller, Permission>;
  /** Counts the unread bytes of each merchant's responses. */
  unreadBytes: ConcurrentUse;
  bodyMemory: BodyMemory;
}

export interface Call<
  Definitions extends ParameterRules,
  Path extends PathParameters = PathParameters,
  Caller extends EndpointCaller = MerchantCaller,
> extends Exchange {
  caller: Caller;
  path: BoundPath<Path>;
  input: BoundParameters<Definitions>;
  /** Set if the endpoint receives a file and the request has one. */
  file: IncomingFile | undefined;
  /**
   * Resolves to the input with the fields after the file, once its stream has ended.
   * @throws {DomainError} `unrecognized_parameters`, `invalid_parameters`, `too_many_parameters`
   */
  completeInput(): Promise<BoundParameters<Definitions>>;
  lines: readonly BodyLine[];
  /**
   * For a handler that reads a file, which may take long.
   * @throws {DomainError} if the token or the session is no longer valid, or the caller lost the permission
   */
  requireCallerStill(): Promise<void>;
}

export interface UndocumentedEndpoint<
  Definitions extends ParameterRules,
  Path extends PathParameters = PathParameters,
  Caller extends EndpointCaller = MerchantCaller,
  Permission extends string = Scope,
> extends EndpointRules<Definitions> {
  pathParameters?: Path;
  /** The scope or role that a caller needs. */
  scope?: Permission;
  handle(call: Call<Definitions, Path, Caller>): Promise<void>;
}

/** An endpoint of an API, which its OpenAPI document describes. */
export interface Endpoint<
  Definitions extends ParameterDefinitions,
  Path extends PathParameters = PathParameters,
  Caller extends EndpointCaller = MerchantCaller,
  Permission extends string = Scope,
> extends Omit<EndpointDeclaration<Definitions>, 'pathParameters' | 'scope'>,
    UndocumentedEndpoint<Definitions, Path, Caller, Permission> {}

declare module 'fastify' {
  interface FastifyContextConfig {
    statuses?: readonly number[];
    endpoint?: EndpointDeclaration;
  }
}

/** Registers an endpoint of an API. Otherwise like `registerUndocumentedEndpoint`. */
export function registerEndpoint<
  Definitions extends ParameterDefinitions,
  Path extends PathParameters = PathParameters,
  Caller extends EndpointCaller = MerchantCaller,
  Permission extends string = Scope,
>(
  app: FastifyInstance,
  services: EndpointServices<Caller, Permission>,
  endpoint: Endpoint<Definitions, Path, Caller, Permission>,
): void {
  registerUndocumentedEndpoint(app, services, endpoint, endpoint);
}

/**
 * Registers an endpoint, whoever its callers are. Checks requests in the contract's order: post data (above
 * `MAX_BODY_BYTES`, only after its sender is known), authentication, the merchant's turn, rate limit, scope
 * or role, simulation, unread bytes, unrecognized parameters, invalid parameters.
 */
export function registerUndocumentedEndpoint<
  Definitions extends ParameterRules,
  Path extends PathParameters = PathParameters,
  Caller extends EndpointCaller = MerchantCaller,
  Permission extends string = Scope,
>(
  app: FastifyInstance,
  services: EndpointServices<Caller, Permission>,
  endpoint: UndocumentedEndpoint<Definitions, Path, Caller, Permission>,
  declaration?: EndpointDeclaration,
): void {
  const { method, bodyLimit, parameters, scope, handle } = endpoint;
  const { authentication, overloadControl, unreadBytes } = services;
  const maximum = bodyLimit === undefined ? MAX_PARAMETERS : MAX_WRITE_PARAMETERS;
  const respond = async (exchange: Exchange): Promise<void> => {
    const { request, reply } = exchange;
    if (endpoint.stream !== undefined) requireNdjson(request);
    const lines = endpoint.lines === undefined ? [] : readLines(request, endpoint.lines.maximum);
    const fromBody = endpoint.lines === undefined;
    const read = (fields: readonly RawParameter[]): Promise<SentParameters> =>
      authentication.readParameters(request, { maximum, fromBody, fields });
    const { sent, misplaced, fields, file } =
      endpoint.file === undefined
        ? { ...NO_FILE, ...(await read([])) }
        : await receiveFields(services, exchange, read);
    const context = contextOf(request.raw);
    context.parameters = sent;
    const caller = await authentication.authenticate(exchange, sent);
    await overloadControl.moveTo(merchantQueue(caller.merchantId));
    await authentication.count(exchange, caller);
    await authentication.permit(exchange, caller, scope);
    if (modeOf(caller.merchantId) === 'test' && !(await simulate(services, request, reply))) return;
    unreadBytes.requireRemaining(caller.merchantId);
    // Binding takes as long as reading the post data if there are tens of thousands of parameters.
    await overloadControl.takeAnotherTurn();
    const isFileMissing = endpoint.file !== undefined && file === undefined;
    const unrecognized = isFileMissing
      ? requestErrors.unrecognized_parameters_without_file
      : requestErrors.unrecognized_parameters;
    const bindSent = (sent: RawParameters): BoundParameters<Definitions> =>
      authentication.acceptsTokenParameter
        ? bind(parameters, sent, unrecognized)
        : bindWithoutToken(parameters, sent, { unrecognized });
    const input = overloadControl.measure(() => {
      if (misplaced !== undefined) bindWithoutToken({}, misplaced);
      return bindSent(sent);
    });
    const completeInput = async (): Promise<BoundParameters<Definitions>> => {
      if (file === undefined || file.fieldsAfter.length === 0) return input;
      const { sent: all } = await read([...fields, ...file.fieldsAfter]);
      context.parameters = all;
      return bindSent(all);
    };
    const path = bindPath(endpoint.pathParameters, request);
    const requireCallerStill = async (): Promise<void> =>
      await authentication.permit(exchange, await authentication.authenticate(exchange, sent), scope);
    const call = { caller, path, input, lines, file, completeInput, requireCallerStill };
    await handle({ request, reply, ...call });
  };
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const queued = queuedRequest(services, request.raw);
    try {
      await overloadControl.run(() => respond({ request, reply }), queued);
    } finally {
      discardBody(request);
    }
    return reply;
  };
  const config = {
    // Sessions add 403, and 409 for pages of another shop.
    statuses: [...statusesOf(endpoint), 403, 409],
    ...(declaration !== undefined && { endpoint: declaration }),
  };
  for (const url of urlsOf(endpoint)) {
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url,
      config,
      ...acceptLargePostData(services, bodyLimit),
      handler,
    });
  }
}

/** Paths of v1 also work without `.json`. */
function urlsOf({ path, alias }: Pick<EndpointRules, 'path' | 'alias'>): string[] {
  const paths = alias === undefined ? [path] : [path, alias];
  return paths
    .map((one) => one.replaceAll(/\{(\w+)\}/g, ':$1'))
    .flatMap((url) => (url.endsWith('.json') ? [url, url.slice(0, -'.json'.length)] : [url]));
}
