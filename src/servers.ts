import type { RequestListener, Server } from 'node:http';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { consoleHeaders, isConsoleTarget } from './console/headers.ts';
import type { AllServices } from './endpoint-services.ts';
import { Connections } from './http/connections/connections.ts';
import { createPlainServer, createTlsServer } from './http/connections/server.ts';
import { UnreadableRequests } from './http/connections/unreadable-requests.ts';
import { clientAddress } from './http/gate/client-address.ts';
import {
  createGate,
  type GateStep,
  limitAddresses,
  limitSize,
  refuseOverload,
  refuseTargets,
  requireKnownMethod,
} from './http/gate/gate.ts';
import { arrivedOverHttps, requireHttps } from './http/gate/https.ts';
import { observeRequests } from './http/gate/observe-requests.ts';
import { recordRequests } from './http/gate/record-requests.ts';
import { normalizeTarget } from './http/gate/request-target.ts';
import { contextOf } from './http/request-context.ts';
import { MAX_PATH_PARAMETER_LENGTH } from './http/request-limits.ts';
import { frameworkErrors } from './http/responses/handle-errors.ts';
import type { FindAnswer } from './http/tls/challenge-server.ts';
import type { TlsMaterial } from './http/tls/self-signed.ts';
import { isErrorPageTarget } from './openapi/error-page.ts';
import { isOperatorTarget, isScreenTarget } from './operator/path.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The server of OPERATOR_ADDRESS; null without that setting. */
    operatorServer: Server | null;
  }
}

/**
 * Creates Fastify, without routes, and its servers, which check each request before the router does. Fastify
 * closes only its own server, not `operatorServer`. `tls` is null if a proxy terminates TLS. `findAnswer`
 * finds the answers to a certificate authority's challenges; null if there are none.
 */
export function createServers(
  services: AllServices,
  { tls, findAnswer }: { tls: TlsMaterial | null; findAnswer: FindAnswer | null },
): FastifyInstance {
  const { config, logger, metrics, trustedProxies, responseCache } = services;
  const { operatorAddress } = config;
  const isTlsServer = tls !== null;
  const firstSteps: GateStep[] = [
    observeRequests({
      metrics,
      logger,
      consoleHeaders,
      addressOf: (request) => clientAddress(request, trustedProxies),
      recordRequest: recordRequests(services),
      classify: (request) => ({
        isHttps: arrivedOverHttps(request, { trustedProxies, isTlsServer }),
        isConsole: isForPages(request.url),
      }),
    }),
    requireHttps({ isTlsServer }),
    requireKnownMethod,
    limitSize,
    limitAddresses(services),
  ];
  const lastSteps: GateStep[] = [
    // A cached response would bypass Fastify, which creates the spans.
    ...(isTlsServer && config.tracesUrl === null ? [responseCache.step] : []),
    refuseOverload(services),
  ];
  const createServer = (
    listener: RequestListener,
    isRefused: (target: string | undefined) => boolean,
  ): Server => {
    const connections = new Connections();
    const unreadable = new UnreadableRequests(connections, (target) =>
      isForPages(target) ? consoleHeaders : undefined,
    );
    const steps = [...firstSteps, refuseTargets(isRefused), ...lastSteps];
    const parts = { listener: createGate(steps, listener), connections, unreadable };
    const server =
      tls === null
        ? createPlainServer(parts, config)
        : createTlsServer(parts, tls, { ...config, findAnswer });
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => unreadable.respond(error, socket));
    return server;
  };
  let operatorServer: Server | null = null;
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would take longer than the request. Each log call adds the request id.
    childLoggerFactory: (parent) => parent,
    genReqId: (request) => contextOf(request).id,
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    rewriteUrl: ({ url }) => normalizeTarget(url),
    // `readRawParameters` reads the query, by the same rules as the post data.
    routerOptions: { querystringParser: () => ({}), maxParamLength: MAX_PATH_PARAMETER_LENGTH },
    serverFactory: (listener) => {
      if (operatorAddress === null) return createServer(listener, () => false);
      operatorServer = createServer(
        listener,
        (target) => !isOperatorTarget(target) && !isErrorPageTarget(target),
      );
      return createServer(listener, isOperatorTarget);
    },
    frameworkErrors,
    // `createServer` does this for each server.
    clientErrorHandler: () => {},
  });
  app.decorate('operatorServer', operatorServer);
  return app;
}

function isForPages(target: string | undefined): boolean {
  return isConsoleTarget(target) || isScreenTarget(target);
}
