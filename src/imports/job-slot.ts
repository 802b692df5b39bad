import type { Database } from '../database/database.ts';
import { intercept } from '../database/intercept.ts';
import type { FairQueue } from '../shared/fair-queue.ts';

const SLICE_MS = 100;
/** A job that has used less CPU time has its own queue, so that a small file does not wait for large ones. */
const SHORT_JOB_SECONDS = 1;
/** A transaction that takes longer is waiting for another process, so other jobs run in the meantime. */
const RELEASE_AFTER_MS = 1_000;
const LONG_JOBS = 'long jobs';

/**
 * The turns of one job, which runs between `acquire` and `release`, and calls `yieldIfDue` often. One job of
 * a process runs at a time. Each short job has a queue of its own, and long jobs share one, so a new job
 * waits for at most one slice of each short job and one of a long job.
 */
export class JobSlot {
  readonly #queue: FairQueue;
  readonly #ownQueue: string;
  readonly #onTurn: () => void;
  #endTurn: (() => void) | undefined;
  #startedAt = 0;
  #cpuAtStart = process.cpuUsage();
  #usedSeconds = 0;

  /** A merchant has at most one job at a time. `onTurn` is called at the start of each of its turns. */
  constructor(queue: FairQueue, merchantId: number, onTurn: () => void) {
    this.#queue = queue;
    this.#ownQueue = `merchant ${merchantId}`;
    this.#onTurn = onTurn;
  }

  /** In seconds, of all turns so far. */
  get cpuSeconds(): number {
    if (this.#endTurn === undefined) return this.#usedSeconds;
    const { user, system } = process.cpuUsage(this.#cpuAtStart);
    return this.#usedSeconds + (user + system) / 1_000_000;
  }

  async acquire(): Promise<void> {
    const started = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const queue = this.#usedSeconds < SHORT_JOB_SECONDS ? this.#ownQueue : LONG_JOBS;
    void this.#queue.run(queue, () => {
      started.resolve();
      return ended.promise;
    });
    await started.promise;
    this.#startedAt = performance.now();
    this.#cpuAtStart = process.cpuUsage();
    this.#endTurn = () => ended.resolve();
    this.#onTurn();
  }

  release(): void {
    this.#usedSeconds = this.cpuSeconds;
    this.#endTurn?.();
    this.#endTurn = undefined;
  }

  /** Lets waiting jobs run if the job's slice is over. */
  async yieldIfDue(): Promise<void> {
    if (this.#queue.waiting === 0 || performance.now() - this.#startedAt < SLICE_MS) return;
    this.release();
    await this.acquire();
  }

  /** Wraps a database so that other jobs run while a transaction waits long for another process. */
  releaseDuringWaits(database: Database): Database {
    return intercept(database, {
      transaction: (work, options) => this.#releaseDuring(database.transaction(work, options)),
      updateStatistics: () => this.#releaseDuring(database.updateStatistics()),
    });
  }

  async #releaseDuring<T>(work: Promise<T>): Promise<T> {
    let isReleased = false;
    const timer = setTimeout(() => {
      isReleased = true;
      this.release();
    }, RELEASE_AFTER_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
      if (isReleased) await this.acquire();
    }
  }
}
