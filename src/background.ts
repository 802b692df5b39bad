import type { FastifyBaseLogger } from 'fastify';
import { announceExpiringKeys } from './api-keys/announce-expiring-keys.ts';
import { DAY_MS } from './budgets/budgets.ts';
import { continueRenames } from './campaigns/continue-renames.ts';
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
import { announceOrders } from './orders/list/announce-orders.ts';
import { announceOverdue } from './orders/list/announce-overdue.ts';
import { deleteOldCounts } from './placements/diagnosis/delete-old-counts.ts';
import { deleteOldHourlyPlacements } from './placements/hourly/hourly-placements.ts';
import { ExpiredPlacements } from './placements/outcomes/release-expired.ts';
import { deleteOldRequestHours } from './placements/pacing/request-counts.ts';
import { deleteOldKeys } from './placements/reserve/delete-old-keys.ts';
import { announceChanges } from './products/changes/announce-changes.ts';
import { deleteOldDecisions } from './products/moderation/retention.ts';
import { deleteOldRequests } from './requests/retention.ts';
import { SenderThread } from './sender-thread.ts';
import { PollingLoop } from './shared/polling-loop.ts';
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
  /** Finds the addresses of webhook receivers, if it is not the way of `addressFinder`. */
  findAddress?: FindAddress | undefined;
}

/** The work behind the requests: numbering events, delivering webhooks, sending mail. */
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
  const { config, database: unwatched, logger, metrics, now } = parts;
  const { budgets, encryptionKeyFile: file } = config;
  const { monthly } = await requireUsedKeys(unwatched, file);
  const encryption = new Encryption({ file, onCreated: (line) => logger.warn(line) });
  const secrets = new WebhookSecrets(encryption, unwatched.dialect);
  const monthlyKeys = new MonthlyKeys({ file, onCreated: (line) => logger.warn(line) });
  await monthlyKeys.requireKeys(monthly);
  const customers = new CustomerVault(monthlyKeys, unwatched.dialect);
  const database = aroundTransactions(unwatched, async (run) => {
    const result = await run();
    numbering.wake();
    return result;
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
      announceInterrupted: () => endInterruptedImports({ database, now }),
      continueRenames: () => continueRenames({ database, now, lowInventory: config.lowInventory }),
      runHourly: async (isStopping) => {
        await announceExpiringKeys(database, now());
        await deleteOldRequests(database, now());
        await deleteOldDecisions(database, now());
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
  const senderThread = new SenderThread(config.mail);
  const webhooks = new WebhookDeliveries({
    // Waking, because disabling a webhook records an event.
    database,
    findAddress: parts.findAddress ?? addressFinder(config.webhookNetworks),
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
      webhooks.start();
      mails?.start();
    },
    close: async () => {
      await numbering.close();
      await keyDestruction.close();
      await node.close();
      await webhooks.close();
      await mails?.close();
      await senderThread.close();
    },
  };
}
