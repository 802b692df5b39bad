import { type MessagePort, threadId } from 'node:worker_threads';
import type { CallId, ThreadReply } from '../../shared/thread-calls.ts';
import { DatabaseUnavailable } from '../database.ts';
import { type EncodedError, encodeError } from '../encode-error.ts';
import { lockMerchant } from '../merchant-queries.ts';
import type { Value } from '../statement.ts';
import type { TransactionContext, Verb } from '../write-context.ts';
import { openWriting, PreparedStatements, type Statements } from './connection.ts';
import { type Checkpoint, type DatabaseFile, requireSameFile, SqliteWriter } from './writer.ts';

/** A transaction that `begin` began runs statements until `commit` or `undo`. */
export type WriterCommand =
  | { command: 'begin'; transaction: number; merchantId: number }
  | { command: 'all' | 'first' | 'run'; transaction: number; sql: string; values: Value[] }
  | { command: 'runEach'; transaction: number; sql: string; sets: Value[][] }
  | { command: 'commit' | 'undo'; transaction: number }
  | { command: 'pause' | 'resume' | 'checkpointed'; checkpoint: number }
  | { command: 'ping' | 'close' };

/** The longest that a transaction waits for another process, and for those before it. */
const MAX_WAIT_MS = 10_000;

/** A message to the other side, with the number of the checkpoint. */
export interface CheckpointWanted {
  wanted: number;
}

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
  statements: Statements;
  end: PromiseWithResolvers<void>;
  /** Rejects if the transaction could not be committed, or was undone. */
  committed: Promise<void>;
}

interface RunningCheckpoint {
  number: number;
  pauseFor: Parameters<Checkpoint>[0];
  resumed: PromiseWithResolvers<void>;
  done: PromiseWithResolvers<void>;
}

/** The writer thread's side of `RemoteWriter`: owns the connection that writes. */
export class WriterServer {
  readonly #verbs: ThreadVerbs;
  readonly #writer: SqliteWriter;
  readonly #open = new Map<number, OpenTransaction>();
  #checkpoint: RunningCheckpoint | undefined;
  // Numbers of different threads differ.
  #checkpoints = threadId * 1_000_000;

  constructor(port: MessagePort, file: DatabaseFile, verbs: ThreadVerbs) {
    this.#verbs = verbs;
    // A file that was moved away must not be created again.
    requireSameFile(file);
    const database = openWriting(file.file);
    this.#writer = new SqliteWriter(file, database, new PreparedStatements(database), async (pauseFor) => {
      this.#checkpoints += 1;
      const [resumed, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      this.#checkpoint = { number: this.#checkpoints, pauseFor, resumed, done };
      port.postMessage({ wanted: this.#checkpoints } satisfies CheckpointWanted);
      await done.promise;
    });
    port.on('message', async (request: (WriterCommand | VerbCall) & CallId) => {
      const { id } = request;
      try {
        port.postMessage({ id, result: await this.#run(request) } satisfies ThreadReply<EncodedError>);
      } catch (error) {
        port.postMessage({ id, error: encodeError(error) } satisfies ThreadReply<EncodedError>);
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
        return this.#opened(request).statements[request.command](request.sql, request.values);
      case 'runEach':
        return await this.#opened(request).statements.runEach(request.sql, request.sets);
      case 'commit':
        return await this.#end(request, undefined);
      case 'undo':
        return await this.#end(request, new Error('the transaction is undone'));
      case 'ping':
        return undefined;
      case 'pause':
        return await this.#pause(this.#running(request));
      case 'resume':
        return this.#running(request).resumed.resolve();
      case 'checkpointed':
        return this.#running(request).done.resolve();
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
        const state = await connection.first(lockMerchant, { merchantId });
        // The call may have waited for a write of another process.
        const lastWrite = Math.floor((state?.revision ?? 0) / 1000);
        // A time that is much later is from when the clock was wrong.
        const now = Math.max(context.now, Math.min(lastWrite, context.now + MAX_WAIT_MS));
        return await found({ ...context, connection, now } as never, input as never);
      },
      { merchantId },
    );
  }

  /** Resolves when the transaction has begun. */
  async #begin(transaction: number, merchantId: number): Promise<void> {
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const committed = this.#writer.runStatements(
      async (statements) => {
        this.#open.set(transaction, { statements, end, committed });
        begun.resolve();
        await end.promise;
      },
      { merchantId },
    );
    // Rejects `begun` if the transaction never began; otherwise, `#end` reports it.
    committed.catch(begun.reject);
    await begun.promise;
  }

  #opened({ transaction }: { transaction: number }): OpenTransaction {
    const found = this.#open.get(transaction);
    if (found === undefined) throw new DatabaseUnavailable('the transaction has ended');
    return found;
  }

  async #end(request: { transaction: number }, undone: Error | undefined): Promise<void> {
    const found = this.#opened(request);
    this.#open.delete(request.transaction);
    if (undone === undefined) found.end.resolve();
    else found.end.reject(undone);
    await found.committed.catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  }

  /** An earlier thread may have wanted the checkpoint. */
  #running({ checkpoint }: { checkpoint: number }): RunningCheckpoint {
    if (this.#checkpoint?.number !== checkpoint) throw new DatabaseUnavailable('the checkpoint has ended');
    return this.#checkpoint;
  }

  /** Resolves when writes pause. */
  async #pause({ pauseFor, resumed }: RunningCheckpoint): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const untilResumed = async (): Promise<void> => {
      resolve();
      await resumed.promise;
    };
    pauseFor(untilResumed).catch(reject);
    await promise;
  }
}
