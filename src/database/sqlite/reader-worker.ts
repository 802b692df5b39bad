// A worker thread of `ReaderThread`: reads and checkpoints, so that neither blocks the event loop.
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../shared/error-message.ts';
import type { Value } from '../database.ts';
import { openReading } from './connection.ts';

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

export type ReaderRequest = ReaderCommand & { id: number };

export type ReaderReply = { id: number } & (
  | { rows: unknown[] }
  | { error: { message: string; errcode: number | undefined } }
);

/** Opening one takes longer than most reads. */
const MAX_IDLE_CONNECTIONS = 2;

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

/** Buffers of byte columns are transferred instead of copied. */
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
    const errcode =
      error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
        ? error.errcode
        : undefined;
    reply = { id, error: { message: messageOf(error), errcode } };
  }
  parentPort?.postMessage(reply, 'rows' in reply ? buffersOf(reply.rows) : []);
});
