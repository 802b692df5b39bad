import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  type Database,
  DatabaseUnusable,
  type Dialect,
  type Reader,
  type RowWithItems,
  type Statement,
  statement,
  type Value,
  valuesOf,
} from '../database.ts';
import { openReading, SqliteConnection, STARTUP_BUSY_MS, translateError } from './connection.ts';
import { ReaderThread } from './reader-thread.ts';
import { SqliteWriter } from './writer.ts';

// 8 KB pages hold five records of the usual size: measured faster to read than 4 KB, cheaper to log than 16.
// Checkpoints, which take a tenth of a second, run in the reading thread (`SqliteWriter`). Only if that falls far
// behind, at 128 MB of log, does the writing connection do it itself.
const SETUP = `
  PRAGMA page_size = 8192;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA temp_store = MEMORY;
  PRAGMA wal_autocheckpoint = 16000;`;
const WRITE_CACHE_KB = 32 * 1024;

/**
 * Opens, or makes, the SQLite database of `file`: a connection that only reads and one that writes.
 * Several processes may have it open at once.
 * @throws {DatabaseUnusable} when the file cannot be opened or is not a SQLite database
 */
export function openSqlite(file: string): Database {
  try {
    makePrivate(file);
    const writing = new DatabaseSync(file, { timeout: STARTUP_BUSY_MS });
    writing.exec(`${SETUP} PRAGMA cache_size = -${WRITE_CACHE_KB}; PRAGMA busy_timeout = 0;`);
    return new SqliteDatabase(file, openReading(file), writing);
  } catch (error) {
    const cause = error instanceof Error ? error.message : 'unknown error';
    throw new DatabaseUnusable(`The database file ${file} cannot be used: ${cause}.`, { cause: error });
  }
}

/** The file holds merchants' data: nobody but its owner reads it. SQLite gives its side files the same mode. */
function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

export const dialect: Dialect = {
  integer: 'integer',
  number: 'real',
  text: 'text',
  bytes: 'blob',
  compact: 'STRICT, WITHOUT ROWID',
  ordinary: 'STRICT',
  // As bytes, not as text: that spares decoding the page into a JavaScript string and encoding it again.
  // CAST, as SQLite looks at a parameter that stands alone there while it plans, and so plans the statement
  // anew each time that one is bound. Measured: 92 µs a page with it alone, 70 µs so.
  withItems: <Parameters, Row>({ sql }: { sql: string }, items: string) =>
    statement<Parameters & { limit: number }, Row>(
      `SELECT * FROM (${sql}) LEFT JOIN
         (SELECT CAST('[' || group_concat(item, ',') || ']' AS BLOB) AS items,
                 count(*) - count(item) AS left_out
          FROM (${items} LIMIT CAST(:limit AS bigint))) ON true`,
    ),
  asBytes: (text) => `CAST(${text} AS BLOB)`,
  // By bytes: by characters, each would be looked at one after the other.
  textFrom: (text, part, length) =>
    `(SELECT CAST(substr(bytes, nullif(instr(substr(bytes, 2), CAST(${part} AS BLOB)), 0) + 1, ${length}) AS text)
      FROM (SELECT CAST(${text} AS BLOB) AS bytes))`,
  outsideIndex: (value, { row }) => value(row),
  // A transaction that writes has the whole file to itself.
  takeTurns: statement<unknown, never>('SELECT 1'),
  listTables: statement<unknown, { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"),
};

const NO_ITEMS = Buffer.from('[]');

class SqliteDatabase extends SqliteConnection implements Database {
  readonly dialect = dialect;
  // Fewer would leave writes that share a flush to the disk with too few to share it.
  readonly concurrency = { first: 256, least: 64, most: 512 };
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
    type Joined = Row & { items: Uint8Array | null; left_out: number };
    const joined: Statement<Value[], Joined> = { sql: statement.sql, placeholders: [] };
    const values = valuesOf(statement, parameters);
    const row = offLoop ? await this.#thread.first(joined, values) : await this.first(joined, values);
    return row && { row, items: row.items ?? NO_ITEMS, leftOut: row.left_out };
  }

  transaction: Database['transaction'] = (work) => this.#writer.transaction(work);

  async snapshot<T>(
    work: (reader: Reader) => Promise<T>,
    { offLoop = false }: { offLoop?: boolean } = {},
  ): Promise<T> {
    if (offLoop) return await this.#thread.snapshot(work);
    // A connection of its own: what is read meanwhile by others is not of this moment.
    const reading = openReading(this.#file);
    try {
      reading.exec('BEGIN');
      return await work(new SqliteConnection(reading));
    } catch (error) {
      throw translateError(error);
    } finally {
      reading.close();
    }
  }

  // The plans are the same whatever is known of the tables: there is nothing to bring up to date.
  async settle(): Promise<void> {}

  // The reading connection never writes, so its data_version moves with every commit of anybody's.
  version(): number {
    try {
      const row: unknown = this.#dataVersion.get();
      return Array.isArray(row) ? Number(row[0]) : Number.NaN;
    } catch (error) {
      throw translateError(error);
    }
  }

  async close(): Promise<void> {
    await this.#writer.idle();
    await this.#thread.close();
    this.#reading.close();
    this.#writing.close();
  }
}
