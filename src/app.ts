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
import { Admission } from './http/admission.ts';
import { acceptBodies } from './http/body.ts';
import { refuseEarly } from './http/early-refusals.ts';
import { answerErrors, earlyErrorOptions } from './http/error-answers.ts';
import { front } from './http/front.ts';
import { KnownAnswers } from './http/known-answers.ts';
import { createLimits } from './http/limits/limits.ts';
import { type Arrived, ClientNetworks, clientAddress } from './http/proxies.ts';
import { normalizeTarget } from './http/request-target.ts';
import { createPlainServer, createTlsServer, refusePlainHttp, type TlsMaterial } from './http/server.ts';
import type { Metrics } from './observability/metrics.ts';
import { NO_ROUTE, trailOf } from './observability/trail.ts';
import { watchRequests } from './observability/watch-requests.ts';
import { openApiRoutes } from './openapi/routes.ts';
import { ProductLister } from './products/list-products.ts';
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
  const admission = new Admission(database.concurrency, () => metrics.shed());
  metrics.gauge('requests_under_way', 'Requests that are worked on.', () => admission.underWay);
  metrics.gauge('requests_waiting', 'Requests that wait for others to be answered.', () => admission.waiting);
  const onCountError = (error: unknown): void =>
    logger.warn({ err: error }, 'shared rate-limit counter unavailable');
  const limits = createLimits(database, config, now, onCountError);
  const campaignBudget = new CampaignBudget({
    database,
    budgets: config.budgets,
    now,
    onError: onCountError,
  });
  const networks = new ClientNetworks(config.trustedProxies);
  const gatekeepers = {
    verifier: new TokenVerifier(database, now),
    limits,
    admission,
    uses: new UseRecorder(database, now, (error) =>
      logger.warn({ err: error }, 'last use of keys not written'),
    ),
    metrics,
    networks,
    unread: new ConcurrentUse('unread_bytes', config.budgets.unread_bytes),
  };
  const knownAnswers = new KnownAnswers(gatekeepers);
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
    unread: gatekeepers.unread,
    onPage: (found) => metrics.page(found),
  });
  const addressOf = (request: Arrived): string => clientAddress(request, config.trustedProxies);
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs more than the request: what is logged names its request id itself.
    childLoggerFactory: (parent) => parent,
    genReqId: (request) => trailOf(request).id,
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    rewriteUrl: ({ url }) => normalizeTarget(url),
    // Queries are read by our own rules, where the post data is.
    routerOptions: { querystringParser: () => ({}) },
    serverFactory: (listener) => {
      const watch = { metrics, logger, addressOf };
      const behind = (known?: (rest: typeof listener) => typeof listener) =>
        watchRequests(front({ ...gatekeepers, config }, listener, known), watch);
      return tls === null
        ? createPlainServer(behind(), config)
        : createTlsServer(
            // A traced request goes the whole way, where its span is.
            behind(config.tracesUrl === null ? (rest) => knownAnswers.before(rest) : undefined),
            watchRequests(refusePlainHttp, watch),
            tls,
            config,
          );
    },
    ...earlyErrorOptions(config),
  });
  app.addHook('onClose', async () => {
    // Also what nobody waits for any more: it needs the database to its end.
    await admission.idle();
    await gatekeepers.uses.flush();
  });

  if (config.tracesUrl !== null) {
    // Loaded only here: who wants no traces pays nothing for them.
    const { traceRequests } = await import('./observability/tracing.ts');
    await traceRequests(app, config.tracesUrl);
  }
  app.addHook('onRequest', (request, _reply, next) => {
    trailOf(request.raw).route = request.routeOptions.url ?? NO_ROUTE;
    next();
  });
  refuseEarly(app, config);
  acceptBodies(app);
  answerErrors(app, metrics);
  openApiRoutes(app, config);
  await app.register(
    async (v1) => {
      productRoutes(v1, { lister, knownAnswers }, gatekeepers);
      campaignRoutes(
        v1,
        { database, now, campaignTypes: config.campaignTypes, budget: campaignBudget },
        gatekeepers,
      );
      salesRoutes(v1, database, gatekeepers);
      variationRoutes(v1, { database, offLoop }, gatekeepers);
    },
    { prefix: config.basePath },
  );
  await app.register((console) =>
    consoleRoutes(console, {
      ...gatekeepers,
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
