import type { DatabaseSync } from 'node:sqlite';
import type { MessagePort } from 'node:worker_threads';
import { DatabaseUnavailable, type Value } from '../database.ts';
import { encodeError } from '../encode-error.ts';
import { lockAndFindRevision } from '../merchant-queries.ts';
import type { TransactionContext, Verb } from '../write-context.ts';
import { openWriting, PreparedStatements } from './connection.ts';
import type { CallId, ThreadReply } from './thread-calls.ts';
import { type Checkpoint, type DatabaseFile, SqliteWriter } from './writer.ts';

/** A transaction that `begin` began runs statements until `commit` or `undo`. */
export type WriterCommand =
  | { command: 'begin'; transaction: number; merchantId: number }
  | { command: 'all' | 'first' | 'run'; transaction: number; sql: string; values: Value[] }
  | { command: 'runEach'; transaction: number; sql: string; sets: Value[][] }
  | { command: 'commit' | 'undo'; transaction: number }
  | { command: 'ping' | 'pause' | 'resume' | 'checkpointed' | 'close' };

/** The verbs of the thread, by the names that messages have. */
export type ThreadVerbs = Readonly<Record<string, Verb<never, unknown, never>>>;

/** A call of a verb that the thread knows by this name. */
export interface VerbCall {
  command: 'verb';
  verb: string;
  /** All of its context but the connection. */
  context: Omit<TransactionContext, 'connection'>;
  input: unknown;
  locksMerchant: boolean;
}

interface OpenTransaction {
  end: PromiseWithResolvers<void>;
  /** Rejects if the transaction could not be committed, or was undone. */
  committed: Promise<void>;
}

interface RunningCheckpoint {
  pauseFor: Parameters<Checkpoint>[0];
  resumed: PromiseWithResolvers<void>;
  done: PromiseWithResolvers<void>;
}

/** The writer thread's side of `WriterThread`: owns the connection that writes. */
export class WriteServer {
  readonly #verbs: ThreadVerbs;
  readonly #database: DatabaseSync;
  readonly #statements: PreparedStatements;
  readonly #writer: SqliteWriter;
  readonly #open = new Map<number, OpenTransaction>();
  #checkpoint: RunningCheckpoint | undefined;

  constructor(port: MessagePort, file: DatabaseFile, verbs: ThreadVerbs) {
    this.#verbs = verbs;
    this.#database = openWriting(file.file);
    this.#statements = new PreparedStatements(this.#database);
    this.#writer = new SqliteWriter(file, this.#database, this.#statements, async (pauseFor) => {
      this.#checkpoint = { pauseFor, resumed: Promise.withResolvers(), done: Promise.withResolvers() };
      port.postMessage({ wanted: 'checkpoint' });
      await this.#checkpoint.done.promise;
    });
    port.on('message', async (request: (WriterCommand | VerbCall) & CallId) => {
      const { id } = request;
      try {
        port.postMessage({ id, result: await this.#run(request) } satisfies ThreadReply);
      } catch (error) {
        port.postMessage({ id, error: encodeError(error) } satisfies ThreadReply);
      }
    });
  }

  async #run(request: WriterCommand | VerbCall): Promise<unknown> {
    switch (request.command) {
      case 'verb':
        return await this.#runVerb(request);
      case 'begin':
        return await this.#begin(request.transaction, request.merchantId);
      case 'all':
      case 'first':
      case 'run':
        this.#requireOpen(request.transaction);
        return this.#statements[request.command](request.sql, request.values);
      case 'runEach':
        this.#requireOpen(request.transaction);
        return await this.#statements.runEach(request.sql, request.sets);
      case 'commit':
        return await this.#end(request.transaction, undefined);
      case 'undo':
        return await this.#end(request.transaction, new Error('the transaction is undone'));
      case 'ping':
        return undefined;
      case 'pause':
        return await this.#pause();
      case 'resume':
        return this.#checkpoint?.resumed.resolve();
      case 'checkpointed':
        return this.#checkpoint?.done.resolve();
      case 'close':
        return await this.#writer.close();
    }
  }

  async #runVerb({ verb, context, input, locksMerchant }: VerbCall): Promise<unknown> {
    const { merchantId } = context;
    const found = this.#verbs[verb];
    if (found === undefined) throw new Error(`the writer thread has no verb ${verb}`);
    return await this.#writer.transaction(
      async (connection) => {
        if (!locksMerchant) return await found({ ...context, connection } as never, input as never);
        const state = await connection.first(lockAndFindRevision, { merchantId });
        // The call may have waited for a write of another process.
        const now = Math.max(context.now, Math.floor((state?.revision ?? 0) / 1000));
        return await found({ ...context, connection, now } as never, input as never);
      },
      { merchantId },
    );
  }

  /** Resolves when the transaction has begun. */
  async #begin(transaction: number, merchantId: number): Promise<void> {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const committed = this.#writer.transaction(
      async () => {
        this.#open.set(transaction, { end, committed });
        begun.resolve();
        await end.promise;
      },
      { merchantId },
    );
    // Rejects `begun` if the transaction never began; otherwise, `#end` reports it.
    committed.catch(begun.reject);
    await begun.promise;
  }

  /** SQLite ends a transaction by itself if the disk is full. Another statement would then be committed. */
  #requireOpen(transaction: number): void {
    if (!this.#open.has(transaction) || !this.#database.isTransaction)
      throw new DatabaseUnavailable('the transaction has ended');
  }

  async #end(transaction: number, undone: Error | undefined): Promise<void> {
    const found = this.#open.get(transaction);
    if (found === undefined) throw new DatabaseUnavailable('the transaction has ended');
    this.#open.delete(transaction);
    if (undone === undefined) found.end.resolve();
    else found.end.reject(undone);
    await found.committed.catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  }

  async #pause(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const checkpoint = this.#checkpoint;
    const untilResumed = async (): Promise<void> => {
      resolve();
      await checkpoint?.resumed.promise;
    };
    checkpoint?.pauseFor(untilResumed).catch(reject);
    await promise;
  }
}
