import type { FastifyBaseLogger } from 'fastify';
import type { Acme } from './acme/acme.ts';
import { CertificateRenewal } from './acme/certificate-renewal.ts';
import { announceExpiringKeys } from './api-keys/announce-expiring-keys.ts';
import { DAY_MS } from './budgets/budgets.ts';
import { continueRenames } from './campaigns/continue-renames.ts';
import { deleteOldCampaignHistory } from './campaigns/history-retention.ts';
import type { Config } from './config.ts';
import { createMailDeliveries } from './console/mails/create-mail-deliveries.ts';
import { queueEventMails } from './console/mails/queue-event-mails.ts';
import type { Database } from './database/database.ts';
import { aroundTransactions } from './database/intercept.ts';
import { Encryption } from './encryption/encryption.ts';
import { MonthlyKeys } from './encryption/monthly-keys.ts';
import { EventNumbering } from './event-feed/event-numbering.ts';
import { endInterruptedImports } from './imports/end-interrupted-imports.ts';
import { requireUsedKeys } from './key-management/used-keys.ts';
import { NodeReporter } from './nodes/node-reporter.ts';
import type { Metrics } from './observability/metrics.ts';
import { CustomerVault } from './orders/customer/customer-vault.ts';
import { redactOldOrders } from './orders/customer/redact.ts';
import { renewKeys } from './orders/customer/renew-keys.ts';
import { deleteOldOrderHistory } from './orders/history/retention.ts';
import { announceOrders } from './orders/list/announce-orders.ts';
import { announceOverdue } from './orders/list/announce-overdue.ts';
import { deleteOldCounts } from './placements/diagnosis/delete-old-counts.ts';
import { deleteOldHourlyPlacements } from './placements/hourly/hourly-placements.ts';
import { ExpiredPlacements } from './placements/outcomes/release-expired.ts';
import { deleteOldRequestHours } from './placements/pacing/request-counts.ts';
import { deleteOldKeys } from './placements/reserve/delete-old-keys.ts';
import { announceChanges } from './products/changes/announce-changes.ts';
import { deleteOldHistory } from './products/history/retention.ts';
import { checkImage } from './products/images/check-image.ts';
import { forgetImages } from './products/images/forget-images.ts';
import { ImageChecks } from './products/images/image-checks.ts';
import { deleteOldDecisions } from './products/moderation/retention.ts';
import { ReleaseNotice } from './releases/release-notice.ts';
import { deleteOldRequests } from './requests/retention.ts';
import { ScheduledBackups } from './scheduled-backups.ts';
import { SenderThread } from './sender-thread.ts';
import { PollingLoop } from './shared/polling-loop.ts';
import { formatTime } from './shared/timestamps.ts';
import { deleteDeliveries, fanOut } from './webhooks/fan-out.ts';
import { addressFinder, type FindAddress } from './webhooks/receiver-address.ts';
import type { Sender } from './webhooks/send-message.ts';
import { WebhookDeliveries } from './webhooks/webhook-deliveries.ts';
import { WebhookSecrets } from './webhooks/webhook-secrets.ts';

const HOUR_MS = 60 * 60 * 1000;

/** What the work behind the requests needs. */
export interface BackgroundParts {
  config: Config;
  database: Database;
  logger: FastifyBaseLogger;
  metrics: Metrics;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Null without TLS=acme. */
  acme: Acme | null;
  /** Finds the addresses of webhook receivers and of images, if it is not the way of `addressFinder`. */
  findAddress?: FindAddress | undefined;
  /** How often the service looks again at what it follows, if it is not the default. */
  pollMs?: number | undefined;
}

/** The work behind the requests: numbering events, delivering webhooks, sending mail, checking images. */
interface Background {
  /** The database for requests. A transaction that commits wakes the numbering of events. */
  database: Database;
  secrets: WebhookSecrets;
  customers: CustomerVault;
  /** Sends messages to webhooks until `close`. */
  sender: Sender;
  start(): void;
  /** Stops after the work in progress. */
  close(): Promise<void>;
}

/**
 * Prepares the work behind the requests, which begins with `start`.
 * @throws {KeyFileUnusable} if the key file cannot be used, or lacks a key that the database needs
 */
export async function createBackground(parts: BackgroundParts): Promise<Background> {
  const { config, database: unwatched, acme, logger, metrics, now, pollMs } = parts;
  const { budgets, encryptionKeyFile: file } = config;
  const { monthly } = await requireUsedKeys(unwatched, file);
  const encryption = new Encryption({ file, onCreated: (line) => logger.warn(line) });
  const secrets = new WebhookSecrets(encryption, unwatched.dialect);
  const monthlyKeys = new MonthlyKeys({ file, onCreated: (line) => logger.warn(line), pollMs });
  await monthlyKeys.requireKeys(monthly);
  const customers = new CustomerVault(monthlyKeys, unwatched.dialect);
  const database = aroundTransactions(unwatched, async (run) => {
    const result = await run();
    numbering.wake();
    return result;
  });
  const stopping = new AbortController();
  const renewal = acme && renewalOf(acme, parts);
  const releases = releasesOf(parts);
  const findAddress = parts.findAddress ?? addressFinder(config.webhookNetworks);
  const senderThread = new SenderThread(config.mail);
  const images = new ImageChecks({
    database,
    now,
    random: Math.random,
    check: (url) =>
      checkImage(
        {
          findAddress,
          fetchStart: (image, signal) => senderThread.fetchStart(image, signal),
          stopping: stopping.signal,
        },
        url,
      ),
    onChecked: (outcome) => metrics.image(outcome),
    onError: (error) => logger.warn({ err: error }, 'images not checked; trying again'),
    pollMs,
  });
  const expired = new ExpiredPlacements({ database, now, lowBudget: config.lowBudget });
  const numbering = new EventNumbering({
    database: unwatched,
    tasks: {
      announceChanges: async () => {
        await announceChanges({ database, now });
        await announceOrders({ database, now });
        await announceOverdue({ database, now });
      },
      releaseExpired: (isStopping) => expired.release(isStopping),
      checkImages: async (isStopping) => {
        if (config.checkImages) await images.beginDue(isStopping);
      },
      announceInterrupted: () => endInterruptedImports({ database, now }),
      renewCertificate: async () => await renewal?.renewIfDue(stopping.signal),
      readReleaseFeed: async () => await releases?.readIfDue(stopping.signal),
      continueRenames: () => continueRenames({ database, now, lowInventory: config.lowInventory }),
      runHourly: async (isStopping) => {
        await announceExpiringKeys(database, now());
        await deleteOldRequests(database, now());
        await deleteOldDecisions(database, now());
        const historyBefore = now() - config.historyRetentionDays * DAY_MS;
        await deleteOldHistory(database, historyBefore, isStopping);
        await deleteOldCampaignHistory(database, historyBefore, isStopping);
        await deleteOldOrderHistory(database, historyBefore, isStopping);
        if (!config.checkImages) await forgetImages(database, isStopping);
        await deleteOldKeys(database, now() - DAY_MS);
        await deleteOldRequestHours(database, now());
        await deleteOldCounts(database, now());
        await deleteOldHourlyPlacements(database, now());
        const retentionMs = config.customerRetentionDays * DAY_MS;
        await redactOldOrders({ database, now }, now() - retentionMs, isStopping);
        await renewKeys({ database, now, customers }, now() - retentionMs, isStopping);
      },
      deliver: async (connection, events) => {
        await fanOut(connection, database.dialect, events);
        if (mails === null) return;
        await queueEventMails(connection, events, { budgets, now: now(), metrics });
      },
      deleteDeliveries,
    },
    retentionMs: config.eventRetentionDays * DAY_MS,
    now,
    metrics,
    onError: (error) => logger.warn({ err: error }, 'events not numbered; trying again'),
    onNumbered: () => webhooks.wake(),
    interruptedMs: pollMs,
  });
  // Each process does this, because each machine has its own key file.
  const keyDestruction = new PollingLoop({
    step: async () => {
      await customers.destroyUnusedKeys(unwatched, now());
      return false;
    },
    pollMs: HOUR_MS,
    minPauseMs: () => 0,
    onError: (error) => logger.warn({ err: error }, 'unused keys not destroyed; trying again'),
  });
  const node = new NodeReporter({
    database: unwatched,
    now,
    metrics,
    onError: (error) => logger.warn({ err: error }, 'figures of the process not stored; trying again'),
  });
  const backups = ScheduledBackups.of({ config, now, logger, metrics });
  const webhooks = new WebhookDeliveries({
    // Waking, because disabling a webhook records an event.
    database,
    findAddress,
    post: (post, signal) => senderThread.post(post, signal),
    secrets,
    now,
    budgets,
    metrics,
    onError: (error) => logger.warn({ err: error }, 'webhooks not delivered; trying again'),
  });
  const mails = createMailDeliveries({
    config,
    database,
    send: (mail, signal) => senderThread.sendMail(mail, signal),
    now,
    logger,
    metrics,
  });
  return {
    database,
    secrets,
    customers,
    sender: webhooks.sender,
    start: () => {
      numbering.start();
      keyDestruction.start();
      node.start();
      backups?.start();
      webhooks.start();
      mails?.start();
    },
    close: async () => {
      stopping.abort();
      await numbering.close();
      await images.end();
      await keyDestruction.close();
      await node.close();
      await backups?.close();
      await webhooks.close();
      await mails?.close();
      await senderThread.close();
    },
  };
}

function releasesOf({
  config: { releaseFeed: feed },
  database,
  now,
  logger,
}: BackgroundParts): ReleaseNotice | null {
  if (feed === null) return null;
  return new ReleaseNotice({
    feed,
    database,
    now,
    onRead: (newest) => logger.info(newest, 'newest release'),
    onFailed: (failure) => logger.warn(failure, 'newest release not known; trying again tomorrow'),
  });
}

function renewalOf({ settings, store }: Acme, { logger, metrics, now }: BackgroundParts): CertificateRenewal {
  metrics.gauge(
    'acme_certificate_seconds',
    'Time until the certificate of TLS=acme expires; 0 if there is none, or it has expired.',
    () => Math.max(0, Math.floor(((store.lastState.certificate?.valid_to ?? 0) - now()) / 1000)),
    { aggregator: 'max' },
  );
  metrics.gauge(
    'acme_failures',
    'Failed orders of a certificate since the last success.',
    () => store.lastState.failure?.failures ?? 0,
    { aggregator: 'max' },
  );
  return new CertificateRenewal({
    settings,
    store,
    now,
    random: Math.random,
    onObtained: ({ hosts, validTo, renewAt }) =>
      logger.info(
        { hosts, validTo: formatTime(validTo), renewAt: formatTime(renewAt) },
        'new certificate of the authority',
      ),
    onFailed: ({ reason, failures, retry_at: retryAt }) =>
      logger.warn({ reason, failures, retryAt: formatTime(retryAt) }, 'no new certificate; trying again'),
  });
}
