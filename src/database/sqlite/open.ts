import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { messageOf } from '../../shared/error-message.ts';
import { type Database, DatabaseUnusable, type Reader, type RowWithItems } from '../database.ts';
import { type ArgumentsOf, type Statement, valuesOf } from '../statement.ts';
import {
  openReading,
  openWriting,
  PreparedStatements,
  SqliteConnection,
  translateSqliteError,
} from './connection.ts';
import { dialect } from './dialect.ts';
import { ReaderThread } from './reader-thread.ts';
import { RemoteWriter, type WriterThreadSettings } from './remote-writer.ts';
import { type Checkpoint, type DatabaseFile, SqliteWriter, type SqliteWrites } from './writer.ts';

/**
 * Opens or creates a database. Several processes may have it open simultaneously.
 * @throws {DatabaseUnusable} if the file cannot be opened or is not a SQLite database
 */
export function openSqlite(file: string): SqliteDatabase {
  try {
    makePrivate(file);
    const writing = openWriting(file);
    return new SqliteDatabase({ file, inode: statSync(file).ino }, openReading(file), writing);
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

export class SqliteDatabase extends SqliteConnection implements Database {
  readonly dialect = dialect;
  // With fewer requests, too few writes would share a flush to the disk.
  readonly concurrency = { initial: 256, min: 64, max: 512 };
  // All other writes wait.
  readonly importTransactions = { maxHoldMs: 12, minItems: 4 };
  readonly longReads = { maxRunning: 4, perQueue: 2 };
  readonly #file: DatabaseFile;
  readonly #reading: DatabaseSync;
  readonly #statements: PreparedStatements;
  readonly #dataVersion: StatementSync;
  readonly #thread: ReaderThread;
  readonly #checkpoint: Checkpoint;
  #writer: SqliteWrites;

  constructor(file: DatabaseFile, reading: DatabaseSync, writing: DatabaseSync) {
    const statements = new PreparedStatements(reading);
    super(statements);
    this.#file = file;
    this.#reading = reading;
    this.#statements = statements;
    this.#thread = new ReaderThread(file.file);
    this.#checkpoint = (pauseFor) => this.#thread.checkpoint(pauseFor);
    this.#writer = new SqliteWriter(file, writing, new PreparedStatements(writing), this.#checkpoint);
    this.#dataVersion = reading.prepare('PRAGMA data_version');
    this.#dataVersion.setReturnArrays(true);
  }

  /**
   * From now on, writes do not block the event loop. A transaction with many statements takes longer, unless
   * it is a verb of the thread.
   */
  async writeInThread(settings: WriterThreadSettings): Promise<void> {
    await this.#writer.close();
    this.#writer = new RemoteWriter(this.#file, settings, this.#checkpoint);
  }

  override async all<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    ...parameters: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<Row[]> {
    if (statement.offLoop !== true) return await super.all(statement, ...parameters);
    return await this.#thread.all<Row>(statement.sql, valuesOf(statement, parameters[0]));
  }

  override async first<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    ...parameters: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<Row | undefined> {
    if (statement.offLoop !== true) return await super.first(statement, ...parameters);
    return (await this.all(statement, ...parameters))[0];
  }

  async firstWithItems<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
    { offLoop = false }: { offLoop?: boolean } = {},
  ): Promise<RowWithItems<Row> | undefined> {
    type Joined = Row & { items: Uint8Array | null; items_found: number; left_out: number };
    const values = valuesOf(statement, parameters);
    const row = offLoop
      ? (await this.#thread.all<Joined>(statement.sql, values))[0]
      : (this.#statements.first(statement.sql, values) as Joined | undefined);
    return row && { row, items: row.items ?? NO_ITEMS, count: row.items_found, leftOut: row.left_out };
  }

  inWriterThread: Database['inWriterThread'] = (verb) => this.#writer.inWriterThread?.(verb);

  transaction: Database['transaction'] = (work, options) => this.#writer.transaction(work, options);

  async snapshot<T>(
    work: (reader: Reader) => Promise<T>,
    { offLoop = false }: { offLoop?: boolean } = {},
  ): Promise<T> {
    if (offLoop) return await this.#thread.snapshot(work);
    // A separate connection, because the shared one must see later commits.
    const reading = openReading(this.#file.file);
    try {
      reading.exec('BEGIN');
      return await work(new SqliteConnection(new PreparedStatements(reading)));
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
    try {
      // First, because the reader thread writes the log back for the writer.
      await this.#writer.close();
    } finally {
      await this.#thread.close();
      this.#reading.close();
    }
  }
}
