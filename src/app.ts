import { join } from 'node:path';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { accountRoutes } from './account/routes.ts';
import { KeyUsageRecorder } from './api-keys/record-usage.ts';
import { TokenVerifier } from './api-keys/verify-token.ts';
import { ConcurrentUse } from './budgets/concurrent-use.ts';
import { CampaignBudget } from './campaigns/campaign-budget.ts';
import { campaignRoutes } from './campaigns/routes.ts';
import type { Config } from './config.ts';
import { consoleHeaders, isConsoleTarget } from './console/headers.ts';
import { consoleRoutes } from './console/routes.ts';
import type { Database } from './database/database.ts';
import { OffLoopReads } from './database/off-loop-reads.ts';
import { Connections } from './http/connections/connections.ts';
import { createPlainServer, createTlsServer } from './http/connections/server.ts';
import { UnreadableRequests } from './http/connections/unreadable-requests.ts';
import { ResponseCache } from './http/endpoint/response-cache.ts';
import { ClientNetworks, clientAddress } from './http/gate/client-address.ts';
import {
  createGate,
  limitAddresses,
  limitSize,
  refuseOverload,
  requireKnownMethod,
  type Step,
} from './http/gate/gate.ts';
import { arrivedOverHttps, requireHttps } from './http/gate/https.ts';
import { observeRequests } from './http/gate/observe-requests.ts';
import { OverloadControl } from './http/gate/overload-control.ts';
import { refuseUnroutable } from './http/gate/refuse-unroutable.ts';
import { normalizeTarget } from './http/gate/request-target.ts';
import { acceptBodiesOnAllMethods } from './http/parameters/body.ts';
import { createRateLimits } from './http/rate-limits/limits.ts';
import { contextOf, UNKNOWN_ROUTE } from './http/request-context.ts';
import { frameworkErrors, handleErrors } from './http/responses/handle-errors.ts';
import type { TlsMaterial } from './http/tls/self-signed.ts';
import type { Metrics } from './observability/metrics.ts';
import { openApiRoutes } from './openapi/routes.ts';
import { ProductLister } from './products/list/list-products.ts';
import { productRetrieveRoutes } from './products/retrieve/routes.ts';
import { productRoutes } from './products/routes.ts';
import { productWriteRoutes } from './products/write/routes.ts';
import { salesRoutes } from './sales/routes.ts';
import { variationRoutes } from './variations/routes.ts';
import { variationWriteRoutes } from './variations/write-routes.ts';

/** The parts that the service is built from. */
export interface Dependencies {
  config: Config;
  database: Database;
  /** Null if a proxy terminates TLS. */
  tls: TlsMaterial | null;
  logger: FastifyBaseLogger;
  metrics: Metrics;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Builds the service from its parts. It does not listen yet. */
export async function buildApp({
  config,
  database,
  tls,
  logger,
  metrics,
  now,
}: Dependencies): Promise<FastifyInstance> {
  const overloadControl = new OverloadControl(database.concurrency, () => metrics.shed());
  metrics.gauge('requests_under_way', 'Requests in progress.', () => overloadControl.inProgress);
  metrics.gauge('requests_waiting', 'Requests that are queued.', () => overloadControl.waiting);
  const onCountError = (error: unknown): void =>
    logger.warn({ err: error }, 'shared rate-limit counter unavailable');
  const limits = createRateLimits(database, config, now, onCountError);
  const campaignBudget = new CampaignBudget({
    database,
    budgets: config.budgets,
    now,
    onError: onCountError,
  });
  const networks = new ClientNetworks(config.trustedProxies);
  const services = {
    verifier: new TokenVerifier(database, now),
    limits,
    overloadControl,
    usageRecorder: new KeyUsageRecorder(database, now, (error) =>
      logger.warn({ err: error }, 'last use of keys not recorded'),
    ),
    metrics,
    networks,
    unreadBytes: new ConcurrentUse('unread_bytes', config.budgets.unread_bytes),
  };
  const writeServices = { ...services, database, now, inProgress: new Set<string>() };
  const writeSettings = { lowInventory: config.lowInventory, maxCategories: config.budgets.categories };
  const responseCache = new ResponseCache(services);
  const offLoop = new OffLoopReads(database, (read) => overloadControl.runOutside(read));
  metrics.gauge(
    'off_loop_reads_waiting',
    'Expensive reads waiting for their merchant’s turn.',
    () => offLoop.waiting,
  );
  const lister = new ProductLister(database, {
    offLoop,
    spoolDirectory: join(config.dataDirectory, 'spool'),
    largePages: config.budgets.large_pages,
    unreadBytes: services.unreadBytes,
    onPage: (found) => metrics.page(found),
  });
  const isTlsServer = tls !== null;
  const connections = new Connections();
  const unreadable = new UnreadableRequests(connections, (target) =>
    isConsoleTarget(target) ? consoleHeaders : undefined,
  );
  const steps: Step[] = [
    observeRequests({
      metrics,
      logger,
      consoleHeaders,
      addressOf: (request) => clientAddress(request, config.trustedProxies),
      classify: (request) => ({
        isHttps: arrivedOverHttps(request, { trustedProxies: config.trustedProxies, isTlsServer }),
        isConsole: isConsoleTarget(request.url),
      }),
    }),
    requireHttps({ isTlsServer }),
    requireKnownMethod,
    limitSize,
    limitAddresses(services),
    // A cached response would bypass Fastify, which creates the spans.
    ...(isTlsServer && config.tracesUrl === null ? [responseCache.step] : []),
    refuseOverload(services),
  ];
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Creating a logger for each request takes longer than handling it. Each log call adds the request id itself.
    childLoggerFactory: (parent) => parent,
    genReqId: (request) => contextOf(request).id,
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    rewriteUrl: ({ url }) => normalizeTarget(url),
    // `readRawParameters` reads the query, by the same rules as the post data.
    routerOptions: { querystringParser: () => ({}) },
    serverFactory: (listener) => {
      const parts = { listener: createGate(steps, listener), connections, unreadable };
      return tls === null ? createPlainServer(parts, config) : createTlsServer(parts, tls, config);
    },
    frameworkErrors,
    clientErrorHandler: (error, socket) => unreadable.respond(error, socket),
  });
  app.addHook('onClose', async () => {
    // Waits for requests whose clients have disconnected: their work still needs the database.
    await overloadControl.idle();
    await services.usageRecorder.flush();
  });

  if (config.tracesUrl !== null) {
    // Loaded on demand, so that it costs nothing without traces.
    const { traceRequests } = await import('./observability/tracing.ts');
    await traceRequests(app, config.tracesUrl, UNKNOWN_ROUTE);
  }
  app.addHook('onRequest', (request, _reply, next) => {
    contextOf(request.raw).route = request.routeOptions.url ?? UNKNOWN_ROUTE;
    next();
  });
  refuseUnroutable(app);
  acceptBodiesOnAllMethods(app);
  handleErrors(app, metrics);
  openApiRoutes(app, config);
  await app.register(
    async (v1) => {
      productRoutes(v1, { lister, responseCache }, services);
      productRetrieveRoutes(v1, { database, offLoop }, services);
      productWriteRoutes(v1, writeSettings, writeServices);
      campaignRoutes(v1, { campaignTypes: config.campaignTypes, budget: campaignBudget }, writeServices);
      salesRoutes(v1, database, services);
      accountRoutes(v1, { database, now }, services);
      variationRoutes(v1, { database, offLoop }, services);
      variationWriteRoutes(v1, writeSettings, writeServices);
    },
    { prefix: config.basePath },
  );
  await app.register((console) =>
    consoleRoutes(console, {
      ...services,
      config,
      database,
      now,
      lister,
      offLoop,
      logger,
      campaignBudget,
    }),
  );
  return app;
}
