// The worker thread of `WriterThread`: owns the connection that writes, so that neither a statement nor a
// flush to the disk blocks the event loop of the server.
import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseUnavailable, type Value } from '../database.ts';
import { openWriting, PreparedStatements } from './connection.ts';
import { encodeError } from './encode-error.ts';
import type { CallId, ThreadReply } from './thread-calls.ts';
import { type Checkpoint, type DatabaseFile, SqliteWriter } from './writer.ts';

/** A transaction that `begin` began runs statements until `commit` or `undo`. */
export type WriterCommand =
  | { command: 'begin'; transaction: number; merchantId: number }
  | { command: 'all' | 'first' | 'run'; transaction: number; sql: string; values: Value[] }
  | { command: 'runEach'; transaction: number; sql: string; sets: Value[][] }
  | { command: 'commit' | 'undo'; transaction: number }
  | { command: 'ping' | 'pause' | 'resume' | 'checkpointed' | 'close' };

interface OpenTransaction {
  end: PromiseWithResolvers<void>;
  /** Rejects if the transaction could not be committed, or was undone. */
  committed: Promise<void>;
}

const { file, inode }: DatabaseFile = workerData;
const database = openWriting(file);
const statements = new PreparedStatements(database);
const open = new Map<number, OpenTransaction>();
const checkpoints: {
  pauseFor: Parameters<Checkpoint>[0];
  resumed: PromiseWithResolvers<void>;
  done: PromiseWithResolvers<void>;
}[] = [];
const writer = new SqliteWriter({ file, inode }, database, statements, (pauseFor) => {
  const done = Promise.withResolvers<void>();
  checkpoints.push({ pauseFor, resumed: Promise.withResolvers(), done });
  parentPort?.postMessage({ wanted: 'checkpoint' });
  return done.promise;
});

/** Resolves when the transaction has begun. */
async function begin(transaction: number, merchantId: number): Promise<void> {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const committed = writer.transaction(
    async () => {
      open.set(transaction, { end, committed });
      begun.resolve();
      await end.promise;
    },
    { merchantId },
  );
  // Rejects `begun` if the transaction never began; otherwise, `end` reports it.
  committed.catch(begun.reject);
  await begun.promise;
}

/** SQLite ends a transaction by itself if the disk is full. Another statement would then be committed. */
function requireOpen(transaction: number): OpenTransaction {
  const found = open.get(transaction);
  if (found === undefined || !database.isTransaction)
    throw new DatabaseUnavailable('the transaction has ended');
  return found;
}

async function end(transaction: number, undone: Error | undefined): Promise<void> {
  const found = open.get(transaction);
  if (found === undefined) throw new DatabaseUnavailable('the transaction has ended');
  open.delete(transaction);
  if (undone === undefined) found.end.resolve();
  else found.end.reject(undone);
  await found.committed.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
}

async function run(request: WriterCommand): Promise<unknown> {
  switch (request.command) {
    case 'begin':
      return await begin(request.transaction, request.merchantId);
    case 'all':
    case 'first':
    case 'run':
      requireOpen(request.transaction);
      return statements[request.command](request.sql, request.values);
    case 'runEach':
      requireOpen(request.transaction);
      return await statements.runEach(request.sql, request.sets);
    case 'commit':
      return await end(request.transaction, undefined);
    case 'undo':
      return await end(request.transaction, new Error('the transaction is undone'));
    case 'ping':
      return undefined;
    case 'pause':
      return await new Promise<void>((resolve, reject) => {
        const [checkpoint] = checkpoints;
        checkpoint
          ?.pauseFor(async () => {
            resolve();
            await checkpoint.resumed.promise;
          })
          .catch(reject);
      });
    case 'resume':
      return checkpoints[0]?.resumed.resolve();
    case 'checkpointed':
      return checkpoints.shift()?.done.resolve();
    case 'close':
      return await writer.close();
  }
}

parentPort?.on('message', async (request: WriterCommand & CallId) => {
  const { id } = request;
  try {
    parentPort?.postMessage({ id, result: await run(request) } satisfies ThreadReply);
  } catch (error) {
    parentPort?.postMessage({ id, error: encodeError(error) } satisfies ThreadReply);
  }
});
