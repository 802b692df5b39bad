import type { RequestListener, Server } from 'node:http';
import { join } from 'node:path';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { accountRoutes } from './account/routes.ts';
import { announceExpiringKeys } from './api-keys/announce-expiring-keys.ts';
import { KeyUsageRecorder } from './api-keys/record-usage.ts';
import { TokenVerifier } from './api-keys/verify-token.ts';
import { DAY_MS } from './budgets/budgets.ts';
import { ConcurrentUse } from './budgets/concurrent-use.ts';
import { CampaignBudget } from './campaigns/campaign-budget.ts';
import { continueRenames } from './campaigns/continue-renames.ts';
import { CampaignCounter } from './campaigns/count-campaigns.ts';
import { CampaignLister } from './campaigns/list-campaigns.ts';
import { campaignRoutes } from './campaigns/routes.ts';
import { campaignWriteRoutes } from './campaigns/write-routes.ts';
import type { Config } from './config.ts';
import { consoleHeaders, isConsoleTarget } from './console/headers.ts';
import { createMailDeliveries } from './console/mails/create-mail-deliveries.ts';
import { queueEventMails } from './console/mails/queue-event-mails.ts';
import { consoleRoutes } from './console/routes.ts';
import type { Database } from './database/database.ts';
import { OffLoopReads } from './database/off-loop-reads.ts';
import { Encryption } from './encryption/encryption.ts';
import { EventNumbering } from './event-feed/event-numbering.ts';
import { wakingDatabase } from './event-feed/waking-database.ts';
import { Connections } from './http/connections/connections.ts';
import { createPlainServer, createTlsServer } from './http/connections/server.ts';
import { UnreadableRequests } from './http/connections/unreadable-requests.ts';
import { ResponseCache } from './http/endpoint/response-cache.ts';
import { BodyMemory } from './http/gate/body-memory.ts';
import { ClientNetworks, clientAddress } from './http/gate/client-address.ts';
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
import { OverloadControl } from './http/gate/overload-control.ts';
import { recordRequests } from './http/gate/record-requests.ts';
import { refuseUnroutable } from './http/gate/refuse-unroutable.ts';
import { normalizeTarget } from './http/gate/request-target.ts';
import { acceptBodiesOnAllMethods } from './http/parameters/body.ts';
import { createRateLimits } from './http/rate-limits/limits.ts';
import { contextOf, UNKNOWN_ROUTE } from './http/request-context.ts';
import { MAX_PATH_PARAMETER_LENGTH } from './http/request-limits.ts';
import { frameworkErrors, handleErrors } from './http/responses/handle-errors.ts';
import type { TlsMaterial } from './http/tls/self-signed.ts';
import { endInterruptedImports } from './imports/end-interrupted-imports.ts';
import { Imports } from './imports/imports.ts';
import { importRoutes } from './imports/routes.ts';
import type { Metrics } from './observability/metrics.ts';
import { errorPageRoute, isErrorPageTarget } from './openapi/errors/error-page.ts';
import { merchantApi } from './openapi/merchant-api.ts';
import { openApiRoutes } from './openapi/routes.ts';
import { isOperatorTarget } from './operator/path.ts';
import { operatorRoutes } from './operator/routes.ts';
import { announceChanges } from './products/changes/announce-changes.ts';
import { ProductLister } from './products/list/list-products.ts';
import { PageAssembler } from './products/list/page-assembler.ts';
import { productIssueRoutes } from './products/moderation/routes.ts';
import { productRetrieveRoutes } from './products/retrieve/routes.ts';
import { productRoutes } from './products/routes.ts';
import { productSearchRoutes } from './products/search/routes.ts';
import { productBatchRoute } from './products/write/batch-route.ts';
import { GroupedWrites } from './products/write/grouped-writes.ts';
import { productWriteRoutes } from './products/write/routes.ts';
import { RequestRecorder } from './requests/request-recorder.ts';
import { deleteOldRequests } from './requests/retention.ts';
import { salesRoutes } from './sales/routes.ts';
import { testSideRoutes } from './test-side/routes.ts';
import { variationRoutes } from './variations/routes.ts';
import { variationWriteRoutes } from './variations/write-routes.ts';
import { deleteDeliveries, fanOut } from './webhooks/fan-out.ts';
import { addressFinder, type FindAddress } from './webhooks/receiver-address.ts';
import { WebhookDeliveries } from './webhooks/webhook-deliveries.ts';
import { WebhookSecrets } from './webhooks/webhook-secrets.ts';

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
  /** Finds the addresses of webhook receivers, if it is not the way of `addressFinder`. */
  findAddress?: FindAddress;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The server of OPERATOR_ADDRESS; null without that setting. */
    operatorServer: Server | null;
  }
}

/**
 * Builds the service from its parts. It does not listen yet.
 * @throws {KeyFileUnusable} if the key file cannot be used, or lacks a key that the database needs
 */
export async function buildApp({
  config,
  database: unwatched,
  tls,
  logger,
  metrics,
  now,
  findAddress = addressFinder(config.webhookNetworks),
}: Dependencies): Promise<FastifyInstance> {
  const encryption = new Encryption({
    file: config.encryptionKeyFile,
    onCreated: (line) => logger.warn(line),
  });
  const secrets = new WebhookSecrets(encryption, unwatched.dialect);
  await secrets.requireKeys(unwatched);
  const database = wakingDatabase(unwatched, () => eventNumbering.wake());
  const eventNumbering = new EventNumbering({
    database: unwatched,
    tasks: {
      announceChanges: () => announceChanges(database, now()),
      announceInterrupted: () => endInterruptedImports(database, now()),
      continueRenames: () => continueRenames({ database, now, lowInventory: config.lowInventory }),
      runHourly: async () => {
        await announceExpiringKeys(database, now());
        await deleteOldRequests(database, now());
      },
      deliver: async (connection, events) => {
        await fanOut(connection, database.dialect, events);
        if (mails === null) return;
        const { budgets } = config;
        await queueEventMails(connection, events, {
          budgets,
          now: now(),
          onBudgetUsedUp: (budget) => metrics.budgetExceeded(budget),
        });
      },
      deleteDeliveries,
    },
    retentionMs: config.eventRetentionDays * DAY_MS,
    now,
    onError: (error) => logger.warn({ err: error }, 'events not numbered; trying again'),
    onNumbered: (events) => {
      metrics.numberedEvents(events);
      webhooks.wake();
    },
  });
  const webhooks = new WebhookDeliveries({
    // Waking, because disabling an endpoint records an event.
    database,
    findAddress,
    secrets,
    now,
    budgets: config.budgets,
    onAttempt: (outcome) => metrics.webhook(outcome),
    onBudgetUsedUp: (budget) => metrics.budgetExceeded(budget),
    onError: (error) => logger.warn({ err: error }, 'webhooks not delivered; trying again'),
  });
  const mails = await createMailDeliveries({ config, database, now, logger, metrics });
  metrics.gauge(
    'outbox_events',
    'Events that are not in the feed yet, of all processes.',
    () => eventNumbering.backlog.waiting,
    { aggregator: 'max' },
  );
  metrics.gauge(
    'outbox_seconds',
    'Age of the oldest event that is not in the feed yet.',
    () => eventNumbering.backlog.oldestSeconds,
    { aggregator: 'max' },
  );
  metrics.gauge('event_lease', '1 if this process moves events to the feed.', () =>
    Number(eventNumbering.hasLease),
  );
  for (const [name, help, read] of [
    [
      'webhook_seconds',
      'Longest time that a due webhook has waited for a worker.',
      () => webhooks.queues.oldest_ms / 1000,
    ],
    ['webhooks_failing', 'Webhooks whose newest attempts have failed.', () => webhooks.queues.failing],
    ['webhooks_disabled', 'Webhooks that are disabled.', () => webhooks.queues.disabled],
  ] as const) {
    metrics.gauge(name, help, read, { aggregator: 'max' });
  }
  const overloadControl = new OverloadControl(database.concurrency, { onShed: () => metrics.shed() });
  metrics.gauge('requests_under_way', 'Requests in progress.', () => overloadControl.inProgress);
  metrics.gauge('requests_waiting', 'Requests that are queued.', () => overloadControl.waiting);
  const onCountError = (error: unknown): void =>
    logger.warn({ err: error }, 'shared rate-limit counter unavailable');
  const limits = createRateLimits(database, config, now, onCountError);
  const countedCampaigns = { database, budgets: config.budgets, now, onError: onCountError };
  const campaignBudget = new CampaignBudget({ ...countedCampaigns, budget: 'campaigns_per_day' });
  const campaignChangeBudget = new CampaignBudget({
    ...countedCampaigns,
    budget: 'campaign_changes_per_day',
  });
  const campaignCounter = new CampaignCounter(database);
  const campaignLister = new CampaignLister(database, campaignCounter);
  const networks = new ClientNetworks(config.trustedProxies);
  const stopping = new AbortController();
  const services = {
    stopping: stopping.signal,
    verifier: TokenVerifier.ofMerchants(database, now),
    limits,
    overloadControl,
    bodyMemory: new BodyMemory(overloadControl),
    usageRecorder: new KeyUsageRecorder(database, now, (error) =>
      logger.warn({ err: error }, 'last use of keys not recorded'),
    ),
    requestRecorder: new RequestRecorder(database, now, (error) =>
      logger.warn({ err: error }, 'requests not recorded; trying again'),
    ),
    metrics,
    networks,
    trustedProxies: config.trustedProxies,
    unreadBytes: new ConcurrentUse('unread_bytes', config.budgets.unread_bytes),
  };
  const writeServices = {
    ...services,
    database,
    budgets: config.budgets,
    now,
    inProgress: new Set<string>(),
  };
  const writeSettings = { lowInventory: config.lowInventory, maxCategories: config.budgets.categories };
  const groupedWrites = new GroupedWrites(database, writeSettings, now);
  const recordWriteServices = { ...writeServices, groupedWrites };
  const imports = new Imports({ config, database, now, logger, metrics });
  const responseCache = new ResponseCache(services);
  const offLoop = new OffLoopReads(database, (read) => overloadControl.runOutside(read));
  metrics.gauge(
    'requests_not_logged',
    'Failed calls of merchants that their logs do not contain, because there were too many at once.',
    () => services.requestRecorder.dropped,
  );
  metrics.gauge(
    'off_loop_reads_waiting',
    'Expensive reads waiting for their merchant’s turn.',
    () => offLoop.waiting,
  );
  const assembler = new PageAssembler(database.dialect, {
    spoolDirectory: join(config.dataDirectory, 'spool'),
    largePages: config.budgets.large_pages,
  });
  const lister = new ProductLister(database, {
    offLoop,
    assembler,
    unreadBytes: services.unreadBytes,
    onPage: (found) => metrics.page(found),
  });
  const isTlsServer = tls !== null;
  const firstSteps: GateStep[] = [
    observeRequests({
      metrics,
      logger,
      consoleHeaders,
      addressOf: (request) => clientAddress(request, config.trustedProxies),
      recordRequest: recordRequests(services),
      classify: (request) => ({
        isHttps: arrivedOverHttps(request, { trustedProxies: config.trustedProxies, isTlsServer }),
        isConsole: isConsoleTarget(request.url),
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
  /** Creates a server that refuses some targets. */
  const createServer = (
    listener: RequestListener,
    isRefused: (target: string | undefined) => boolean,
  ): Server => {
    const connections = new Connections();
    const unreadable = new UnreadableRequests(connections, (target) =>
      isConsoleTarget(target) ? consoleHeaders : undefined,
    );
    const steps = [...firstSteps, refuseTargets(isRefused), ...lastSteps];
    const parts = { listener: createGate(steps, listener), connections, unreadable };
    const server = tls === null ? createPlainServer(parts, config) : createTlsServer(parts, tls, config);
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => unreadable.respond(error, socket));
    return server;
  };
  let operatorServer: Server | null = null;
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
    routerOptions: { querystringParser: () => ({}), maxParamLength: MAX_PATH_PARAMETER_LENGTH },
    serverFactory: (listener) => {
      if (config.operatorAddress === null) return createServer(listener, () => false);
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
  let operatorClosed: Promise<void> | undefined;
  app.addHook('preClose', async () => {
    stopping.abort();
    // Fastify closes only its own server.
    if (operatorServer !== null)
      operatorClosed = new Promise((resolve) => operatorServer?.close(() => resolve()));
  });
  app.addHook('onReady', () => imports.start());
  app.addHook('onReady', async () => {
    eventNumbering.start();
    webhooks.start();
    mails?.start();
  });
  app.addHook('onClose', async () => {
    await operatorClosed;
    await imports.close();
    // Waits for requests whose clients have disconnected: their work still needs the database.
    await overloadControl.idle();
    await services.usageRecorder.flush();
    await services.requestRecorder.flush();
    await eventNumbering.close();
    await webhooks.close();
    await mails?.close();
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
  errorPageRoute(app);
  openApiRoutes(app, merchantApi(config.basePath), config.publicUrl);
  await app.register(
    async (v1) => {
      productRoutes(v1, { database, offLoop, lister, responseCache }, services);
      productSearchRoutes(v1, { offLoop, assembler, unreadBytes: services.unreadBytes }, services);
      productRetrieveRoutes(v1, { database, offLoop }, services);
      productIssueRoutes(v1, database, services);
      productWriteRoutes(v1, recordWriteServices);
      productBatchRoute(v1, writeSettings, writeServices);
      const campaignSettings = {
        campaignTypes: config.campaignTypes?.map(({ name }) => name) ?? null,
        budget: campaignBudget,
        lister: campaignLister,
        offLoop,
      };
      campaignRoutes(v1, campaignSettings, writeServices);
      campaignWriteRoutes(v1, { ...writeSettings, budget: campaignChangeBudget }, writeServices);
      salesRoutes(v1, { database, offLoop, now }, services);
      accountRoutes(v1, { database, now }, services);
      variationRoutes(v1, { database, offLoop }, services);
      testSideRoutes(v1, { database, now, lowInventory: config.lowInventory }, services);
      variationWriteRoutes(v1, recordWriteServices);
      importRoutes(v1, imports, writeServices);
    },
    { prefix: config.basePath },
  );
  await app.register((operator) =>
    operatorRoutes(operator, { config, offLoop, sender: webhooks.sender, secrets }, writeServices),
  );
  await app.register((console) =>
    consoleRoutes(console, {
      ...services,
      config,
      database,
      now,
      lister,
      assembler,
      offLoop,
      groupedWrites,
      logger,
      campaignBudget,
      campaignChangeBudget,
      campaignCounter,
      campaignLister,
      imports,
      sender: webhooks.sender,
      secrets,
    }),
  );
  return app;
}
