import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { accountEndpoint } from './account/account-endpoint.ts';
import { type BackgroundParts, createBackground } from './background.ts';
import { campaignEndpoints } from './campaigns/campaign-endpoints.ts';
import { campaignChangeEndpoints } from './campaigns/change-endpoints.ts';
import { campaignHistoryEndpoint } from './campaigns/history-endpoint.ts';
import type { HashCost } from './console/auth/passwords.ts';
import { consoleEndpoints } from './console/endpoints.ts';
import { forPages } from './console/word-errors.ts';
import { createServices } from './endpoint-services.ts';
import { deliveryEndpoints } from './event-api/delivery-endpoints.ts';
import { eventsEndpoint } from './event-api/events-endpoint.ts';
import { merchantEventApi } from './event-api/merchant-event-api.ts';
import { webhookEndpoints } from './event-api/webhook-endpoints.ts';
import { explainEndpoint } from './explain/explain-endpoint.ts';
import { refuseUnroutable } from './http/gate/refuse-unroutable.ts';
import { acceptBodiesOnAllMethods } from './http/parameters/body.ts';
import { contextOf, UNKNOWN_ROUTE } from './http/request-context.ts';
import { handleErrors } from './http/responses/handle-errors.ts';
import type { TlsMaterial } from './http/tls/self-signed.ts';
import { importEndpoints } from './imports/import-endpoints.ts';
import { importFileEndpoint } from './imports/import-file-endpoint.ts';
import { undoEndpoint } from './imports/undo-endpoint.ts';
import { metadataEndpoints } from './metadata/metadata-endpoints.ts';
import { errorPageRoute } from './openapi/error-page.ts';
import { merchantApi } from './openapi/merchant-api.ts';
import { serveDocument } from './openapi/serve-document.ts';
import { operatorEndpoints } from './operator/endpoints.ts';
import { orderBatchEndpoint } from './orders/batch-endpoint.ts';
import { orderChangeEndpoints } from './orders/change-endpoints.ts';
import { orderHistoryEndpoint } from './orders/history/history-endpoint.ts';
import { orderListEndpoint } from './orders/list-endpoint.ts';
import { orderEndpoints } from './orders/order-endpoints.ts';
import { diagnosisEndpoint } from './placements/diagnosis/diagnosis-endpoint.ts';
import { placementEndpoints } from './placements/placement-endpoints.ts';
import { productHistoryEndpoint } from './products/history/history-endpoint.ts';
import { productListEndpoint } from './products/list-endpoint.ts';
import { productIssuesEndpoint } from './products/moderation/issues-endpoint.ts';
import { productRetrieveEndpoints } from './products/retrieve/retrieve-endpoints.ts';
import { productSearchEndpoint } from './products/search/search-endpoint.ts';
import { productBatchEndpoint } from './products/write/batch-endpoint.ts';
import { productWriteEndpoints } from './products/write/write-endpoints.ts';
import { salesEndpoints } from './sales/sales-endpoints.ts';
import { scheduleEndpoint } from './sales/schedule-endpoint.ts';
import { createServers } from './servers.ts';
import { resetEndpoint } from './test-side/reset-endpoint.ts';
import { triggerEndpoint } from './test-side/trigger-endpoint.ts';
import { variationRetrieveEndpoints } from './variations/retrieve-endpoints.ts';
import { variationWriteEndpoints } from './variations/write-endpoints.ts';
import { TestDeliveries } from './webhooks/test-delivery.ts';

/** The parts that the service is built from. */
interface Dependencies extends BackgroundParts {
  /** Null if a proxy terminates TLS. */
  tls: TlsMaterial | null;
  /** Of new passwords, if it is not the default. */
  passwordCost?: HashCost | undefined;
}

/**
 * Builds the service from its parts. It does not listen yet.
 * @throws {KeyFileUnusable} as `createBackground`
 */
export async function buildApp(dependencies: Dependencies): Promise<FastifyInstance> {
  const { config, tls, acme, logger, metrics, now, passwordCost, pollMs } = dependencies;
  const background = await createBackground(dependencies);
  const { database, secrets, sender, customers } = background;
  const stopping = new AbortController();
  const { signal } = stopping;
  const services = createServices({
    ...{ config, database, logger, metrics, now, customers, passwordCost, pollMs },
    stopping: signal,
  });
  const {
    imports,
    competitionFollower,
    pacing,
    diagnosisRecorder,
    hourlyPlacements,
    overloadControl,
    requestRecorder,
    usageRecorder,
  } = services;
  const webhooks = {
    needs: { privateNetworks: config.webhookNetworks, secrets, budgets: config.budgets },
    testDeliveries: new TestDeliveries({ ...services, sender, secrets }),
  };
  const findAnswer = acme && ((host: string) => acme.answers.answerFor(host));
  const app = createServers(services, { tls, findAnswer });
  let serversClosed: Promise<unknown> | undefined;
  app.addHook('preClose', async () => {
    stopping.abort();
    // Fastify closes its own server only if it listens on an address, and not on a socket of systemd.
    serversClosed = Promise.all([closed(app.server), closed(app.operatorServer)]);
  });
  app.addHook('onReady', () => imports.start());
  app.addHook('onReady', async () => background.start());
  app.addHook('onReady', async () => {
    // Not awaited: the service starts without it.
    void competitionFollower.startIfUsed();
  });
  app.addHook('onClose', async () => {
    await serversClosed;
    await imports.close();
    await competitionFollower.close();
    // Waits for requests whose clients have disconnected: their work still needs the database.
    await overloadControl.idle();
    await pacing.close();
    await diagnosisRecorder.flush();
    await hourlyPlacements.flush();
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
  serveDocument(app, merchantApi(config.basePath), config.publicUrl);
  await app.register(
    async (v1) => {
      productListEndpoint(v1, services);
      productSearchEndpoint(v1, services);
      productRetrieveEndpoints(v1, services);
      productIssuesEndpoint(v1, services);
      productHistoryEndpoint(v1, services);
      productWriteEndpoints(v1, services);
      productBatchEndpoint(v1, services);
      campaignEndpoints(v1, services);
      campaignHistoryEndpoint(v1, services);
      campaignChangeEndpoints(v1, services);
      placementEndpoints(v1, services);
      diagnosisEndpoint(v1, services);
      salesEndpoints(v1, services);
      scheduleEndpoint(v1, services);
      orderListEndpoint(v1, services);
      orderEndpoints(v1, services);
      orderHistoryEndpoint(v1, services);
      orderChangeEndpoints(v1, services);
      orderBatchEndpoint(v1, services);
      explainEndpoint(v1, services);
      accountEndpoint(v1, services);
      metadataEndpoints(v1, services);
      variationRetrieveEndpoints(v1, services);
      variationWriteEndpoints(v1, services);
      resetEndpoint(v1, services);
      eventsEndpoint(v1, services, merchantEventApi);
      webhookEndpoints(v1, { ...services, ...webhooks }, merchantEventApi);
      deliveryEndpoints(v1, { ...services, ...webhooks }, merchantEventApi);
      triggerEndpoint(v1, services);
      importFileEndpoint(v1, services);
      importEndpoints(v1, services);
      undoEndpoint(v1, services);
    },
    { prefix: config.basePath },
  );
  await app.register((operator) => operatorEndpoints(operator, { ...services, ...webhooks }));
  await app.register((console) => consoleEndpoints(console, { ...services, ...webhooks }));
  return app;
}

/** Resolves once a server has no connections. */
async function closed(server: Server | null): Promise<void> {
  if (server !== null) await new Promise<void>((resolve) => server.close(() => resolve()));
}
