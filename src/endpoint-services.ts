import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { KeyUsageRecorder } from './api-keys/record-usage.ts';
import { TokenVerifier } from './api-keys/verify-token.ts';
import { ConcurrentUse } from './budgets/concurrent-use.ts';
import { CampaignBudget } from './campaigns/campaign-budget.ts';
import { CampaignCounter } from './campaigns/count-campaigns.ts';
import { CampaignLister } from './campaigns/list-campaigns.ts';
import type { Config } from './config.ts';
import { consoleRealm } from './console/auth/console-realm.ts';
import { PasswordQueue } from './console/auth/password-queue.ts';
import type { HashCost } from './console/auth/passwords.ts';
import { createSignIn } from './console/auth/sign-in.ts';
import { consoleSessions } from './console/sessions/session-authentication.ts';
import type { Database } from './database/database.ts';
import { OffLoopReads } from './database/off-loop-reads.ts';
import { merchantAuthentication } from './http/endpoint/merchant-authentication.ts';
import { ResponseCache } from './http/endpoint/response-cache.ts';
import { BodyMemory } from './http/gate/body-memory.ts';
import { ClientNetworks } from './http/gate/client-address.ts';
import { OverloadControl } from './http/gate/overload-control.ts';
import { createRateLimits } from './http/rate-limits/limits.ts';
import { Imports } from './imports/imports.ts';
import type { Metrics } from './observability/metrics.ts';
import { MarketplaceName } from './operators/marketplace-name.ts';
import { groupOrderCalls } from './orders/change/grouped-order-calls.ts';
import type { CustomerVault } from './orders/customer/customer-vault.ts';
import { OrderLister } from './orders/list/list-orders.ts';
import { ListedValuesReader } from './orders/listed-values.ts';
import { DiagnosisRecorder } from './placements/diagnosis/diagnosis-recorder.ts';
import { CompetitionFollower } from './placements/follow/competition-follower.ts';
import { HourlyPlacements } from './placements/hourly/hourly-placements.ts';
import { Pacing } from './placements/pacing/pacing.ts';
import { Auction } from './placements/reserve/auction.ts';
import { ProductLister } from './products/list/list-products.ts';
import { PageAssembler } from './products/list/page-assembler.ts';
import { GroupedWrites } from './products/write/grouped-writes.ts';
import { RequestRecorder } from './requests/request-recorder.ts';
import { recordVerb } from './writer-verbs.ts';

interface Parts {
  config: Config;
  database: Database;
  logger: FastifyBaseLogger;
  metrics: Metrics;
  /** Milliseconds since 1970. */
  now: () => number;
  customers: CustomerVault;
  passwordCost: HashCost | undefined;
  /** How often the service looks again at who competes, if it is not the default. */
  pollMs: number | undefined;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
}

/** The services that the endpoints of all features use. */
export type AllServices = ReturnType<typeof createServices>;

/** Creates the services that endpoints use. Each endpoint declares which of them it needs. */
export function createServices(parts: Parts) {
  const { config, database, logger, metrics, now } = parts;
  const { budgets, lowInventory, lowBudget, onlyListedCategories, moderationQueue, trustedProxies } = config;
  const warn =
    (message: string) =>
    (error: unknown): void =>
      logger.warn({ err: error }, message);
  const overloadControl = new OverloadControl(database.concurrency, { onShed: () => metrics.shed() });
  const offLoop = new OffLoopReads(database, (read) => overloadControl.runOutside(read));
  const onCountError = warn('shared rate-limit counter unavailable');
  const requests = {
    ...parts,
    budgets,
    trustedProxies,
    verifier: TokenVerifier.ofMerchants(database, now),
    limits: createRateLimits(database, config, now, onCountError),
    networks: new ClientNetworks(trustedProxies),
    overloadControl,
    bodyMemory: new BodyMemory(overloadControl),
    unreadBytes: new ConcurrentUse('unread_bytes', budgets.unread_bytes),
    usageRecorder: new KeyUsageRecorder(database, now, warn('last use of keys not recorded')),
    requestRecorder: new RequestRecorder(database, now, warn('requests not recorded; trying again')),
    /** The idempotency keys whose first request is in progress in this process. */
    inProgress: new Set<string>(),
  };
  const competitionFollower = new CompetitionFollower({
    database,
    qualityWeight: config.adQuality ? config.adQualityWeight : null,
    now,
    onError: warn('competition not followed; trying again'),
    metrics,
    pollMs: parts.pollMs,
  });
  const pacing = new Pacing({
    database,
    pacing: config.adPacing,
    now,
    onError: warn('pacing of campaigns not up to date; trying again'),
  });
  const hourlyPlacements = new HourlyPlacements(
    database,
    warn('hourly placements not written; trying again'),
  );
  const diagnosisRecorder = new DiagnosisRecorder(database, warn('outcomes of requests not written'));
  const signIn = createSignIn(consoleRealm, { ...parts, passwords: new PasswordQueue(parts.passwordCost) });
  const assembler = new PageAssembler(database.dialect, {
    spoolDirectory: join(config.dataDirectory, 'spool'),
    largePages: budgets.large_pages,
  });
  const lister = new ProductLister(database, {
    offLoop,
    assembler,
    unreadBytes: requests.unreadBytes,
    onPage: (found) => metrics.page(found),
  });
  const writeSettings = {
    lowInventory,
    maxCategories: budgets.categories,
    onlyListedCategories,
    moderationQueue,
  };
  const counted = { database, budgets, now, onError: onCountError };
  const campaignCounter = new CampaignCounter(database);
  addGauges(metrics, { ...requests, offLoop });
  return {
    ...requests,
    ...writeSettings,
    ...signIn,
    marketplaceName: new MarketplaceName(database, config.brand),
    lowBudget,
    authentication: merchantAuthentication(requests, consoleSessions({ ...requests, ...signIn })),
    responseCache: new ResponseCache(requests),
    offLoop,
    assembler,
    lister,
    groupedWrites: new GroupedWrites(database, recordVerb, { ...writeSettings, budgets }, now),
    orderCalls: groupOrderCalls({ database, now, lowInventory, budgets }),
    campaignBudget: new CampaignBudget({ ...counted, budget: 'campaigns_per_day' }),
    campaignChangeBudget: new CampaignBudget({ ...counted, budget: 'campaign_changes_per_day' }),
    campaignCounter,
    campaignLister: new CampaignLister(database, campaignCounter, now),
    orderLister: new OrderLister(database, offLoop),
    listedValues: new ListedValuesReader(database),
    competitionFollower,
    pacing,
    diagnosisRecorder,
    hourlyPlacements,
    qualityOf: (merchantId: number, campaignId: string, productId: number) => {
      // Another process may have got all requests for placements so far.
      competitionFollower.start();
      return competitionFollower.competition.qualityOf(merchantId, campaignId, productId);
    },
    imports: new Imports(parts),
    auction: new Auction({
      ...{ database, now, follower: competitionFollower, pacing, recorder: diagnosisRecorder },
      hourly: hourlyPlacements,
      ...{ pricing: config.adPricing, floor: config.adFloor },
    }),
  };
}

interface Measured {
  overloadControl: OverloadControl;
  offLoop: OffLoopReads;
  requestRecorder: RequestRecorder;
}

function addGauges(metrics: Metrics, { overloadControl, offLoop, requestRecorder }: Measured): void {
  metrics.gauge('requests_under_way', 'Requests in progress.', () => overloadControl.inProgress);
  metrics.gauge('requests_waiting', 'Requests that are queued.', () => overloadControl.waiting);
  metrics.gauge(
    'requests_not_logged',
    'Failed calls of merchants that their logs do not contain, because there were too many at once.',
    () => requestRecorder.dropped,
  );
  metrics.gauge(
    'off_loop_reads_waiting',
    'Expensive reads waiting for their merchant’s turn.',
    () => offLoop.waiting,
  );
}
