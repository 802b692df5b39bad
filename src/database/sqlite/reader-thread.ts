import { startThread } from '../../shared/start-module.ts';
import { ThreadCalls } from '../../shared/thread-calls.ts';
import { withTimeout } from '../../shared/timeout.ts';
import type { Reader } from '../database.ts';
import { type EncodedError, threadErrors } from '../encode-error.ts';
import { type ArgumentsOf, type Statement, type Value, valuesOf } from '../statement.ts';
import type { LogState, ReaderCommand } from './reader-worker.ts';
import type { Checkpoint } from './writer.ts';

/**
 * If the log is longer (64 MB), new snapshots wait for the open ones to end, so that it can restart: at most
 * `HOLD_MS`, and if that was too short, not again for `BETWEEN_HOLDS_MS`.
 */
const LONG_LOG_PAGES = 8_000;
const HOLD_MS = 5_000;
const BETWEEN_HOLDS_MS = 30_000;

/** A worker thread that starts with the first snapshot and runs all statements one by one. */
export class ReaderThread {
  readonly #calls: ThreadCalls<ReaderCommand, EncodedError>;
  #snapshots = 0;
  #openSnapshots = 0;
  /** Resolves when new snapshots may begin; undefined if they may begin now. */
  #held: Promise<void> | undefined;
  #onNoneOpen: (() => void) | undefined;
  #gaveUpAt = Number.NEGATIVE_INFINITY;

  constructor(file: string) {
    this.#calls = new ThreadCalls({
      ...threadErrors,
      start: () => startThread('reader-worker', import.meta.url, { workerData: file }),
    });
  }

  /** @throws {DatabaseUnavailable} if the file cannot be read now */
  async snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    while (this.#held !== undefined) await this.#held;
    this.#openSnapshots += 1;
    try {
      return await this.#readSnapshot(work);
    } finally {
      this.#openSnapshots -= 1;
      if (this.#openSnapshots === 0) this.#onNoneOpen?.();
    }
  }

  async #readSnapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    this.#snapshots += 1;
    const snapshot = this.#snapshots;
    await this.#send({ command: 'begin', snapshot });
    try {
      return await work(
        new SnapshotReader((sql, values) => this.#send({ command: 'all', snapshot, sql, values })),
      );
    } finally {
      await this.#send({ command: 'end', snapshot });
    }
  }

  /** Returns the rows of the committed data. @throws {DatabaseUnavailable} as `snapshot` */
  async all<Row>(sql: string, values: Value[]): Promise<Row[]> {
    return (await this.#send({ command: 'all', snapshot: null, sql, values })) as Row[];
  }

  /**
   * Writes the log back. If it is long because some snapshot is always open, new ones wait for the open ones.
   * @throws {DatabaseUnavailable} as `snapshot`
   */
  async checkpoint(pauseFor: Parameters<Checkpoint>[0]): Promise<void> {
    const [state] = (await this.#send({ command: 'checkpoint', mode: 'PASSIVE' })) as LogState[];
    const gaveUp = performance.now() - this.#gaveUpAt < BETWEEN_HOLDS_MS;
    if (state === undefined || state.log < LONG_LOG_PAGES || gaveUp) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    try {
      if (await withTimeout(HOLD_MS, this.#noneOpen(), false)) {
        // Writes back what the snapshots kept in the log, so that the RESTART pauses writes only briefly.
        await this.#send({ command: 'checkpoint', mode: 'PASSIVE' });
        await pauseFor(() => this.#send({ command: 'checkpoint', mode: 'RESTART' }));
      } else {
        this.#gaveUpAt = performance.now();
      }
    } finally {
      this.#held = undefined;
      resolve();
    }
  }

  async #noneOpen(): Promise<true> {
    if (this.#openSnapshots === 0) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onNoneOpen = resolve;
    await promise;
    this.#onNoneOpen = undefined;
    return true;
  }

  /** Ends the thread. Must not be called while a snapshot is open. */
  async close(): Promise<void> {
    await this.#calls.terminate();
  }

  async #send(command: ReaderCommand): Promise<unknown[]> {
    return (await this.#calls.call(command)) as unknown[];
  }
}

class SnapshotReader implements Reader {
  readonly #all: (sql: string, values: Value[]) => Promise<unknown[]>;

  constructor(all: (sql: string, values: Value[]) => Promise<unknown[]>) {
    this.#all = all;
  }

  async all<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    ...[parameters]: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<Row[]> {
    return (await this.#all(statement.sql, valuesOf(statement, parameters))) as Row[];
  }

  async first<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    ...parameters: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<Row | undefined> {
    return (await this.all(statement, ...parameters))[0];
  }
}
