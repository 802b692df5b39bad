import type { Connection, Database } from '../database/database.ts';
import type { Metrics } from '../observability/metrics.ts';
import { PollingLoop } from '../shared/polling-loop.ts';
import { type Backlog, measureBacklog } from './backlog.ts';
import { deleteOldEvents } from './delete-old-events.ts';
import { Lease, LeaseLost } from './lease.ts';
import { EventMover } from './number-events.ts';
import type { EventRow } from './queries.ts';

/** How long the feed can be behind what other processes write. */
const POLL_MS = 500;
/**
 * The time between two looks at the outbox. The more events the last one found, the longer it is, because a transaction that
 * numbers more events costs less for each of them.
 */
const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 300;
const PAUSE_MS_PER_EVENT = 2;
/** The time between two measurements of the backlog. */
const BACKLOG_MS = 5_000;
/** The time between two looks for interrupted imports. */
const INTERRUPTED_MS = 5_000;
const HOUR_MS = 60 * 60 * 1000;

/** Other periodic work of the process that numbers events. */
export interface NumberingTasks {
  /** Records the events of changed catalogs that are due. */
  announceChanges(): Promise<void>;
  /** Adds the deliveries of events, in the transaction that numbers them. */
  deliver(connection: Connection, events: readonly EventRow[]): Promise<void>;
  /** Deletes the deliveries of events up to a number, in the transaction that deletes the events. */
  deleteDeliveries(connection: Connection, upTo: number): Promise<void>;
  /** Records the events of imports whose process is gone. Runs every few seconds. */
  announceInterrupted(): Promise<void>;
  /** Moves products of renamed campaigns, for about a second. */
  continueRenames(): Promise<void>;
  /** Runs once an hour. */
  runHourly(): Promise<void>;
}

/** The options of `EventNumbering`. */
export interface NumberingOptions {
  database: Database;
  tasks: NumberingTasks;
  /** How long events are kept, in milliseconds. */
  retentionMs: number;
  now: () => number;
  onError: (error: unknown) => void;
  metrics: Metrics;
  /** Called after each batch. */
  onNumbered: () => void;
  /** How long a dead process keeps the lease; see `Lease`. */
  leaseMs?: number;
}

/**
 * Numbers the events that transactions have written to the outbox, while it has the lease. Every process runs one. A number
 * is given after the event's transaction has committed, and in the order of numbers, so a client that has read up to one has
 * seen all before it.
 */
export class EventNumbering {
  readonly #options: NumberingOptions;
  readonly #lease: Lease;
  readonly #mover: EventMover;
  readonly #loop: PollingLoop;
  #announcing: Promise<void> | undefined;
  /** The number of events that the last look at the outbox found. */
  #moved = 0;
  #sweptAt: number | undefined;
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #measuredAt = Number.NEGATIVE_INFINITY;
  /** The events of all processes that were not in the feed a few seconds ago. */
  #backlog: Backlog = { waiting: 0, oldestSeconds: 0 };

  constructor(options: NumberingOptions) {
    this.#options = options;
    this.#lease = new Lease(options.database, options.leaseMs);
    const { deliver } = options.tasks;
    this.#mover = new EventMover(options.database, (connection) => this.#hold(connection), deliver);
    this.#loop = new PollingLoop({
      step: async () => {
        await this.#measureIfDue();
        return await this.#step();
      },
      pollMs: POLL_MS,
      minPauseMs: () => Math.min(Math.max(this.#moved * PAUSE_MS_PER_EVENT, MIN_PAUSE_MS), MAX_PAUSE_MS),
      onError: (error) => {
        if (!(error instanceof LeaseLost)) options.onError(error);
      },
    });
    this.#addGauges(options.metrics);
  }

  #addGauges(metrics: Metrics): void {
    metrics.gauge(
      'outbox_events',
      'Events that are not in the feed yet, of all processes.',
      () => this.#backlog.waiting,
      { aggregator: 'max' },
    );
    metrics.gauge(
      'outbox_seconds',
      'Age of the oldest event that is not in the feed yet.',
      () => this.#backlog.oldestSeconds,
      { aggregator: 'max' },
    );
    metrics.gauge('event_lease', '1 if this process moves events to the feed.', () =>
      Number(this.#lease.isHeld),
    );
  }

  start(): void {
    this.#loop.start();
  }

  /** Looks for new events soon. To be called after each transaction of this process that may have written some. */
  wake(): void {
    if (this.#lease.isHeld) this.#loop.wake();
  }

  /** Stops after the batch in progress, and lets another process continue at once. */
  async close(): Promise<void> {
    await this.#loop.close();
    await this.#announcing;
    await this.#lease.release().catch(this.#options.onError);
  }

  async #measureIfDue(): Promise<void> {
    if (performance.now() - this.#measuredAt < BACKLOG_MS) return;
    this.#measuredAt = performance.now();
    const { database } = this.#options;
    this.#backlog = await measureBacklog(database, database.dialect);
  }

  /** Does what is due now. Resolves to whether there may be more to do. */
  async #step(): Promise<boolean> {
    this.#moved = 0;
    if (!(await this.#lease.take())) return false;
    const isSweeping = await this.#sweepIfDue();
    this.#announce();
    const isEmpty = await this.#mover.isEmpty();
    for (let more = !isEmpty; more && !this.#loop.isStopping; ) {
      const batch = await this.#mover.moveBatch();
      this.#moved += batch.moved;
      this.#options.metrics.numberedEvents(batch.moved);
      this.#options.onNumbered();
      more = batch.more;
    }
    return isSweeping || !isEmpty;
  }

  /** Starts to announce changes, without waiting: their merchants may be locked for seconds. */
  #announce(): void {
    this.#announcing ??= this.#announceDue()
      .catch(this.#options.onError)
      .finally(() => {
        this.#announcing = undefined;
      });
  }

  async #announceDue(): Promise<void> {
    const { tasks } = this.#options;
    if (performance.now() - this.#interruptedAt >= INTERRUPTED_MS) {
      this.#interruptedAt = performance.now();
      await tasks.announceInterrupted();
    }
    await tasks.announceChanges();
    await tasks.continueRenames();
  }

  /** Does some of the hourly work. Resolves to whether there is more. */
  async #sweepIfDue(): Promise<boolean> {
    const { database, tasks, now, retentionMs } = this.#options;
    if (this.#sweptAt !== undefined && performance.now() - this.#sweptAt < HOUR_MS) return false;
    const hold = (connection: Connection): Promise<number> => this.#hold(connection);
    const { deleteDeliveries } = tasks;
    if (await deleteOldEvents(database, now() - retentionMs, hold, deleteDeliveries)) return true;
    this.#sweptAt = performance.now();
    await tasks.runHourly();
    return false;
  }

  #hold(connection: Connection): Promise<number> {
    return this.#lease.hold(connection);
  }
}
