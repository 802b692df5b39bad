import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { messageOf } from '../../shared/error-message.ts';
import { type Connection, DatabaseUnavailable } from '../database.ts';
import { type ArgumentsOf, type Statement, type Value, valuesOf } from '../statement.ts';

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
// The operating system caches the file too: reading a page from there costs 2 µs.
const READ_CACHE_KB = 16 * 1024;
const STARTUP_BUSY_MS = 5_000;

/** Opens the connection that writes. */
export function openWriting(file: string): DatabaseSync {
  const writing = new DatabaseSync(file, { timeout: STARTUP_BUSY_MS });
  setUp(writing);
  return writing;
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

export function openReading(file: string): DatabaseSync {
  const reading = new DatabaseSync(file, { timeout: STARTUP_BUSY_MS });
  reading.exec(`PRAGMA cache_size = -${READ_CACHE_KB}; PRAGMA query_only = 1;`);
  return reading;
}

// SQLite's primary result codes of temporary errors: busy, locked, read-only, I/O error, full, can't open.
const TEMPORARY = new Set([5, 6, 8, 10, 13, 14]);

/** Turns temporary errors into `DatabaseUnavailable`, and returns others as they are. */
export function translateSqliteError(error: unknown): unknown {
  const code = resultCode(error);
  if (code === undefined || !TEMPORARY.has(code)) return error;
  return new DatabaseUnavailable(messageOf(error), { cause: error });
}

export const BUSY = 5;

export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  return error.errcode & 0xff;
}

/** Runs SQL with the values for its `?`. @throws {DatabaseUnavailable} */
export interface Statements {
  all(sql: string, values: Value[]): unknown[] | Promise<unknown[]>;
  first(sql: string, values: Value[]): unknown;
  /** Returns the number of changed rows. */
  run(sql: string, values: Value[]): number | Promise<number>;
  /** The same for all sets together. */
  runEach(sql: string, sets: Iterable<Value[]>): number | Promise<number>;
}

/** Keeps statements prepared. */
export class PreparedStatements implements Statements {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  all(sql: string, values: Value[]): unknown[] {
    return attempt(() => this.#prepare(sql).all(...values));
  }

  first(sql: string, values: Value[]): unknown {
    return attempt(() => this.#prepare(sql).get(...values));
  }

  run(sql: string, values: Value[]): number {
    return attempt(() => Number(this.#prepare(sql).run(...values).changes));
  }

  runEach(sql: string, sets: Iterable<Value[]>): number {
    const prepared = attempt(() => this.#prepare(sql));
    let changed = 0;
    for (const values of sets) changed += Number(attempt(() => prepared.run(...values)).changes);
    return changed;
  }

  #prepare(sql: string): StatementSync {
    let prepared = this.#prepared.get(sql);
    if (prepared === undefined) {
      prepared = this.#database.prepare(sql);
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }
}

/**
 * The statements of one transaction. They fail once it has ended: SQLite ends it by itself if the disk is
 * full, and what another part of it still runs would then be committed alone, or with another transaction.
 */
export class TransactionStatements implements Statements {
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  #hasEnded = false;

  constructor(database: DatabaseSync, statements: Statements) {
    this.#database = database;
    this.#statements = statements;
  }

  end(): void {
    this.#hasEnded = true;
  }

  all(sql: string, values: Value[]): unknown[] | Promise<unknown[]> {
    this.#requireOpen();
    return this.#statements.all(sql, values);
  }

  first(sql: string, values: Value[]): unknown {
    this.#requireOpen();
    return this.#statements.first(sql, values);
  }

  run(sql: string, values: Value[]): number | Promise<number> {
    this.#requireOpen();
    return this.#statements.run(sql, values);
  }

  runEach(sql: string, sets: Iterable<Value[]>): number | Promise<number> {
    this.#requireOpen();
    return this.#statements.runEach(sql, sets);
  }

  #requireOpen(): void {
    if (this.#hasEnded || !this.#database.isTransaction)
      throw new DatabaseUnavailable('the transaction has ended');
  }
}

export class SqliteConnection implements Connection {
  readonly #statements: Statements;
  readonly #sent: Promise<unknown>[] = [];

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  async all<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    ...[parameters]: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<Row[]> {
    return await this.#read(statement, parameters);
  }

  async allEach<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameterSets: readonly NoInfer<Parameters>[],
  ): Promise<Row[][]> {
    return await Promise.all(parameterSets.map((parameters) => this.#read(statement, parameters)));
  }

  async first<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    ...[parameters]: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<Row | undefined> {
    return this.#statements.first(statement.sql, valuesOf(statement, parameters)) as Row | undefined;
  }

  async run<Parameters>(
    statement: Statement<Parameters>,
    ...[parameters]: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<number> {
    return this.#statements.run(statement.sql, valuesOf(statement, parameters));
  }

  async runEach<Parameters>(
    statement: Statement<Parameters>,
    parameterSets: readonly NoInfer<Parameters>[],
  ): Promise<number> {
    return await this.#statements.runEach(
      statement.sql,
      Iterator.from(parameterSets).map((parameters) => valuesOf(statement, parameters)),
    );
  }

  send<Parameters>(statement: Statement<Parameters>, parameterSets: readonly NoInfer<Parameters>[]): void {
    if (parameterSets.length === 0) return;
    const sent = this.runEach(statement, parameterSets);
    // Reported by `allSent`.
    sent.catch(() => {});
    this.#sent.push(sent);
  }

  /** Resolves when everything that was sent has run. @throws if a statement failed */
  async allSent(): Promise<void> {
    await Promise.all(this.#sent);
  }

  async #read<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameters: Parameters | undefined,
  ): Promise<Row[]> {
    return (await this.#statements.all(statement.sql, valuesOf(statement, parameters))) as Row[];
  }
}

/** Resolves when all statements of the work have run. */
export async function runOn<T>(
  statements: Statements,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = new SqliteConnection(statements);
  const result = await work(connection);
  await connection.allSent();
  return result;
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translateSqliteError(error);
  }
}
