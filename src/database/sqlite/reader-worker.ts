// Runs in a worker thread: reads one database file for `ReaderThread`, and writes its log back, so that neither blocks
// the event loop of the thread that serves.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Value } from '../database.ts';
import { openReading } from './connection.ts';

/** RESTART also has the next write begin the log anew, if nothing reads it. */
type CheckpointMode = 'PASSIVE' | 'RESTART';

/** The log in pages, and how many of them are written back. */
export interface LogState {
  log: number;
  checkpointed: number;
}

/**
 * What the serving thread asks. A snapshot is a read transaction on a connection of its own; with null in place of its
 * number, a statement sees what is committed.
 */
export type ReaderCommand =
  | { command: 'checkpoint'; mode: CheckpointMode }
  | { command: 'begin' | 'end'; snapshot: number }
  | { command: 'all'; snapshot: number | null; sql: string; values: Value[] };

export type ReaderRequest = ReaderCommand & { id: number };

/** The answer to the request with the same id. */
export type ReaderReply = { id: number } & (
  | { rows: unknown[] }
  | { error: { message: string; errcode: number | undefined } }
);

/** How many idle connections are kept: opening one takes longer than most reads. */
const IDLE_CONNECTIONS = 2;

/** A connection with its prepared statements. */
class PooledConnection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(file: string) {
    this.#database = openReading(file);
  }

  begin(): void {
    this.#run('BEGIN');
  }

  end(): void {
    this.#run('COMMIT');
  }

  /** Where it fails, nothing of the snapshot may keep the log from being written back. */
  #run(command: 'BEGIN' | 'COMMIT'): void {
    try {
      this.#database.exec(command);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  all(sql: string, values: Value[]): unknown[] {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement.all(...values);
  }

  close(): void {
    this.#database.close();
  }
}

/** How long a RESTART waits for a write to end. */
const LOCK_PATIENCE_MS = 200;

/** Writes the log back to the database file, as far as nothing that is read or written meanwhile needs it. */
function checkpoint(mode: CheckpointMode): unknown[] {
  const database = new DatabaseSync(file, { timeout: mode === 'RESTART' ? LOCK_PATIENCE_MS : 0 });
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
  if (idle.length < IDLE_CONNECTIONS) idle.push(connection);
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
    // It was of a thread before this one, which has ended.
    if (connection === undefined) throw new Error('the snapshot has ended');
    return connection.all(sql, values);
  }
  const connection = take();
  try {
    return connection.all(sql, values);
  } finally {
    release(connection);
  }
}

/** The memory of byte columns, which is handed over instead of copied. */
function buffersOf(rows: unknown[]): ArrayBuffer[] {
  return rows.flatMap((row) =>
    Object.values(row as object).flatMap((value) =>
      value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [],
    ),
  );
}

parentPort?.on('message', (request: ReaderRequest) => {
  const { id } = request;
  let reply: ReaderReply;
  try {
    reply = { id, rows: run(request) };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown error';
    const errcode =
      error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
        ? error.errcode
        : undefined;
    reply = { id, error: { message, errcode } };
  }
  parentPort?.postMessage(reply, 'rows' in reply ? buffersOf(reply.rows) : []);
});
