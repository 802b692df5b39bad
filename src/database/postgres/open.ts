import { setTimeout as pause } from 'node:timers/promises';
import type { TransactionSql } from 'postgres';
import {
  type Connection,
  type Database,
  DatabaseUnavailable,
  DatabaseUnusable,
  type Reader,
  type RowWithItems,
  type TransactionOptions,
} from '../database.ts';
import { quoteName } from '../quote-name.ts';
import { type Statement, statement } from '../statement.ts';
import { describeHosts, type PostgresAddress } from './address.ts';
import { type ConnectionOptions, PostgresConnection } from './connection.ts';
import { CONNECTIONS, EVERY_NODE, NO_MERCHANT } from './connection-shares.ts';
import { dialect } from './dialect.ts';
import { describeFailure, isLost, isRetryable, translatePostgresError } from './errors.ts';
import { GroupedTransactions } from './grouped-transactions.ts';
import { ServerSilent, withIdleTimeout } from './idle-timeout.ts';
import { MerchantNodes } from './merchant-nodes.ts';
import type { Pool } from './pool.ts';
import { Primary } from './primary.ts';
import { type BeginNested, type Statements, Transaction } from './transaction.ts';

/** Without a response for this long, a server counts as lost. */
const IDLE_TIMEOUT_MS = 10_000;
const RECONNECT_DELAY_MS = 500;
const MAX_ATTEMPTS = 5;

/**
 * Waits up to `waitMs` for a server that is away, and calls `onWaiting` once if so.
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
      const reason = describeFailure(error);
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
  // With more, statements would only wait for connections, in a queue where merchants do not take turns.
  readonly concurrency = { initial: 3 * CONNECTIONS, min: CONNECTIONS, max: 6 * CONNECTIONS };
  // Only other writes of the merchant wait, and the time of a few items is mostly round trips.
  readonly importTransactions = { maxHoldMs: 50, minItems: 50 };
  // Long reads of one merchant would otherwise use cores that other merchants need.
  readonly longReads = { maxRunning: 3, perQueue: 1 };
  readonly #primary: Primary;
  readonly #prepare: boolean;
  readonly #nodes = new MerchantNodes();
  readonly #groups = new GroupedTransactions((work, merchantId) => this.#transaction(work, { merchantId }));

  constructor(primary: Primary, prepare: boolean) {
    this.#primary = primary;
    this.#prepare = prepare;
  }

  all: Database['all'] = (statement, ...parameters) =>
    this.#read(rowsOf(statement, parameters[0]), (connection) => connection.all(statement, ...parameters));

  first: Database['first'] = (statement, ...parameters) =>
    this.#read(rowsOf(statement, parameters[0]), (connection) => connection.first(statement, ...parameters));

  firstWithItems<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
  ): Promise<RowWithItems<Row> | undefined> {
    return this.#read(rowsOf(statement, parameters), (connection) =>
      connection.firstWithItems(statement, parameters),
    );
  }

  // The server writes.
  inWriterThread(): undefined {
    return undefined;
  }

  async transaction<T>(
    work: (connection: Connection) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const { merchantId, locksMerchant = false } = options;
    if (!locksMerchant || merchantId === undefined) return await this.#transaction(work, options);
    return await this.#groups.transaction(work, merchantId);
  }

  async #transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    options: TransactionOptions,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#begin('isolation level read committed read write', work, options);
      } catch (error) {
        if (!isRetryable(error) || attempt === MAX_ATTEMPTS) throw translatePostgresError(error);
      }
    }
  }

  async snapshot<T>(work: (reader: Reader) => Promise<T>, options: { merchantId?: number } = {}): Promise<T> {
    try {
      return await this.#begin('isolation level repeatable read read only', work, {
        ...options,
        longRunning: true,
      });
    } catch (error) {
      throw translatePostgresError(error);
    }
  }

  async updateStatistics(): Promise<void> {
    const pool = await this.#primary.pool();
    try {
      // VACUUM too: plans depend on its page counts, and index-only scans on its visibility map.
      for (const { name } of await this.all(dialect.listTables)) {
        const table = quoteName(name);
        // After a VACUUM of an empty table, plans read the whole table until the next one, however it grows.
        const anyRow = statement<unknown, unknown>(`SELECT 1 FROM ${table} LIMIT 1`, { everyNode: true });
        if ((await this.first(anyRow)) === undefined) continue;
        const vacuum = `VACUUM (ANALYZE) ${table}`;
        await pool.shares.run({ share: EVERY_NODE }, async () => await pool.sql.unsafe(vacuum));
      }
    } catch (error) {
      throw translatePostgresError(error);
    }
  }

  // Reading such a number costs as much as the reads that a cache would save.
  version(): undefined {
    return undefined;
  }

  close(): Promise<void> {
    return this.#primary.close();
  }

  async #read<T>(rows: Rows, work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const pool = await this.#primary.pool();
    try {
      const read = (alive: () => void): Promise<T> =>
        work(new PostgresConnection(pool.sql, this.#connectionOptions(pool), alive));
      // Reads need no share unless a node can hang: they wait for no locks and can use one connection.
      if (!pool.isDistributed) return await withIdleTimeout(IDLE_TIMEOUT_MS, read);
      const share = await this.#shareOf(pool, rows);
      return await withIdleTimeout(IDLE_TIMEOUT_MS, (alive) =>
        pool.shares.run(share, (active) => read(both(alive, active))),
      );
    } catch (error) {
      if (isLost(error)) this.#primary.discard(pool);
      if (error instanceof ServerSilent) void this.#discardUnlessAlive(pool);
      throw translatePostgresError(error);
    }
  }

  /** The node's in a cluster, where any node can hang; otherwise the merchant's own. */
  async #shareOf(
    pool: Pool,
    { merchantId, everyNode = false }: Rows,
  ): Promise<{ share: string; merchant?: string }> {
    if (everyNode && pool.isDistributed) return { share: EVERY_NODE };
    if (merchantId === undefined) return { share: NO_MERCHANT };
    const merchant = `merchant ${merchantId}`;
    if (!pool.isDistributed) return { share: merchant };
    return { share: await this.#nodes.find(this, merchantId), merchant };
  }

  async #begin<T>(
    mode: string,
    work: (transaction: Transaction) => Promise<T>,
    { longRunning = false, ...rows }: TransactionOptions,
  ): Promise<T> {
    const pool = await this.#primary.pool();
    const share = await this.#shareOf(pool, rows);
    const over = new AbortController();
    const lost = Promise.withResolvers<never>();
    const abandoned = Promise.withResolvers<never>();
    abandoned.promise.catch(() => {});
    const run =
      (alive: () => void) =>
      async (connection: TransactionSql): Promise<{ result: T; allSent(): Promise<unknown> }> => {
        alive();
        const options = this.#connectionOptions(pool);
        const statementsOn = (sql: TransactionSql) => new PostgresConnection(sql, options, alive);
        const nested = withSavepoint(connection, statementsOn);
        const transaction = new Transaction(statementsOn(connection), nested, over.signal, lost.reject);
        const ended = transaction.whileActive(() => transaction.complete(work, () => transaction.flush()));
        const result = await Promise.race([ended, abandoned.promise]);
        alive();
        // A function, because the driver would wait for a promise, and then commit.
        return { result, allSent: () => transaction.allSent() };
      };
    try {
      const timeout = longRunning ? Number.POSITIVE_INFINITY : IDLE_TIMEOUT_MS;
      const outcome = withIdleTimeout(timeout, (alive) =>
        pool.shares.run(share, async (active) => {
          const committing = pool.sql.begin(mode, run(both(alive, active)));
          const { result, allSent } = await Promise.race([committing, lost.promise]);
          // If a statement failed that was sent last, the server has rolled back, without an error of COMMIT.
          await Promise.race([allSent(), lost.promise]);
          return result;
        }),
      );
      return await outcome;
    } catch (error) {
      if (isLost(error)) this.#primary.discard(pool);
      if (error instanceof ServerSilent) {
        // If the server is alive, the driver rolls back once it has responded to the statement in progress.
        void this.#discardUnlessAlive(pool).then((isAlive) => (isAlive ? abandoned : lost).reject(error));
      }
      throw error;
    } finally {
      // The default reason is an exception, whose stack costs more than all other bookkeeping here.
      over.abort('the transaction has ended');
    }
  }

  #connectionOptions({ isDistributed }: Pool): ConnectionOptions {
    return { prepare: this.#prepare, isDistributed };
  }

  /**
   * Discards the connections to a silent server, unless a cluster's coordinator accepts new ones: then a node
   * is silent. Resolves to whether the server is alive.
   */
  async #discardUnlessAlive(pool: Pool): Promise<boolean> {
    if (pool.isDistributed && (await pool.isAlive())) return true;
    this.#primary.discard(pool);
    return false;
  }
}

function withSavepoint(
  transaction: TransactionSql,
  statementsOn: (sql: TransactionSql) => Statements,
): BeginNested {
  let savepoints = 0;
  return async (work) => {
    // The driver numbers savepoints.
    const name = `s${savepoints++}`;
    const { result } = await transaction.savepoint(async (sql) => {
      const done = await work(statementsOn(sql));
      // Not awaited: the server gets it together with the next statement.
      sql.unsafe(`RELEASE SAVEPOINT ${name}`).catch(() => {});
      return { result: done };
    });
    return result;
  };
}

/** Whose rows a statement or a transaction uses. */
type Rows = Pick<TransactionOptions, 'merchantId' | 'everyNode'>;

function rowsOf({ everyNode = false }: Pick<Statement, 'everyNode'>, parameters: unknown): Rows {
  const { merchantId, merchant_id } = (parameters ?? {}) as { merchantId?: unknown; merchant_id?: unknown };
  const id = merchantId ?? merchant_id;
  return { everyNode, ...(typeof id === 'number' && { merchantId: id }) };
}

function both(one: () => void, other: () => void): () => void {
  return () => {
    one();
    other();
  };
}
