import underPressure from '@fastify/under-pressure';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { UseRecorder } from './api-keys/record-use.ts';
import { TokenVerifier } from './api-keys/verify-token.ts';
import { campaignRoutes } from './campaigns/routes.ts';
import type { Config } from './config.ts';
import { consoleRoutes } from './console/routes.ts';
import type { Database } from './database/database.ts';
import { acceptBodies } from './http/body.ts';
import { refuseEarly } from './http/early-refusals.ts';
import { answerErrors, earlyErrorOptions } from './http/error-answers.ts';
import { KnownAnswers } from './http/known-answers.ts';
import { RateLimit } from './http/rate-limit.ts';
import { requestId } from './http/request-id.ts';
import { createPlainServer, createTlsServer, type TlsMaterial } from './http/server.ts';
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
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Requests that would wait for their turn longer than this are turned away with 503. */
const OVERLOADED_MS = 1_000;

/** Wires the whole service, in the order in which a request meets its parts. Nothing listens yet. */
export async function buildApp({
  config,
  database,
  tls,
  logger,
  now,
}: Dependencies): Promise<FastifyInstance> {
  const gatekeepers = {
    verifier: new TokenVerifier(database, now),
    rateLimit: new RateLimit(database, config.rateLimit, now),
    uses: new UseRecorder(database, now, (error) =>
      logger.warn({ err: error }, 'last use of keys not written'),
    ),
  };
  const knownAnswers = new KnownAnswers(gatekeepers);
  const lister = new ProductLister(database);
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs more than the request: what is logged names its request id itself.
    childLoggerFactory: (parent) => parent,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // The absolute form of a target (RFC 9112, 3.2.2) means the same as its path.
    rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?#]*/i, '') || '/',
    // Queries are read by our own rules, where the post data is.
    routerOptions: { querystringParser: () => ({}) },
    serverFactory: (listener) =>
      tls === null ? createPlainServer(listener) : createTlsServer(knownAnswers.before(listener), tls),
    ...earlyErrorOptions(config),
  });
  app.addHook('onClose', () => gatekeepers.uses.flush());

  refuseEarly(app, config);
  await app.register(underPressure, { maxEventLoopDelay: OVERLOADED_MS });
  acceptBodies(app);
  answerErrors(app);
  openApiRoutes(app, config);
  await app.register(
    async (v1) => {
      productRoutes(v1, { lister, knownAnswers }, gatekeepers);
      campaignRoutes(v1, { database, now, campaignTypes: config.campaignTypes }, gatekeepers);
      salesRoutes(v1, database, gatekeepers);
      variationRoutes(v1, database, gatekeepers);
    },
    { prefix: config.basePath },
  );
  await app.register((console) => consoleRoutes(console, { config, database, now, lister, logger }));
  return app;
}
