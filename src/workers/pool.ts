import type { Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { type Report, runWorker } from './run-worker.ts';

/** A worker cannot serve; the message is what it has to say of it, for the operator. */
export class WorkerFailed extends Error {
  override name = 'WorkerFailed';
}

/** A worker that served for so long is replaced at once. */
const SETTLED_MS = 1_000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

/** Worker processes that run this command line, each replaced when it ends unasked. */
export class WorkerPool {
  readonly #size: number;
  readonly #log: FastifyBaseLogger;
  readonly #environment: Record<string, string>;
  readonly #running = new Set<Worker>();
  readonly #serving = new Set<Worker>();
  readonly #started = Promise.withResolvers<string>();
  readonly #ending = new AbortController();
  #baseUrl: string | undefined;
  #places: Promise<void>[] = [];

  constructor(size: number, log: FastifyBaseLogger) {
    this.#size = size;
    this.#log = log;
    // What `auto` is might change before a worker is replaced.
    this.#environment = { WORKERS: String(size) };
  }

  /**
   * Starts the workers; resolves to the base URL once all of them serve at it.
   * @throws {WorkerFailed} where one says that it cannot; then all of them are gone
   */
  async start(): Promise<string> {
    this.#places = Array.from({ length: this.#size }, () => this.#keepPlace());
    try {
      return await this.#started.promise;
    } catch (error) {
      this.kill();
      await Promise.all(this.#places);
      throw error;
    }
  }

  /** Has every worker answer the requests that are under way; resolves when all of them are gone. */
  async stop(): Promise<void> {
    this.#ending.abort();
    for (const { process } of this.#running) if (process.connected) process.disconnect();
    await Promise.all(this.#places);
  }

  /** Ends every worker at once. */
  kill(): void {
    this.#ending.abort();
    for (const { process } of this.#running) process.kill('SIGKILL');
  }

  async #keepPlace(): Promise<void> {
    const { signal } = this.#ending;
    let delayMs = 0;
    while (!signal.aborted) {
      const { servedMs, ...details } = await this.#runOne();
      if (signal.aborted) return;
      delayMs = servedMs > SETTLED_MS ? 0 : Math.min(2 * delayMs + FIRST_DELAY_MS, LONGEST_DELAY_MS);
      this.#log.warn({ ...details, delayMs }, 'a worker ended: another one takes its place');
      await pause(delayMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Runs one worker to its end; for how long it served, and what the log should say of it. */
  async #runOne(): Promise<{ servedMs: number }> {
    let worker: Worker | undefined;
    let [servingSince, failed]: [number | undefined, string | undefined] = [undefined, undefined];
    const onStart = (started: Worker): void => {
      worker = started;
      this.#running.add(started);
    };
    const onReport = (report: Report): void => { };
    try {
      const ended = await runWorker(this.#environment, onStart, onReport);
    } catch (err) {
      return { servedMs: 0, err };
    }
  }
}
