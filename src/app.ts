import { join } from 'node:path';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { UseRecorder } from './api-keys/record-use.ts';
import { TokenVerifier } from './api-keys/verify-token.ts';
import { ConcurrentUse } from './budgets/concurrent-use.ts';
import { CampaignBudget } from './campaigns/campaign-budget.ts';
import { campaignRoutes } from './campaigns/routes.ts';
import type { Config } from './config.ts';
import { consoleRoutes } from './console/routes.ts';
import type { Database } from './database/database.ts';
import { OffLoopReads } from './database/off-loop-reads.ts';
import {
  createPlainServer,
  createTlsServer,
  refusePlainHttp,
  type TlsMaterial,
} from './http/connections/server.ts';
import { ClientNetworks, clientAddress, type ProxiedRequest } from './http/gate/client-address.ts';
import { createGate } from './http/gate/gate.ts';
import { observeRequests } from './http/gate/observe-requests.ts';
import { OverloadControl } from './http/gate/overload-control.ts';
import { refuseUnroutable } from './http/gate/refuse-unroutable.ts';
import { normalizeTarget } from './http/gate/request-target.ts';
import { acceptBodies } from './http/parameters/body.ts';
import { createRateLimits } from './http/rate-limits/limits.ts';
import { contextOf, UNKNOWN_ROUTE } from './http/request-context.ts';
import { ResponseCache } from './http/responses/response-cache.ts';
import { earlyErrorOptions, handleErrors } from './http/responses/send-error.ts';
import type { Metrics } from './observability/metrics.ts';
import { openApiRoutes } from './openapi/routes.ts';
import { ProductLister } from './products/list/list-products.ts';
import { productRoutes } from './products/routes.ts';
import { salesRoutes } from './sales/routes.ts';
import { variationRoutes } from './variations/routes.ts';

/** What the program is built from. */
export interface Dependencies {
  config: Config;
  database: Database;
  /** Null where a proxy ends TLS. */
  tls: TlsMaterial | null;
  logger: FastifyBaseLogger;
  metrics: Metrics;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Wires the whole service, in the order in which a request meets its parts. Nothing listens yet. */
export async function buildApp({
  config,
  database,
  tls,
  logger,
  metrics,
  now,
}: Dependencies): Promise<FastifyInstance> {
  const overloadControl = new OverloadControl(database.concurrency, () => metrics.shed());
  metrics.gauge('requests_under_way', 'Requests that are worked on.', () => overloadControl.inProgress);
  metrics.gauge(
    'requests_waiting',
    'Requests that wait for others to be answered.',
    () => overloadControl.waiting,
  );
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
    usageRecorder: new UseRecorder(database, now, (error) =>
      logger.warn({ err: error }, 'last use of keys not written'),
    ),
    metrics,
    networks,
    unreadBytes: new ConcurrentUse('unread_bytes', config.budgets.unread_bytes),
  };
  const responseCache = new ResponseCache(services);
  const offLoop = new OffLoopReads(database);
  metrics.gauge(
    'off_loop_reads_waiting',
    'Expensive reads waiting for their merchant’s turn.',
    () => offLoop.waiting,
  );
  const lister = new ProductLister(database, {
    offLoop,
    spoolDirectory: join(config.dataDirectory, 'spool'),
    largePages: config.budgets.large_pages,
    unread: services.unreadBytes,
    onPage: (found) => metrics.page(found),
  });
  const addressOf = (request: ProxiedRequest): string => clientAddress(request, config.trustedProxies);
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs more than the request: what is logged names its request id itself.
    childLoggerFactory: (parent) => parent,
    genReqId: (request) => contextOf(request).id,
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    rewriteUrl: ({ url }) => normalizeTarget(url),
    // Queries are read by our own rules, where the post data is.
    routerOptions: { querystringParser: () => ({}) },
    serverFactory: (listener) => {
      const watch = { metrics, logger, addressOf };
      const behind = (known?: (rest: typeof listener) => typeof listener) =>
        observeRequests(createGate({ ...services, config }, listener, known), watch);
      return tls === null
        ? createPlainServer(behind(), config)
        : createTlsServer(
            // A traced request goes the whole way, where its span is.
            behind(config.tracesUrl === null ? (rest) => responseCache.before(rest) : undefined),
            observeRequests(refusePlainHttp, watch),
            tls,
            config,
          );
    },
    ...earlyErrorOptions(config),
  });
  app.addHook('onClose', async () => {
    // Also what nobody waits for any more: it needs the database to its end.
    await overloadControl.idle();
    await services.usageRecorder.flush();
  });

  if (config.tracesUrl !== null) {
    // Loaded only here: who wants no traces pays nothing for them.
    const { traceRequests } = await import('./observability/tracing.ts');
    await traceRequests(app, config.tracesUrl);
  }
  app.addHook('onRequest', (request, _reply, next) => {
    contextOf(request.raw).route = request.routeOptions.url ?? UNKNOWN_ROUTE;
    next();
  });
  refuseUnroutable(app, config);
  acceptBodies(app);
  handleErrors(app, metrics);
  openApiRoutes(app, config);
  await app.register(
    async (v1) => {
      productRoutes(v1, { lister, responseCache }, services);
      campaignRoutes(
        v1,
        { database, now, campaignTypes: config.campaignTypes, budget: campaignBudget },
        services,
      );
      salesRoutes(v1, database, services);
      variationRoutes(v1, { database, offLoop }, services);
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
