import type { ArgumentsOf, Statement } from './statement.ts';

/** Runs statements that read. Each one sees a consistent state of the data. */
export interface Reader {
  all<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    ...parameters: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<Row[]>;
  first<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    ...parameters: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<Row | undefined>;
}

export interface Connection extends Reader {
  /**
   * Like `all` with each set of parameters, in order, and in one statement where the engine can. Resolves to
   * the rows of each set. Parameters are texts, whole numbers and lists of them (`IN (:name[20])`) that are
   * not empty. They have the same types in all sets.
   */
  allEach<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameterSets: readonly NoInfer<Parameters>[],
  ): Promise<Row[][]>;
  /** Resolves to the number of changed rows. */
  run<Parameters>(
    statement: Statement<Parameters>,
    ...parameters: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<number>;
  /** The same with each set of parameters, in few statements where the engine can. */
  runEach<Parameters>(
    statement: Statement<Parameters>,
    parameterSets: readonly NoInfer<Parameters>[],
  ): Promise<number>;
  /**
   * Like `runEach`, in order with the statements before and after it, without waiting: a database server gets
   * the last writes of a transaction together with its commit. If a statement fails, so does the transaction.
   */
  send<Parameters>(statement: Statement<Parameters>, parameterSets: readonly NoInfer<Parameters>[]): void;
}

/** The SQL that differs between engines. */
export interface Dialect {
  /** The type of signed 64-bit integers. */
  integer: string;
  /** The type of IEEE 754 doubles. */
  number: string;
  /** The type of UTF-8 text that is compared by its bytes. */
  text: string;
  bytes: string;
  /** The options of a table with small rows that are found by their primary key. */
  compact: string;
  ordinary: string;
  /** The time of the database's clock while a statement runs, in microseconds since 1970. */
  clock: string;
  /**
   * A statement for `firstWithItems`. `row` selects `columns` of one row, `items` the column `item`: JSON
   * texts, or null for items to leave out. The parameter `limit` is the maximum number of items; `most`, for
   * the planner, a power of two not far above it.
   */
  withItems<Parameters, Row>(
    row: { columns: readonly string[]; sql: string },
    items: string,
    most: number,
  ): Statement<Parameters & { limit: number }, Row>;
  /**
   * The part of `text` from `part` on, searched after the first character; null if not found. `length` limits
   * it in characters or bytes, depending on the engine, so the last character may be cut.
   */
  textFrom(text: string, part: string, length: string): string;
  /** Text as its UTF-8 bytes, for columns that are sent without being decoded. */
  asBytes(text: string): string;
  /** An aggregate: a JSON object with an array for each column, of its values in all rows, as text. */
  jsonColumns(names: readonly string[]): string;
  /**
   * An expression on columns outside the index that a statement walks. `value` gets a row's name. `row` has
   * the row's name in the statement, the parameter with its merchant, and its identifying column.
   */
  outsideIndex(
    value: (row: string) => string,
    row: { table: string; row: string; merchantId: string; key: string },
  ): string;
  /** Includes other programs' tables. */
  listTables: Statement<unknown, { name: string }>;
  /** In the order of the schema. */
  listColumns: Statement<{ table: string }, { name: string }>;
  /** The first statement of transactions that must not overlap, in any process. */
  takeGlobalLock: Statement<unknown>;
  /** Makes statements of this transaction fail if they wait for a lock for 2 s, because others wait too. */
  waitBrieflyForLocks: Statement<unknown>;
  /** Makes a database server end this transaction if it waits 10 seconds for this process. */
  endIfAbandoned: Statement<unknown>;
  /** Counts shards that are being split. An update or deletion of their rows can stop the split. */
  countShardSplits: Statement<unknown, { splits: number }>;
  /** Whether tables can be distributed over nodes. */
  isCluster(reader: Pick<Reader, 'first'>): Promise<boolean>;
  /** Runs in a transaction before it changes the schema. */
  prepareMigration(connection: Connection): Promise<void>;
  /** Runs in the transaction of a migration. */
  distributeTables(connection: Connection): Promise<void>;
}

/** A row, and a JSON array of the items that were read with it, as bytes. */
export interface RowWithItems<Row> {
  row: Row;
  items: Uint8Array;
  /** Includes the items that were left out. */
  count: number;
  /** Items that were null. */
  leftOut: number;
}

/** How many concurrent requests make full use of an engine. */
export interface Concurrency {
  initial: number;
  min: number;
  max: number;
}

/** How long a transaction of an import may hold its locks, and how many items it writes at least. */
export interface ImportTransactions {
  maxHoldMs: number;
  minItems: number;
}

export interface TransactionOptions {
  longRunning?: boolean;
  merchantId?: number;
  /** Set if the transaction uses rows of several merchants, or of a merchant that it creates. */
  everyNode?: boolean;
  /** Set if the transaction locks the merchant first: it may then share a commit with others that do. */
  locksMerchant?: boolean;
}

/** Calls a verb in a transaction of its own, with all of its context but the connection. */
export type CallInThread = (
  context: { merchantId: number; now: number },
  input: unknown,
  options?: Pick<TransactionOptions, 'locksMerchant'>,
) => Promise<unknown>;

/** A database of either engine. Reads can run directly; every write runs in a `transaction`. */
export interface Database extends Reader {
  readonly dialect: Dialect;
  readonly concurrency: Concurrency;
  readonly importTransactions: Readonly<ImportTransactions>;
  /** How many `OffLoopReads` run at the same time, in total and per merchant. */
  readonly longReads: Readonly<{ maxRunning: number; perQueue: number }>;
  /** Runs a statement of `Dialect.withItems`; undefined without a row. For `offLoop`, see `snapshot`. */
  firstWithItems<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
    options?: { offLoop?: boolean },
  ): Promise<RowWithItems<Row> | undefined>;
  /**
   * Runs `work` atomically. When the promise resolves, its writes are on disk.
   * Others that change the same rows wait. A transaction whose writes depend on what it read must lock the
   * merchant first (`lockMerchant`). After a deadlock or a serialization failure, `work` runs again.
   * Only a `longRunning` transaction may have statements that take more than seconds.
   * `merchantId` is the merchant whose rows it uses. A transaction with neither `merchantId` nor `everyNode`
   * uses only tables whose rows belong to no merchant (`ConnectionShares`).
   * @throws {DatabaseUnavailable} if the database cannot be reached, does not respond or stays locked
   */
  transaction<T>(work: (connection: Connection) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Returns how to call a verb in the writer thread; undefined if the verb has to run here. */
  inWriterThread(verb: unknown): CallInThread | undefined;
  /** Runs `work` on a snapshot. With `offLoop`, no statement blocks the event loop, whatever it costs. */
  snapshot<T>(
    work: (reader: Reader) => Promise<T>,
    options?: { offLoop?: boolean; merchantId?: number },
  ): Promise<T>;
  /** Call it after many rows have changed. */
  updateStatistics(): Promise<void>;
  /** Changes with every commit of any process. Undefined on engines where it is expensive to read. */
  version(): number | undefined;
  close(): Promise<void>;
}

/** The database is unreachable, locked for too long, full or read-only. A retry may succeed. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** The database cannot be used as it is configured. The message is for the operator. */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable';
}
