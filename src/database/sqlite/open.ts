import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
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
  openReading,
  openWriting,
  PreparedStatements,
  SqliteConnection,
  translateSqliteError,
} from './connection.ts';
import { dialect } from './dialect.ts';
import { ReaderThread } from './reader-thread.ts';
import { type Checkpoint, SqliteWriter, type SqliteWrites } from './writer.ts';
import { WriterThread, type WriterThreadSettings } from './writer-thread.ts';

/**
 * Opens or creates a database. Several processes may have it open simultaneously. With a `writerThread`,
 * writes do not block the event loop; without it, a transaction with many statements is faster.
 * @throws {DatabaseUnusable} if the file cannot be opened or is not a SQLite database
 */
export function openSqlite(file: string, writerThread?: WriterThreadSettings): Database {
  try {
    makePrivate(file);
    const writing = openWriting(file);
    const reading = openReading(file);
    const readerThread = new ReaderThread(file);
    const checkpoint: Checkpoint = (pauseFor) => readerThread.checkpoint(pauseFor);
    const opened = { file, inode: statSync(file).ino };
    if (writerThread === undefined) {
      const writer = new SqliteWriter(opened, writing, new PreparedStatements(writing), checkpoint);
      return new SqliteDatabase(file, reading, readerThread, writer);
    }
    // The file has been set up, and the thread opens it itself.
    writing.close();
    return new SqliteDatabase(
      file,
      reading,
      readerThread,
      new WriterThread(opened, writerThread, checkpoint),
    );
  } catch (error) {
    throw new DatabaseUnusable(`The database file ${file} cannot be used: ${messageOf(error)}.`, {
      cause: error,
    });
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
  readonly #statements: PreparedStatements;
  readonly #writer: SqliteWrites;
  readonly #dataVersion: StatementSync;
  readonly #thread: ReaderThread;

  constructor(file: string, reading: DatabaseSync, readerThread: ReaderThread, writer: SqliteWrites) {
    const statements = new PreparedStatements(reading);
    super(reading, statements);
    this.#file = file;
    this.#reading = reading;
    this.#statements = statements;
    this.#thread = readerThread;
    this.#writer = writer;
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
      : (this.#statements.first(statement.sql, values) as Joined | undefined);
    return row && { row, items: row.items ?? NO_ITEMS, count: row.items_found, leftOut: row.left_out };
  }

  threadVerb: Database['threadVerb'] = (verb) => this.#writer.threadVerb?.(verb);

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
    // Before the thread that reads, which writes the log back for the writer.
    await this.#writer.close();
    await this.#thread.close();
    this.#reading.close();
  }
}
