import { randomUUIDv7 } from 'node:crypto';
import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Database } from '../database/database.ts';
import { measureBacklog } from '../event-feed/backlog.ts';
import type { Metrics, RequestTotals } from '../observability/metrics.ts';
import { PollingLoop } from '../shared/polling-loop.ts';
import { VERSION } from '../version.ts';
import { INTERVAL_MS, KEPT_MS, SEEN_EVERY_MS } from './intervals.ts';
import { quantileOf, totalsSince } from './quantile.ts';
import {
  deleteNodeMetrics,
  deleteNodes,
  insertNodeMetrics,
  type NodeMetricsRow,
  type NodeRow,
  upsertNode,
} from './queries.ts';

interface Parts {
  database: Database;
  /** Milliseconds since 1970. */
  now: () => number;
  metrics: Metrics;
  onError(error: unknown): void;
}

/** The event loop's timer that measures its delay, in milliseconds. */
const RESOLUTION_MS = 20;

type Measured = Omit<NodeMetricsRow, 'outbox_seconds'>;

/**
 * Tells in the database, every minute, that this process serves it, and what it measured in each five
 * minutes. Figures are kept for a day while the database is away. Deletes what is older than a day.
 */
export class NodeReporter {
  readonly #parts: Parts;
  readonly #node: Omit<NodeRow, 'seen_at'>;
  readonly #loop: PollingLoop;
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #totals: RequestTotals = { requests: 0, errors: 0, durations: new Map() };
  /** When the five minutes that are measured began. */
  #interval: number;
  /** Figures of intervals that have ended, until the database has them. Oldest first. */
  #unstored: Measured[] = [];

  constructor(parts: Parts) {
    const started = parts.now();
    this.#parts = parts;
    this.#node = {
      id: randomUUIDv7(),
      host: hostname(),
      pid: process.pid,
      version: VERSION,
      started_at: started,
    };
    this.#interval = intervalOf(started);
    this.#loop = new PollingLoop({
      step: async () => {
        await this.report();
        return false;
      },
      pollMs: SEEN_EVERY_MS,
      minPauseMs: () => 0,
      onError: parts.onError,
    });
  }

  start(): void {
    this.#delay.enable();
    this.#loop.start();
  }

  async close(): Promise<void> {
    this.#delay.disable();
    await this.#loop.close();
  }

  /** Stores that the process is there, and the figures of the intervals that have ended. */
  async report(): Promise<void> {
    const { database, now } = this.#parts;
    const at = now();
    const node = { ...this.#node, seen_at: at };
    if (intervalOf(at) > this.#interval) await this.#endInterval(at);
    if (this.#unstored.length === 0) {
      await database.transaction((connection) => connection.run(upsertNode, node));
      return;
    }
    const { oldestSeconds } = await measureBacklog(database, database.dialect);
    await database.transaction(async (connection) => {
      await connection.run(upsertNode, node);
      for (const figures of this.#unstored) {
        // What waits now was already waiting at the end of the interval, or is newer.
        const lateSeconds = (intervalOf(at) - INTERVAL_MS - figures.at) / 1000;
        const outboxSeconds = Math.max(0, Math.floor(oldestSeconds - lateSeconds));
        await connection.run(insertNodeMetrics, { ...figures, outbox_seconds: outboxSeconds });
      }
      await connection.run(deleteNodeMetrics, { before: at - KEPT_MS });
      await connection.run(deleteNodes, { before: at - KEPT_MS });
    });
    this.#unstored = [];
  }

  /** Needs no database, so that each interval has its own figures. */
  async #endInterval(at: number): Promise<void> {
    const totals = await this.#parts.metrics.requestTotals();
    const { requests, errors, durations } = totalsSince(this.#totals, totals);
    const microseconds = (seconds: number | null): number | null =>
      seconds === null ? null : Math.round(seconds * 1_000_000);
    this.#unstored.push({
      at: this.#interval,
      node_id: this.#node.id,
      requests,
      errors,
      p50: microseconds(quantileOf(durations, requests, 0.5)),
      p99: microseconds(quantileOf(durations, requests, 0.99)),
      // The histogram has nanoseconds, and includes the timer's own interval.
      loop_delay: Math.max(0, Math.round(this.#delay.percentile(99) / 1000) - RESOLUTION_MS * 1000),
      memory_bytes: process.memoryUsage.rss(),
    });
    this.#unstored = this.#unstored.slice(-KEPT_MS / INTERVAL_MS);
    this.#totals = totals;
    this.#interval = intervalOf(at);
    this.#delay.reset();
  }
}

function intervalOf(time: number): number {
  return time - (time % INTERVAL_MS);
}
