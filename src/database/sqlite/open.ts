import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { messageOf } from '../../shared/error-message.ts';
import {
  type Database,
  DatabaseUnusable,
  type Reader,
  type RowWithItems,
  type Statement,
  valuesOf,
} from '../database.ts';
import {
  BUSY,
  openReading,
  resultCode,
  SqliteConnection,
  STARTUP_BUSY_MS,
  translateSqliteError,
} from './connection.ts';
import { dialect } from './dialect.ts';
import { ReaderThread } from './reader-thread.ts';
import { SqliteWriter } from './writer.ts';

// 8 KB pages hold five usual records: faster to read than 4 KB, cheaper to log than 16 KB. Checkpoints take
// 0.1 s, in the reading thread (`SqliteWriter`); here only if that falls far behind, at 128 MB of log.
const SETUP = `
  PRAGMA page_size = 8192;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA temp_store = MEMORY;
  PRAGMA wal_autocheckpoint = 16000;`;
const WRITE_CACHE_KB = 32 * 1024;
const RETRY_MS = 10;

/**
 * Opens or creates a database. Several processes may have it open simultaneously.
 * @throws {DatabaseUnusable} if the file cannot be opened or is not a SQLite database
 */
export function openSqlite(file: string): Database {
  try {
    makePrivate(file);
    const writing = new DatabaseSync(file, { timeout: STARTUP_BUSY_MS });
    setUp(writing);
    return new SqliteDatabase(file, openReading(file), writing);
  } catch (error) {
    throw new DatabaseUnusable(`The database file ${file} cannot be used: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** When several processes create one file, SQLite fails at once instead of waiting, so this tries again. */
function setUp(writing: DatabaseSync): void {
  const deadline = performance.now() + STARTUP_BUSY_MS;
  for (;;) {
    try {
      writing.exec(`${SETUP} PRAGMA cache_size = -${WRITE_CACHE_KB}; PRAGMA busy_timeout = 0;`);
      return;
    } catch (error) {
      if (resultCode(error) !== BUSY || performance.now() >= deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

/** Makes the file readable by its owner only. SQLite creates its side files with the same mode. */
function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

const NO_ITEMS = Buffer.from('[]');

class SqliteDatabase extends SqliteConnection implements Database {
  readonly dialect = dialect;
  // With fewer requests, too few writes would share a flush to the disk.
  readonly concurrency = { initial: 256, min: 64, max: 512 };
  readonly longReads = { maxRunning: 4, perQueue: 2 };
  readonly #file: string;
  readonly #reading: DatabaseSync;
  readonly #writing: DatabaseSync;
  readonly #writer: SqliteWriter;
  readonly #dataVersion: StatementSync;
  readonly #thread: ReaderThread;

  constructor(file: string, reading: DatabaseSync, writing: DatabaseSync) {
    super(reading);
    this.#file = file;
    this.#reading = reading;
    this.#writing = writing;
    this.#thread = new ReaderThread(file);
    this.#writer = new SqliteWriter(file, writing, (pauseFor) => this.#thread.checkpoint(pauseFor));
    this.#dataVersion = reading.prepare('PRAGMA data_version');
    this.#dataVersion.setReturnArrays(true);
  }

  async firstWithItems<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
    { offLoop = false }: { offLoop?: boolean } = {},
  ): Promise<RowWithItems<Row> | undefined> {
    type Joined = Row & { items: Uint8Array | null; items_found: number; left_out: number };
    const values = valuesOf(statement, parameters);
    const row = offLoop
      ? await this.#thread.first<Joined>(statement.sql, values)
      : this.firstOf<Joined>(statement.sql, values);
    return row && { row, items: row.items ?? NO_ITEMS, count: row.items_found, leftOut: row.left_out };
  }

  transaction: Database['transaction'] = (work, options) => this.#writer.transaction(work, options);

  async snapshot<T>(
    work: (reader: Reader) => Promise<T>,
    { offLoop = false }: { offLoop?: boolean } = {},
  ): Promise<T> {
    if (offLoop) return await this.#thread.snapshot(work);
    // A separate connection, because the shared one must see later commits.
    const reading = openReading(this.#file);
    try {
      reading.exec('BEGIN');
      return await work(new SqliteConnection(reading));
    } catch (error) {
      throw translateSqliteError(error);
    } finally {
      reading.close();
    }
  }

  // Plans do not depend on statistics.
  async updateStatistics(): Promise<void> {}

  // The reading connection never writes, so its data_version changes with every commit.
  version(): number {
    try {
      const row: unknown = this.#dataVersion.get();
      return Array.isArray(row) ? Number(row[0]) : Number.NaN;
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  async close(): Promise<void> {
    await this.#writer.idle();
    await this.#thread.close();
    this.#reading.close();
    this.#writing.close();
  }
}
