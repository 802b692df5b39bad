import type { FastifyInstance } from 'fastify';
import { accountRoutes } from './account/routes.ts';
import { type BackgroundParts, createBackground } from './background.ts';
import { campaignRoutes } from './campaigns/routes.ts';
import { campaignWriteRoutes } from './campaigns/write-routes.ts';
import { consoleRoutes } from './console/routes.ts';
import { forPages } from './console/word-errors.ts';
import { createServices } from './endpoint-services.ts';
import { refuseUnroutable } from './http/gate/refuse-unroutable.ts';
import { acceptBodiesOnAllMethods } from './http/parameters/body.ts';
import { contextOf, UNKNOWN_ROUTE } from './http/request-context.ts';
import { handleErrors } from './http/responses/handle-errors.ts';
import type { TlsMaterial } from './http/tls/self-signed.ts';
import { importRoutes } from './imports/routes.ts';
import { errorPageRoute } from './openapi/errors/error-page.ts';
import { merchantApi } from './openapi/merchant-api.ts';
import { openApiRoutes } from './openapi/routes.ts';
import { operatorRoutes } from './operator/routes.ts';
import { productIssueRoutes } from './products/moderation/routes.ts';
import { productRetrieveRoutes } from './products/retrieve/routes.ts';
import { productRoutes } from './products/routes.ts';
import { productSearchRoutes } from './products/search/routes.ts';
import { productBatchRoute } from './products/write/batch-route.ts';
import { productWriteRoutes } from './products/write/routes.ts';
import { salesRoutes } from './sales/routes.ts';
import { createServers } from './servers.ts';
import { testSideRoutes } from './test-side/routes.ts';
import { variationRoutes } from './variations/routes.ts';
import { variationWriteRoutes } from './variations/write-routes.ts';

/** The parts that the service is built from. */
export interface Dependencies extends BackgroundParts {
  /** Null if a proxy terminates TLS. */
  tls: TlsMaterial | null;
}

/**
 * Builds the service from its parts. It does not listen yet.
 * @throws {KeyFileUnusable} as `createBackground`
 */
export async function buildApp(dependencies: Dependencies): Promise<FastifyInstance> {
  const { config, tls, logger, metrics, now } = dependencies;
  const background = await createBackground(dependencies);
  const { database, secrets, sender } = background;
  const stopping = new AbortController();
  const services = createServices({ config, database, logger, metrics, now, stopping: stopping.signal });
  const { imports, overloadControl, requestRecorder, usageRecorder } = services;
  const app = createServers(services, tls);
  let operatorClosed: Promise<void> | undefined;
  app.addHook('preClose', async () => {
    stopping.abort();
    const { operatorServer } = app;
    if (operatorServer !== null)
      operatorClosed = new Promise((resolve) => operatorServer.close(() => resolve()));
  });
  app.addHook('onReady', () => imports.start());
  app.addHook('onReady', async () => background.start());
  app.addHook('onClose', async () => {
    await operatorClosed;
    await imports.close();
    // Waits for requests whose clients have disconnected: their work still needs the database.
    await overloadControl.idle();
    await usageRecorder.flush();
    await requestRecorder.flush();
    await background.close();
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
  handleErrors(app, metrics, forPages);
  errorPageRoute(app);
  openApiRoutes(app, merchantApi(config.basePath), config.publicUrl);
  await app.register(
    async (v1) => {
      productRoutes(v1, services);
      productSearchRoutes(v1, services);
      productRetrieveRoutes(v1, services);
      productIssueRoutes(v1, services);
      productWriteRoutes(v1, services);
      productBatchRoute(v1, services);
      campaignRoutes(v1, services);
      campaignWriteRoutes(v1, services);
      salesRoutes(v1, services);
      accountRoutes(v1, services);
      variationRoutes(v1, services);
      variationWriteRoutes(v1, services);
      testSideRoutes(v1, services);
      importRoutes(v1, services);
    },
    { prefix: config.basePath },
  );
  await app.register((operator) => operatorRoutes(operator, { ...services, sender, secrets }));
  await app.register((console) => consoleRoutes(console, { ...services, sender, secrets }));
  return app;
}
