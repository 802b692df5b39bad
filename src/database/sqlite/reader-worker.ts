// A worker thread of `ReaderThread`: reads and checkpoints, so that neither blocks the event loop.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { CallId, ThreadReply } from '../../shared/thread-calls.ts';
import { DatabaseUnavailable } from '../database.ts';
import { type EncodedError, encodeError } from '../encode-error.ts';
import type { Value } from '../statement.ts';
import { openReading, PreparedStatements, translateSqliteError } from './connection.ts';

/** RESTART also makes the next write start at the beginning of the log, if nothing reads the log. */
type CheckpointMode = 'PASSIVE' | 'RESTART';

/** In pages. */
export interface LogState {
  log: number;
  checkpointed: number;
}

/** Each snapshot has its own connection. With `snapshot: null`, a statement sees the committed data. */
export type ReaderCommand =
  | { command: 'checkpoint'; mode: CheckpointMode }
  | { command: 'begin' | 'end'; snapshot: number }
  | { command: 'all'; snapshot: number | null; sql: string; values: Value[] };

/** Opening one takes longer than most reads. */
const MAX_IDLE_CONNECTIONS = 2;

class PooledConnection {
  readonly #database: DatabaseSync;
  readonly #statements: PreparedStatements;

  constructor(file: string) {
    this.#database = openReading(file);
    this.#statements = new PreparedStatements(this.#database);
  }

  begin(): void {
    this.#run('BEGIN');
  }

  end(): void {
    this.#run('COMMIT');
  }

  /** Closes the connection on failure: an open snapshot would keep the log from being written back. */
  #run(command: 'BEGIN' | 'COMMIT'): void {
    try {
      this.#database.exec(command);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  all(sql: string, values: Value[]): unknown[] {
    return this.#statements.all(sql, values);
  }

  close(): void {
    this.#database.close();
  }
}

/** How long a RESTART waits for a write to end. */
const RESTART_TIMEOUT_MS = 200;

/** Leaves out parts that concurrent reads and writes need. */
function checkpoint(mode: CheckpointMode): unknown[] {
  const database = new DatabaseSync(file, { timeout: mode === 'RESTART' ? RESTART_TIMEOUT_MS : 0 });
  try {
    database.exec('PRAGMA synchronous = FULL');
    return database.prepare(`PRAGMA wal_checkpoint(${mode})`).all();
  } finally {
    database.close();
  }
}

const file: string = workerData;
const snapshots = new Map<number, PooledConnection>();
const idle: PooledConnection[] = [];

function take(): PooledConnection {
  return idle.pop() ?? new PooledConnection(file);
}

function release(connection: PooledConnection): void {
  if (idle.length < MAX_IDLE_CONNECTIONS) idle.push(connection);
  else connection.close();
}

function run(request: ReaderCommand): unknown[] {
  switch (request.command) {
    case 'checkpoint':
      return checkpoint(request.mode);
    case 'begin': {
      const connection = take();
      connection.begin();
      snapshots.set(request.snapshot, connection);
      return [];
    }
    case 'all':
      return all(request);
    case 'end': {
      const connection = snapshots.get(request.snapshot);
      snapshots.delete(request.snapshot);
      connection?.end();
      if (connection !== undefined) release(connection);
      return [];
    }
  }
}

function all({ snapshot, sql, values }: ReaderCommand & { command: 'all' }): unknown[] {
  if (snapshot !== null) {
    const connection = snapshots.get(snapshot);
    // The snapshot belonged to an earlier thread, which has ended.
    if (connection === undefined) throw new DatabaseUnavailable('the snapshot has ended');
    return connection.all(sql, values);
  }
  const connection = take();
  try {
    return connection.all(sql, values);
  } finally {
    release(connection);
  }
}

/** Buffers of byte columns are transferred instead of copied. */
function buffersOf(rows: unknown[]): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = [];
  for (const row of rows) {
    for (const value of Object.values(row as object))
      if (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer) buffers.push(value.buffer);
  }
  return buffers;
}

parentPort?.on('message', (request: ReaderCommand & CallId) => {
  const { id } = request;
  try {
    const result = run(request);
    parentPort?.postMessage({ id, result } satisfies ThreadReply<EncodedError>, buffersOf(result));
  } catch (error) {
    parentPort?.postMessage({
      id,
      error: encodeError(translateSqliteError(error)),
    } satisfies ThreadReply<EncodedError>);
  }
});
