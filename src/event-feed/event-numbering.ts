import type { Connection, Database } from '../database/database.ts';
import type { Metrics } from '../observability/metrics.ts';
import { PollingLoop } from '../shared/polling-loop.ts';
import { type Backlog, measureBacklog } from './backlog.ts';
import { deleteOldEvents } from './delete-old-events.ts';
import { Lease, LeaseLost } from './lease.ts';
import { EventMover } from './number-events.ts';
import type { EventRow } from './queries.ts';
import { SideTask } from './side-task.ts';

/** How long the feed can be behind what other processes write. */
const POLL_MS = 500;
/** Longer after many events: a transaction that numbers more events costs less for each. */
const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 300;
const PAUSE_MS_PER_EVENT = 2;
const BACKLOG_MS = 5_000;
const INTERRUPTED_MS = 5_000;
const HOUR_MS = 60 * 60 * 1000;

export interface NumberingTasks {
  announceChanges(): Promise<void>;
  /** Runs in the transaction that numbers the events. */
  deliver(connection: Connection, events: readonly EventRow[]): Promise<void>;
  /** Runs in the transaction that deletes the events. */
  deleteDeliveries(connection: Connection, upTo: number): Promise<void>;
  /** Records the events of imports whose process is gone. Runs every few seconds. */
  announceInterrupted(): Promise<void>;
  /** Runs for about a second. */
  continueRenames(): Promise<void>;
  /** Takes as long as it needs, next to all other tasks. To stop soon after `isStopping`. */
  releaseExpired(isStopping: () => boolean): Promise<void>;
  /** Begins checks, and does not wait for them. They end soon after `isStopping`. */
  checkImages(isStopping: () => boolean): Promise<void>;
  /** Takes as long as it needs, next to all other tasks. */
  renewCertificate(): Promise<void>;
  /** Takes as long as it needs, next to all other tasks. */
  readReleaseFeed(): Promise<void>;
  /** Takes as long as it needs, next to the numbering. To stop soon after `isStopping`. */
  runHourly(isStopping: () => boolean): Promise<void>;
}

interface NumberingOptions {
  database: Database;
  tasks: NumberingTasks;
  retentionMs: number;
  now: () => number;
  onError: (error: unknown) => void;
  metrics: Metrics;
  /** Called after each batch. */
  onNumbered: () => void;
  /** How late an interrupted import is noticed. */
  interruptedMs?: number | undefined;
}

/**
 * Numbers events of the outbox while it has the lease. Every process runs one. An event gets its number after
 * its transaction has committed, and in order, so a client that has read up to one has seen all before it.
 */
export class EventNumbering {
  readonly #options: NumberingOptions;
  readonly #lease: Lease;
  readonly #mover: EventMover;
  readonly #loop: PollingLoop;
  readonly #sideTasks: readonly SideTask[];
  #moved = 0;
  #sweptAt: number | undefined;
  #hourly: Promise<void> | undefined;
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #measuredAt = Number.NEGATIVE_INFINITY;
  /** The events of all processes that were not in the feed a few seconds ago. */
  #backlog: Backlog = { waiting: 0, oldestSeconds: 0 };

  constructor(options: NumberingOptions) {
    this.#options = options;
    this.#lease = new Lease(options.database);
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
    const { tasks, onError } = options;
    const isStopping = (): boolean => this.#loop.isStopping || !this.#lease.isHeld;
    // The numbering does not wait for them: their merchants may be locked for seconds.
    this.#sideTasks = [
      new SideTask(() => this.#announceDue(), onError),
      new SideTask(() => tasks.releaseExpired(isStopping), onError),
      new SideTask(() => tasks.checkImages(isStopping), onError),
      new SideTask(() => tasks.renewCertificate(), onError),
      new SideTask(() => tasks.readReleaseFeed(), onError),
    ];
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

  /** To be called after each transaction of this process that may have written events. */
  wake(): void {
    if (this.#lease.isHeld) this.#loop.wake();
  }

  /** Stops after the batch in progress. Another process continues at once. */
  async close(): Promise<void> {
    await this.#loop.close();
    for (const task of this.#sideTasks) await task.end();
    await this.#hourly;
    await this.#lease.release().catch(this.#options.onError);
  }

  async #measureIfDue(): Promise<void> {
    if (performance.now() - this.#measuredAt < BACKLOG_MS) return;
    this.#measuredAt = performance.now();
    const { database } = this.#options;
    this.#backlog = await measureBacklog(database, database.dialect);
  }

  /** Resolves to whether there may be more to do. */
  async #step(): Promise<boolean> {
    this.#moved = 0;
    if (!(await this.#lease.take())) return false;
    const isSweeping = await this.#sweepIfDue();
    for (const task of this.#sideTasks) task.begin();
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

  async #announceDue(): Promise<void> {
    const { tasks, interruptedMs = INTERRUPTED_MS } = this.#options;
    if (performance.now() - this.#interruptedAt >= interruptedMs) {
      this.#interruptedAt = performance.now();
      await tasks.announceInterrupted();
    }
    await tasks.announceChanges();
    await tasks.continueRenames();
  }

  /** Resolves to whether there is more. */
  async #sweepIfDue(): Promise<boolean> {
    const { database, tasks, now, retentionMs, onError } = this.#options;
    if (this.#sweptAt !== undefined && performance.now() - this.#sweptAt < HOUR_MS) return false;
    const hold = (connection: Connection): Promise<number> => this.#hold(connection);
    const { deleteDeliveries } = tasks;
    if (await deleteOldEvents(database, now() - retentionMs, hold, deleteDeliveries)) return true;
    this.#sweptAt = performance.now();
    // Not awaited: erasing the customers of many orders takes minutes, and events must not wait for it.
    this.#hourly ??= tasks
      .runHourly(() => this.#loop.isStopping)
      .catch(onError)
      .finally(() => {
        this.#hourly = undefined;
      });
    return false;
  }

  #hold(connection: Connection): Promise<number> {
    return this.#lease.hold(connection);
  }
}
