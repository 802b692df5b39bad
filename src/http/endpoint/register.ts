import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KeyUsageRecorder } from '../../api-keys/record-usage.ts';
import type { Caller } from '../../api-keys/verify-token.ts';
import type { ConcurrentUse } from '../../budgets/concurrent-use.ts';
import type { OverloadControl } from '../gate/overload-control.ts';
import { queuedRequest } from '../gate/request-queue.ts';
import { type BoundParameters, bind, type ParameterDefinitions } from '../parameters/bind.ts';
import { readRawParameters } from '../parameters/read.ts';
import { contextOf } from '../request-context.ts';
import { MAX_PARAMETERS, MAX_WRITE_PARAMETERS } from '../request-limits.ts';
import { errors } from '../responses/errors.ts';
import { type AuthenticationServices, authenticate } from './authenticate.ts';
import { type EndpointDeclaration, statusesOf } from './declaration.ts';

/** The services that all endpoints share. */
export interface EndpointServices extends AuthenticationServices {
  overloadControl: OverloadControl;
  usageRecorder: KeyUsageRecorder;
  /** Counts the bytes of responses that each merchant has not read yet. */
  unreadBytes: ConcurrentUse;
}

/** A checked request: its caller and its parameters. */
export interface Call<Definitions extends ParameterDefinitions> {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: Caller;
  /** The caller's token. */
  token: string;
  input: BoundParameters<Definitions>;
}

/** An endpoint of v1 and its handler. */
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
 * Registers an endpoint under its paths, with and without `.json`. Checks requests in the contract's order: post data,
 * token, rate limit, scope, the merchant's budget of unread bytes, unrecognized parameters, invalid parameters. Then calls the
 * handler.
 */
export function registerEndpoint<Definitions extends ParameterDefinitions>(
  app: FastifyInstance,
  services: EndpointServices,
  endpoint: Endpoint<Definitions>,
): void {
  const { method, path, alias, bodyLimit, parameters, scope, handle } = endpoint;
  const maxParameters = bodyLimit === undefined ? MAX_PARAMETERS : MAX_WRITE_PARAMETERS;
  const respond = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const sent = await readRawParameters(request, maxParameters);
    const { token, caller } = await authenticate(services, request, sent);
    const secondsToWait = await services.limits.byKey.take(caller.key, caller);
    identifyCaller(services, request.raw, caller);
    if (secondsToWait > 0) {
      services.metrics.limited('key');
      throw errors.rate_limited(secondsToWait);
    }
    if (scope !== undefined && !caller.scopes.includes(scope)) throw errors.scope_missing(scope);
    services.unreadBytes.requireRemaining(caller.merchantId);
    await handle({ request, reply, caller, token, input: bind(parameters, sent) });
  };
  const handler = (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    services.overloadControl.run(() => respond(request, reply), queuedRequest(services, request.raw));
  const paths = alias === undefined ? [path] : [path, alias];
  for (const url of paths.flatMap((path) => [path, path.slice(0, -'.json'.length)])) {
    app.route({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url,
      config: { statuses: statusesOf(endpoint), endpoint },
      ...(bodyLimit !== undefined && { bodyLimit }),
      handler,
    });
  }
}

/** Completes the request's context now that its caller is known, and records the use of the key. */
export function identifyCaller(
  { usageRecorder, limits, unreadBytes }: Pick<EndpointServices, 'usageRecorder' | 'limits' | 'unreadBytes'>,
  request: IncomingMessage,
  caller: Caller,
): void {
  const context = contextOf(request);
  context.formattedKeyId = caller.key;
  context.rateLimitHeaders = limits.byKey.headers(caller.key);
  context.holdUnread = (bytes) => unreadBytes.hold(caller.merchantId, bytes);
  const { 'x-erp-name': erpName, 'user-agent': userAgent } = request.headers;
  usageRecorder.record(caller, typeof erpName === 'string' ? erpName : undefined, userAgent);
}
