import { setTimeout as pause } from 'node:timers/promises';
import type { TransactionSql } from 'postgres';
import {
  type Connection,
  type Database,
  DatabaseUnavailable,
  DatabaseUnusable,
  type Reader,
  type RowWithItems,
  type Statement,
} from '../database.ts';
import { describeHosts, type PostgresAddress } from './address.ts';
import { PostgresConnection } from './connection.ts';
import { dialect } from './dialect.ts';
import { isLost, isRetryable, reasonOf, translateError } from './errors.ts';
import { ServerSilent, withIdleTimeout } from './idle-timeout.ts';
import { CONNECTIONS, type Pool } from './pool.ts';
import { Primary } from './primary.ts';
import { Transaction } from './transaction.ts';

/** A server that does not respond for this long counts as lost. */
const IDLE_TIMEOUT_MS = 10_000;
const RECONNECT_DELAY_MS = 500;
const MAX_ATTEMPTS = 5;

/**
 * Opens a PostgreSQL database. Waits up to `waitMs` for a server that is away, and calls `onWaiting` once if so.
 * @throws {DatabaseUnusable} if the server stays away, or rejects the user, the password or the database
 */
export async function openPostgres(
  address: PostgresAddress,
  { waitMs, onWaiting }: { waitMs: number; onWaiting: (line: string) => void },
): Promise<Database> {
  const primary = new Primary(address);
  const hosts = describeHosts(address);
  const startedAt = performance.now();
  for (let reported = false; ; reported = true) {
    try {
      await primary.connect();
      return new PostgresDatabase(primary, address.prepare);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      const reason = reasonOf(error);
      if (performance.now() - startedAt > waitMs) {
        throw new DatabaseUnusable(
          `The database server at ${hosts} cannot be used: ${reason}; gave up after ${waitMs / 1000} s (DATABASE_WAIT).`,
          { cause: error },
        );
      }
      if (!reported) onWaiting(`Waiting for the database server at ${hosts}: ${reason}.`);
    }
    await pause(RECONNECT_DELAY_MS);
  }
}

class PostgresDatabase implements Database {
  readonly dialect = dialect;
  // With more requests, statements would only wait for connections, in a queue where merchants do not take turns.
  readonly concurrency = { initial: 3 * CONNECTIONS, min: CONNECTIONS, max: 6 * CONNECTIONS };
  // Long reads of one merchant would otherwise use the server's cores that other merchants need.
  readonly longReads = { maxRunning: 3, perQueue: 1 };
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

  firstWithItems<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<RowWithItems<Row> | undefined> {
    return this.#read((connection) => connection.firstWithItems(statement, parameters));
  }

  async transaction<T>(
    work: (connection: Connection) => Promise<T>,
    { longRunning = false } = {},
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#begin('isolation level read committed read write', work, longRunning);
      } catch (error) {
        if (!isRetryable(error) || attempt === MAX_ATTEMPTS) throw translateError(error);
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

  async updateStatistics(): Promise<void> {
    const pool = await this.#primary.pool();
    try {
      // VACUUM too: plans depend on its page counts, and index-only scans on its visibility map.
      for (const { name } of await this.all(dialect.listTables))
        await pool.sql.unsafe(`VACUUM (ANALYZE) ${name}`);
    } catch (error) {
      throw translateError(error);
    }
  }

  // Asking the server for such a number costs as much as the reads that a cache would save.
  version(): undefined {
    return undefined;
  }

  close(): Promise<void> {
    return this.#primary.close();
  }

  async #read<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const pool = await this.#primary.pool();
    try {
      return await withIdleTimeout(IDLE_TIMEOUT_MS, (alive) =>
        work(new PostgresConnection(pool.sql, this.#prepare, alive)),
      );
    } catch (error) {
      this.#discardIfLost(pool, error);
      throw translateError(error);
    }
  }

  async #begin<T>(
    mode: string,
    work: (connection: Connection) => Promise<T>,
    longRunning: boolean,
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
        const result = await transaction.whileActive(() => work(transaction));
        alive();
        return { result };
      };
    try {
      const timeout = longRunning ? Number.POSITIVE_INFINITY : IDLE_TIMEOUT_MS;
      const outcome = withIdleTimeout(timeout, (alive) =>
        Promise.race([pool.sql.begin(mode, run(alive)), lost.promise]),
      );
      return (await outcome).result;
    } catch (error) {
      this.#discardIfLost(pool, error);
      throw error;
    } finally {
      over.abort();
    }
  }

  #discardIfLost(pool: Pool, error: unknown): void {
    if (error instanceof ServerSilent || isLost(error)) this.#primary.discard(pool);
  }
}
