import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Health } from '../observability/health.ts';
import type { Figures } from '../observability/metrics.ts';
import { forkThisCommand } from '../shared/start-module.ts';
import { WorkerFigures } from './worker-figures.ts';
import { type WorkerEnd, WorkerProcess } from './worker-process.ts';

/** The message is the worker's own, for the operator. */
export class WorkerFailed extends Error {
  override name = 'WorkerFailed';
}

/** A worker that served for longer is replaced without a delay. */
const STABLE_MS = 1_000;
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;

/** A worker that ends unexpectedly is replaced. */
export class WorkerPool implements Health {
  readonly #size: number;
  readonly #log: FastifyBaseLogger;
  readonly #environment: Record<string, string>;
  readonly #workers = new Set<WorkerProcess>();
  readonly #figures = new WorkerFigures();
  readonly #serving = Promise.withResolvers<string>();
  readonly #ending = new AbortController();
  readonly #acceptThemselves: boolean;
  readonly #lost = Promise.withResolvers<never>();
  #baseUrl: string | undefined;
  #slots: Promise<void>[] = [];

  /**
   * With `acceptThemselves`, workers share the sockets of systemd: the primary process accepts no connection,
   * so none is lost on the way to a worker that ends. Otherwise it distributes them in turn.
   */
  constructor(size: number, log: FastifyBaseLogger, { acceptThemselves = false } = {}) {
    this.#size = size;
    this.#log = log;
    this.#acceptThemselves = acceptThemselves;
    // The caller may never wait for it.
    this.#lost.promise.catch(() => {});
    // `auto` could give a later worker another number.
    this.#environment = { WORKERS: String(size) };
  }

  /**
   * Resolves to the base URL that all workers serve.
   * @throws {WorkerFailed} if a worker reports that it cannot serve; then all workers are ended
   */
  async start(): Promise<string> {
    if (this.#acceptThemselves) cluster.schedulingPolicy = cluster.SCHED_NONE;
    forkThisCommand();
    this.#slots = Array.from({ length: this.#size }, () => this.#runSlot());
    try {
      return await this.#serving.promise;
    } catch (error) {
      this.kill();
      await Promise.all(this.#slots);
      throw error;
    }
  }

  /**
   * Rejects with `WorkerFailed` when no worker has the sockets of systemd. Then this process does not have
   * them either, and systemd passes them only to a new one. All workers are ended.
   */
  get socketsLost(): Promise<never> {
    return this.#lost.promise;
  }

  /** Workers end after their requests in progress. Resolves when all have ended. */
  async stop(): Promise<void> {
    this.#ending.abort();
    for (const worker of this.#workers) worker.release();
    await Promise.all(this.#slots);
  }

  reloadCertificate(): void {
    for (const worker of this.#workers) worker.reloadCertificate();
  }

  kill(): void {
    this.#ending.abort();
    for (const worker of this.#workers) worker.kill();
  }

  /** One ready worker is enough, because connections go to workers that serve. */
  async unreadyReason(): Promise<string | null> {
    if (this.#ending.signal.aborted) return 'The service is shutting down.';
    const reasons: (string | null)[] = [];
    await this.#forEachServing(async (worker) => void reasons.push(await worker.request('unreadyReason')));
    return reasons.includes(null) ? null : (reasons[0] ?? 'No worker process is serving.');
  }

  async metrics(): Promise<Figures[]> {
    await this.#forEachServing(async (worker) =>
      this.#figures.update(worker, await worker.request('figures')),
    );
    return await this.#figures.all();
  }

  /** Skips workers that do not respond in time or end meanwhile. */
  async #forEachServing(work: (worker: WorkerProcess) => Promise<void>): Promise<void> {
    await Promise.allSettled([...this.#workers].filter(({ baseUrl }) => baseUrl !== undefined).map(work));
  }

  /** Runs one worker after the other until the pool stops. */
  async #runSlot(): Promise<void> {
    const { signal } = this.#ending;
    let delayMs = 0;
    while (!signal.aborted) {
      const { servedMs, ...end } = await this.#runWorker().catch((err) => ({ err, servedMs: 0 }));
      if (signal.aborted) return;
      delayMs = servedMs > STABLE_MS ? 0 : Math.min(2 * delayMs + FIRST_DELAY_MS, MAX_DELAY_MS);
      this.#log.warn({ ...end, delayMs }, 'a worker ended and is replaced');
      await pause(delayMs, undefined, { signal }).catch(() => {});
    }
  }

  async #runWorker(): Promise<WorkerEnd> {
    const worker = new WorkerProcess(this.#environment, () => this.#handleReport(worker));
    this.#workers.add(worker);
    try {
      return await worker.ended;
    } finally {
      this.#workers.delete(worker);
      this.#figures.end(worker);
      if (this.#baseUrl !== undefined && this.#countServing() === 0) this.#handleNoneServing(this.#baseUrl);
    }
  }

  #handleReport(worker: WorkerProcess): void {
    if (worker.failure !== undefined) this.#serving.reject(new WorkerFailed(worker.failure));
    if (worker.baseUrl === undefined) return;
    this.#baseUrl ??= worker.baseUrl;
    // With PORT=0, a worker whose peers have all ended gets another port. Its successor gets the first one.
    if (worker.baseUrl !== this.#baseUrl) worker.kill();
    if (this.#countServing() === this.#size) this.#serving.resolve(this.#baseUrl);
  }

  #countServing(): number {
    return [...this.#workers].filter(({ baseUrl }) => baseUrl === this.#baseUrl).length;
  }

  /** Node closes a socket when no worker listens on it. */
  #handleNoneServing(baseUrl: string): void {
    if (!this.#acceptThemselves) this.#keepPort(baseUrl);
    else if (!this.#ending.signal.aborted) {
      this.#lost.reject(new WorkerFailed('All workers have ended. systemd starts the service again.'));
      this.kill();
    }
  }

  /** The port that PORT=0 chose. */
  #keepPort(baseUrl: string): void {
    const { port } = new URL(baseUrl);
    if (port !== '') this.#environment.PORT = port;
  }
}
