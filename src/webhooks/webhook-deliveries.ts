import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PollingLoop } from '../shared/polling-loop.ts';
import { deliverToWebhook, takeWebhook } from './deliver-to-webhook.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import { queueStatements } from './delivery-queries.ts';
import { Places } from './places.ts';
import type { PostMessage } from './post-message.ts';
import { measureQueues, type QueueState, type WebhookRow } from './queries.ts';
import type { FindAddress } from './receiver-address.ts';
import { createSender, type Sender } from './send-message.ts';

/** How late a delivery can be, not counting the deliveries before it. */
const POLL_MS = 500;
const MIN_PAUSE_MS = 50;
/** How long results wait to share a commit. */
const GATHER_MS = 10;
const MEASURE_MS = 5_000;
/** Webhooks served at a time. Failing ones have places of their own. */
const PLACES = {
  healthy: { total: 100, perMerchant: 8 },
  failing: { total: 50, perMerchant: 4 },
};
/** How long a stop waits for attempts in progress. */
const STOP_MS = 3_000;

const NO_QUEUES: QueueState = { webhooks: 0, failing: 0, disabled: 0, waiting: 0, oldest_ms: 0 };

interface WebhookOptions extends Pick<DeliveryParts, 'database' | 'secrets' | 'budgets' | 'metrics'> {
  findAddress: FindAddress;
  post: PostMessage;
  now: () => number;
  onError(error: unknown): void;
}

/**
 * Delivers events to webhooks. Every process runs one. A process holds the lease of each webhook that it
 * serves; if it dies, another continues after 40 seconds.
 */
export class WebhookDeliveries {
  readonly #parts: DeliveryParts;
  readonly #onError: (error: unknown) => void;
  readonly #places = { healthy: new Places(PLACES.healthy), failing: new Places(PLACES.failing) };
  readonly #loop: PollingLoop;
  #nextCommit: Promise<void> | undefined;
  /** The queues of all processes, as they were a few seconds ago. */
  #queues = NO_QUEUES;
  #measuredAt = Number.NEGATIVE_INFINITY;
  readonly #stopping = new AbortController();
  /** Sends until `close`. */
  readonly sender: Sender;

  constructor({ onError, findAddress, post, now, ...parts }: WebhookOptions) {
    this.sender = createSender({ findAddress, post, now, stopping: this.#stopping.signal });
    const statements = queueStatements(parts.database.dialect);
    this.#parts = {
      ...parts,
      sender: this.sender,
      statements,
      holder: randomUUID(),
      clock: () => performance.now(),
      nextCommit: () => {
        this.#nextCommit ??= pause(GATHER_MS).then(() => {
          this.#nextCommit = undefined;
        });
        return this.#nextCommit;
      },
    };
    this.#onError = onError;
    const step = async (): Promise<boolean> => {
      await this.#measureIfDue();
      await this.#startDue('healthy');
      await this.#startDue('failing');
      return false;
    };
    this.#loop = new PollingLoop({ step, pollMs: POLL_MS, minPauseMs: () => MIN_PAUSE_MS, onError });
    for (const [name, help, read] of [
      [
        'webhook_seconds',
        'Longest time that a due webhook has waited for a worker.',
        () => this.#queues.oldest_ms / 1000,
      ],
      ['webhooks_failing', 'Webhooks whose newest attempts have failed.', () => this.#queues.failing],
      ['webhooks_disabled', 'Webhooks that are disabled.', () => this.#queues.disabled],
    ] as const) {
      parts.metrics.gauge(name, help, read, { aggregator: 'max' });
    }
  }

  start(): void {
    this.#loop.start();
  }

  /** To be called after deliveries were added. */
  wake(): void {
    this.#loop.wake();
  }

  /** Ends after the attempts in progress. Other processes continue at once. */
  async close(): Promise<void> {
    await this.#loop.close();
    const abort = setTimeout(() => this.#stopping.abort(), STOP_MS);
    await Promise.all([...this.#places.healthy.work, ...this.#places.failing.work]);
    clearTimeout(abort);
  }

  async #measureIfDue(): Promise<void> {
    if (performance.now() - this.#measuredAt < MEASURE_MS) return;
    this.#measuredAt = performance.now();
    const { database } = this.#parts;
    this.#queues =
      (await database.first(measureQueues(database.dialect), { now: this.sender.now() })) ?? NO_QUEUES;
  }

  async #startDue(kind: 'healthy' | 'failing'): Promise<void> {
    const { database, statements } = this.#parts;
    const places = this.#places[kind];
    if (places.isFull) return;
    const due = await database.all(statements.listDueWebhooks, {
      failing: kind === 'failing' ? 1 : 0,
      perMerchant: places.limits.perMerchant,
      // Enough: a webhook without a place is of a merchant that uses another one.
      limit: places.limits.total,
      now: this.sender.now(),
    });
    const ids = places
      .choose(due)
      .map(({ id }) => id)
      .sort();
    if (ids.length === 0) return;
    const taken = await database.transaction(async (connection) => {
      const rows: WebhookRow[] = [];
      for (const id of ids) {
        const row = await takeWebhook(connection, this.#parts, id);
        if (row !== undefined) rows.push(row);
      }
      return rows;
    });
    for (const webhook of taken) {
      const shouldYield = (): boolean => this.#loop.isStopping || places.isContended(webhook.merchant_id);
      const work = deliverToWebhook(this.#parts, webhook, shouldYield)
        .catch(this.#onError)
        .finally(() => this.wake());
      places.occupy(webhook, work);
    }
  }
}
