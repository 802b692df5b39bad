import type { Database } from '../../database/database.ts';
import { intercept } from '../../database/intercept.ts';
import { FairQueue } from '../../shared/fair-queue.ts';

/** How long a job works while others wait. */
const SLICE_MS = 100;
/** A job that has used less CPU time has its own line, so that a small file does not wait for large ones. */
const SHORT_JOB_SECONDS = 1;
/** A transaction that takes longer waits for someone else: other jobs work meanwhile. */
const LEND_AFTER_MS = 1_000;
const LONG_JOBS = 'long jobs';

/**
 * Lets the jobs of one process work one at a time, in turns: every short job in a line of its own, and all long
 * ones in one line. So a new job waits for at most a slice of each short job and a slice of one long job.
 */
export class Turns {
  readonly #queue = new FairQueue({ atOnce: 1 });

  /** A job's turns. `onBegin` is called when each begins. Every merchant has one job at a time. */
  of(merchantId: number, onBegin: () => void): Turn {
    return new Turn(this.#queue, `merchant ${merchantId}`, onBegin);
  }
}

/** The turns of one job: it works between `begin` and `end`, and yields at every `checkpoint`. */
export class Turn {
  readonly #queue: FairQueue;
  readonly #ownLine: string;
  readonly #onBegin: () => void;
  #release: (() => void) | undefined;
  #begunAt = 0;
  #cpuAtBegin = process.cpuUsage();
  #usedSeconds = 0;

  constructor(queue: FairQueue, ownLine: string, onBegin: () => void) {
    this.#queue = queue;
    this.#ownLine = ownLine;
    this.#onBegin = onBegin;
  }

  /** The CPU time of the job's turns so far, in seconds. */
  get cpuSeconds(): number {
    if (this.#release === undefined) return this.#usedSeconds;
    const { user, system } = process.cpuUsage(this.#cpuAtBegin);
    return this.#usedSeconds + (user + system) / 1_000_000;
  }

  /** Resolves when it is the job's turn. */
  async begin(): Promise<void> {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const line = this.#usedSeconds < SHORT_JOB_SECONDS ? this.#ownLine : LONG_JOBS;
    void this.#queue.run(line, () => {
      begun.resolve();
      return ended.promise;
    });
    await begun.promise;
    this.#begunAt = performance.now();
    this.#cpuAtBegin = process.cpuUsage();
    this.#release = () => ended.resolve();
    this.#onBegin();
  }

  end(): void {
    this.#usedSeconds = this.cpuSeconds;
    this.#release?.();
    this.#release = undefined;
  }

  /** Lets others work if they wait and the job has worked for its slice. */
  async checkpoint(): Promise<void> {
    if (this.#queue.waiting === 0 || performance.now() - this.#begunAt < SLICE_MS) return;
    this.end();
    await this.begin();
  }

  /** The same database; while a transaction waits long for another process, other jobs work. */
  lending(database: Database): Database {
    return intercept(database, {
      transaction: (work, options) => this.#lendDuring(database.transaction(work, options)),
      updateStatistics: () => this.#lendDuring(database.updateStatistics()),
    });
  }

  async #lendDuring<T>(work: Promise<T>): Promise<T> {
    let isLent = false;
    const timer = setTimeout(() => {
      isLent = true;
      this.end();
    }, LEND_AFTER_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
      if (isLent) await this.begin();
    }
  }
}
