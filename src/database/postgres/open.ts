import { setTimeout as pause } from 'node:timers/promises';
import type { TransactionSql } from 'postgres';
import {
  type Connection,
  type Database,
  DatabaseUnavailable,
  DatabaseUnusable,
  type Dialect,
  type Reader,
  type RowWithItems,
  type Statement,
  statement,
  type Value,
} from '../database.ts';
import { describeHosts, type PostgresAddress } from './address.ts';
import { PostgresConnection } from './connection.ts';
import { isLost, isRetryable, messageOf, translateError } from './errors.ts';
import { CONNECTIONS, type Pool } from './pool.ts';
import { Primary } from './primary.ts';
import { Transaction } from './transaction.ts';

/** A server that has not answered for so long is taken for lost. */
const PATIENCE_MS = 10_000;
const START_AGAIN_MS = 500;
const MAXIMUM_TRIES = 5;

/**
 * Opens a PostgreSQL database, waiting up to `waitMs` for a server that is away: `onWaiting` is told once.
 * @throws {DatabaseUnusable} when it stays away, or refuses the user, the password or the database
 */
export async function openPostgres(
  address: PostgresAddress,
  { waitMs, onWaiting }: { waitMs: number; onWaiting: (line: string) => void },
): Promise<Database> {
  const primary = new Primary(address);
  const where = describeHosts(address);
  const begun = performance.now();
  for (let told = false; ; told = true) {
    try {
      await primary.connect();
      return new PostgresDatabase(primary, address.prepare);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      const reason = messageOf(error);
      if (performance.now() - begun > waitMs) {
        throw new DatabaseUnusable(
          `The database server at ${where} cannot be used: ${reason}; gave up after ${waitMs / 1000} s (DATABASE_WAIT).`,
          { cause: error },
        );
      }
      if (!told) onWaiting(`Waiting for the database server at ${where}: ${reason}.`);
    }
    await pause(START_AGAIN_MS);
  }
}

const dialect: Dialect = {
  integer: 'bigint',
  number: 'double precision',
  text: 'text COLLATE "C"',
  bytes: 'bytea',
  compact: '',
  ordinary: '',
  // The row, and then the items as rows of their own: joining them here costs the server more than all else.
  // They are varchar, which this engine's connection hands on without decoding it. The number that stands
  // in the text tells the planner how few rows are wanted: a parameter would have it plan each time anew.
  withItems: <Parameters, Row>(
    { columns, sql }: { columns: readonly string[]; sql: string },
    items: string,
    most: number,
  ) =>
    statement<Parameters & { limit: number }, Row>(
      `SELECT ${columns.join(', ')}, NULL AS item FROM (${sql}) AS one UNION ALL
       (SELECT ${columns.map(() => 'NULL').join(', ')}, CAST(item AS varchar)
        FROM (${items} LIMIT ${most}) AS few LIMIT CAST(:limit AS bigint))`,
    ),
  // A look-up of its own: then the index holds all that the rest of the statement needs, and going along it is
  // the cheapest whatever the planner thinks of how many rows match. Else it may sort all of them instead.
  asBytes: (text) => `CAST(${text} AS varchar)`,
  textFrom: (text, part, length) =>
    `substr(${text}, nullif(strpos(substr(${text}, 2), ${part}), 0) + 1, ${length})`,
  outsideIndex: (value, { table, row, key }) =>
    `(SELECT ${value('other')} FROM ${table} AS other
      WHERE ${key.map((name) => `other.${name} = ${row}.${name}`).join(' AND ')})`,
  // What an extension brought along does not make the database another program's.
  listTables: statement<unknown, { name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
       AND NOT EXISTS (SELECT 1 FROM pg_depend d
                       WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`,
  ),
  // Held until the transaction ends, and so also behind a pooler that hands connections round.
  takeTurns: statement<unknown, never>('SELECT pg_advisory_xact_lock(8386093317205)'),
};

class PostgresDatabase implements Database {
  readonly dialect = dialect;
  // Statements of more requests would only wait for each other's connections, where no merchant has a turn.
  readonly concurrency = { first: 3 * CONNECTIONS, least: CONNECTIONS, most: 6 * CONNECTIONS };
  readonly #primary: Primary;
  readonly #prepare: boolean;

  constructor(primary: Primary, prepare: boolean) {
    this.#primary = primary;
    this.#prepare = prepare;
  }

  all: Database['all'] = (statement, ...parameters) =>
    this.#read((connection) => connection.all(statement, ...parameters));

  first: Database['first'] = (statement, ...parameters) =>
    this.#read((connection) => connection.first(statement, ...parameters));

  firstWithItems<Row>(
    statement: Statement<Row>,
    parameters: Value[],
  ): Promise<RowWithItems<Row> | undefined> {
    return this.#read((connection) => connection.firstWithItems(statement, parameters));
  }

  async transaction<T>(work: (connection: Connection) => Promise<T>, { unhurried = false } = {}): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#begin('isolation level read committed read write', work, unhurried);
      } catch (error) {
        if (!isRetryable(error) || tries === MAXIMUM_TRIES) throw translateError(error);
      }
    }
  }

  async snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    try {
      return await this.#begin('isolation level repeatable read read only', work, true);
    } catch (error) {
      throw translateError(error);
    }
  }

  async settle(): Promise<void> {
    const pool = await this.#primary.pool();
    try {
      // Page counts, and which pages need no second look, are what plans and index-only scans live on.
      for (const { name } of await this.all(dialect.listTables))
        await pool.sql.unsafe(`VACUUM (ANALYZE) ${name}`);
    } catch (error) {
      throw translateError(error);
    }
  }

  // The server has no number that is cheaper to ask for than what is remembered on the strength of it.
  version(): undefined {
    return undefined;
  }

  close(): Promise<void> {
    return this.#primary.close();
  }

  async #read<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const pool = await this.#primary.pool();
    try {
      return await within(PATIENCE_MS, (alive) =>
        work(new PostgresConnection(pool.sql, this.#prepare, alive)),
      );
    } catch (error) {
      this.#weigh(pool, error);
      throw translateError(error);
    }
  }

  async #begin<T>(
    mode: string,
    work: (connection: Connection) => Promise<T>,
    unhurried: boolean,
  ): Promise<T> {
    const pool = await this.#primary.pool();
    const over = new AbortController();
    const lost = Promise.withResolvers<never>();
    const run =
      (alive: () => void) =>
      async (connection: TransactionSql): Promise<{ result: T }> => {
        alive();
        const statements = new PostgresConnection(connection, this.#prepare, alive);
        const transaction = new Transaction(statements, over.signal, lost.reject);
        const result = await transaction.whileItLasts(() => work(transaction));
        alive();
        return { result };
      };
    try {
      const patience = unhurried ? Number.POSITIVE_INFINITY : PATIENCE_MS;
      const outcome = within(patience, (alive) =>
        Promise.race([pool.sql.begin(mode, run(alive)), lost.promise]),
      );
      return (await outcome).result;
    } catch (error) {
      this.#weigh(pool, error);
      throw error;
    } finally {
      over.abort();
    }
  }

  #weigh(pool: Pool, error: unknown): void {
    if (error instanceof Silence || isLost(error)) this.#primary.discard(pool);
  }
}

/** The server has not answered in time. */
class Silence extends DatabaseUnavailable {}

/**
 * Runs work that calls `alive` each time that the server answered.
 * @throws {Silence} when that has not happened for so many milliseconds
 */
async function within<T>(milliseconds: number, work: (alive: () => void) => Promise<T>): Promise<T> {
  if (milliseconds === Number.POSITIVE_INFINITY) return await work(() => {});
  const { promise, reject } = Promise.withResolvers<never>();
  let waiting = true;
  const timer = setTimeout(() => {
    waiting = false;
    reject(new Silence(`the database has not answered for ${milliseconds / 1000} s`));
  }, milliseconds);
  try {
    // An answer may come later still: it is not to set a timer off again that is done.
    return await Promise.race([work(() => void (waiting && timer.refresh())), promise]);
  } finally {
    waiting = false;
    clearTimeout(timer);
  }
}
