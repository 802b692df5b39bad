import type { Worker } from 'node:worker_threads';
import { ThreadCalls } from '../../shared/thread-calls.ts';
import type { CallInThread, Connection, TransactionOptions } from '../database.ts';
import { type EncodedError, threadErrors } from '../encode-error.ts';
import type { Value } from '../statement.ts';
import { runOn, type Statements } from './connection.ts';
import type { Checkpoint, DatabaseFile, SqliteWrites } from './writer.ts';
import type { CheckpointWanted, ThreadVerbs, VerbCall, WriterCommand } from './writer-server.ts';

/** The same limit as for a statement on PostgreSQL. */
const SILENCE_MS = 10_000;

export interface WriterThreadSettings {
  /** Starts a thread with a `WriterServer` for the file. */
  start(file: DatabaseFile): Worker;
  /** The verbs of the `WriterServer`, by its names. */
  verbs: ThreadVerbs;
}

/**
 * A `SqliteWriter` in a worker thread. A call of a verb that the thread knows is one message. Any other
 * transaction runs here, and each of its statements is a message.
 */
export class RemoteWriter implements SqliteWrites {
  readonly #calls: ThreadCalls<WriterCommand | VerbCall, EncodedError>;
  /** The names by which the thread knows verbs. */
  readonly #names: ReadonlyMap<unknown, string>;
  #transactions = 0;

  constructor(file: DatabaseFile, { start, verbs }: WriterThreadSettings, checkpoint: Checkpoint) {
    this.#names = new Map(Object.entries(verbs).map(([name, verb]) => [verb, name]));
    this.#calls = new ThreadCalls({
      ...threadErrors,
      start: () => start(file),
      onMessage: (message) => void this.#run(checkpoint, (message as CheckpointWanted).wanted),
      silenceMs: SILENCE_MS,
    });
  }

  async transaction<T>(
    work: (connection: Connection) => Promise<T>,
    { merchantId = 0 }: TransactionOptions = {},
  ): Promise<T> {
    this.#transactions += 1;
    const transaction = this.#transactions;
    await this.#calls.call({ command: 'begin', transaction, merchantId });
    let result: T;
    try {
      result = await runOn(new RemoteStatements(this.#calls, transaction), work);
    } catch (error) {
      // If this fails too, the thread has ended, and SQLite has undone the transaction.
      await this.#calls.call({ command: 'undo', transaction }).catch(() => {});
      throw error;
    }
    await this.#calls.call({ command: 'commit', transaction });
    return result;
  }

  /** Returns undefined for a verb that the thread does not know. */
  inWriterThread(verb: unknown): CallInThread | undefined {
    const name = this.#names.get(verb);
    if (name === undefined) return undefined;
    return (context, input, { locksMerchant = false } = {}) =>
      this.#calls.call({ command: 'verb', verb: name, context, input, locksMerchant });
  }

  /** Ends the thread after all queued transactions. */
  async close(): Promise<void> {
    if (this.#calls.isRunning) await this.#calls.call({ command: 'close' });
    await this.#calls.terminate();
  }

  async #run(run: Checkpoint, checkpoint: number): Promise<void> {
    try {
      await run(async (work) => {
        await this.#calls.call({ command: 'pause', checkpoint });
        try {
          await work();
        } finally {
          await this.#calls.call({ command: 'resume', checkpoint });
        }
      });
    } catch {
      // The next check of the log tries again.
    } finally {
      await this.#calls.call({ command: 'checkpointed', checkpoint }).catch(() => {});
    }
  }
}

/** Statements of a transaction, each a message to the thread. */
class RemoteStatements implements Statements {
  readonly #calls: ThreadCalls<WriterCommand | VerbCall, EncodedError>;
  readonly #transaction: number;

  constructor(calls: ThreadCalls<WriterCommand | VerbCall, EncodedError>, transaction: number) {
    this.#calls = calls;
    this.#transaction = transaction;
  }

  async all(sql: string, values: Value[]): Promise<unknown[]> {
    return (await this.#send('all', sql, values)) as unknown[];
  }

  first(sql: string, values: Value[]): Promise<unknown> {
    return this.#send('first', sql, values);
  }

  async run(sql: string, values: Value[]): Promise<number> {
    return (await this.#send('run', sql, values)) as number;
  }

  async runEach(sql: string, sets: Iterable<Value[]>): Promise<number> {
    const [transaction, values] = [this.#transaction, [...sets]];
    return (await this.#calls.call({ command: 'runEach', transaction, sql, sets: values })) as number;
  }

  #send(command: 'all' | 'first' | 'run', sql: string, values: Value[]): Promise<unknown> {
    return this.#calls.call({ command, transaction: this.#transaction, sql, values });
  }
}
