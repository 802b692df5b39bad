import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Health } from '../observability/health.ts';
import type { Figures } from '../observability/metrics.ts';
import { WorkerFailed } from './worker-failed.ts';
import { WorkerFigures } from './worker-figures.ts';
import { type Ended, WorkerProcess } from './worker-process.ts';

/** A worker that served for longer is replaced at once. */
const SETTLED_MS = 1_000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

/** Worker processes that serve together, each replaced when it ends unasked. Their health are the pool's. */
export class WorkerPool implements Health {
  readonly #size: number;
  readonly #log: FastifyBaseLogger;
  readonly #environment: Record<string, string>;
  readonly #workers = new Set<WorkerProcess>();
  readonly #figures = new WorkerFigures();
  readonly #serving = Promise.withResolvers<string>();
  readonly #ending = new AbortController();
  #baseUrl: string | undefined;
  #places: Promise<void>[] = [];

  constructor(size: number, log: FastifyBaseLogger) {
    this.#size = size;
    this.#log = log;
    // `auto` may come to be another number before a worker is replaced.
    this.#environment = { WORKERS: String(size) };
  }

  /**
   * Starts the workers; resolves to the base URL that all of them serve at.
   * @throws {WorkerFailed} where one says that it cannot; then none of them is left
   */
  async start(): Promise<string> {
    this.#places = Array.from({ length: this.#size }, () => this.#keepPlace());
    try {
      return await this.#serving.promise;
    } catch (error) {
      this.kill();
      await Promise.all(this.#places);
      throw error;
    }
  }

  /** Lets every worker answer the requests that are under way; resolves when all of them are gone. */
  async stop(): Promise<void> {
    this.#ending.abort();
    for (const worker of this.#workers) worker.release();
    await Promise.all(this.#places);
  }

  /** Has every worker look at the certificate and key files. */
  reread(): void {
    for (const worker of this.#workers) worker.reread();
  }

  /** Ends every worker at once. */
  kill(): void {
    this.#ending.abort();
    for (const worker of this.#workers) worker.kill();
  }

  /** Ready as soon as one worker is: connections are dealt to those that serve. */
  async unreadyReason(): Promise<string | null> {
    if (this.#ending.signal.aborted) return 'It is shutting down.';
    const troubles: (string | null)[] = [];
    await this.#askEach(async (worker) => void troubles.push(await worker.ask('trouble')));
    return troubles.includes(null) ? null : (troubles[0] ?? 'No worker process serves.');
  }

  /** What the workers counted so far, those included that are gone. */
  async metrics(): Promise<Figures[]> {
    await this.#askEach(async (worker) => this.#figures.told(worker, await worker.ask('figures')));
    return await this.#figures.all();
  }

  /** Asks those that serve; one that does not tell in time, or just ends, is passed over. */
  async #askEach(ask: (worker: WorkerProcess) => Promise<void>): Promise<void> {
    await Promise.allSettled([...this.#workers].filter(({ baseUrl }) => baseUrl !== undefined).map(ask));
  }

  /** Has a worker run, one after the other, until the pool ends. */
  async #keepPlace(): Promise<void> {
    const { signal } = this.#ending;
    let delayMs = 0;
    while (!signal.aborted) {
      const { servedMs, ...end } = await this.#runWorker().catch((err) => ({ err, servedMs: 0 }));
      if (signal.aborted) return;
      delayMs = servedMs > SETTLED_MS ? 0 : Math.min(2 * delayMs + FIRST_DELAY_MS, LONGEST_DELAY_MS);
      this.#log.warn({ ...end, delayMs }, 'a worker ended: another takes its place');
      await pause(delayMs, undefined, { signal }).catch(() => {});
    }
  }

  async #runWorker(): Promise<Ended> {
    const worker = new WorkerProcess(this.#environment, () => this.#heed(worker));
    this.#workers.add(worker);
    try {
      return await worker.ended;
    } finally {
      this.#workers.delete(worker);
      this.#figures.ended(worker);
      if (this.#baseUrl !== undefined && this.#countServing() === 0) this.#keepPort(this.#baseUrl);
    }
  }

  #heed(worker: WorkerProcess): void {
    if (worker.failure !== undefined) this.#serving.reject(new WorkerFailed(worker.failure));
    if (worker.baseUrl === undefined) return;
    this.#baseUrl ??= worker.baseUrl;
    // Where PORT is 0 and the others were all gone, it got another port: its successor keeps the first.
    if (worker.baseUrl !== this.#baseUrl) worker.kill();
    if (this.#countServing() === this.#size) this.#serving.resolve(this.#baseUrl);
  }

  #countServing(): number {
    return [...this.#workers].filter(({ baseUrl }) => baseUrl === this.#baseUrl).length;
  }

  /** The port that PORT=0 found is kept by the workers that listen on it, and forgotten with the last. */
  #keepPort(baseUrl: string): void {
    const { port } = new URL(baseUrl);
    if (port !== '') this.#environment.PORT = port;
  }
}
