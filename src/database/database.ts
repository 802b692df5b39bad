/** What a column can hold on every engine; times are whole milliseconds since 1970, UTC. */
export type Value = string | number | Uint8Array | null;

/** A table and those of its columns that rows are given for, in their order. */
export interface CopyTarget {
  readonly table: string;
  readonly columns: readonly string[];
}

/**
 * One SQL statement that every engine takes: `?` for each parameter and nowhere else, no engine's own
 * syntax. `Row` is the shape of what it returns.
 */
export interface Statement<Row = unknown> {
  readonly sql: string;
  /** Set where the best plan depends on the parameters, and costs little beside what it is for. */
  readonly planAnew?: boolean;
  /** What it does, where it is a plain insert: engines have quicker ways for many rows. */
  readonly copy?: CopyTarget;
  /** Never set: it only carries the row's type. */
  readonly row?: Row;
}

/** Declares a statement and the shape of its rows. */
export function statement<Row = never>(sql: string): Statement<Row> {
  return { sql };
}

/** Declares the statement that inserts a row into a table. */
export function insertInto(table: string, columns: readonly string[]): Statement<never> {
  const places = columns.map(() => '?').join(', ');
  return {
    sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`,
    copy: { table, columns },
  };
}

/** Runs statements that read, each seeing one consistent state of the data. */
export interface Reader {
  all<Row>(statement: Statement<Row>, parameters?: Value[]): Promise<Row[]>;
  first<Row>(statement: Statement<Row>, parameters?: Value[]): Promise<Row | undefined>;
}

/** Runs statements of every kind. */
export interface Connection extends Reader {
  /** Resolves to the number of rows that were changed. */
  run(statement: Statement, parameters?: Value[]): Promise<number>;
  /** Runs the statement once for each list of parameters, in order. */
  runEach(statement: Statement, parameterLists: Value[][]): Promise<void>;
}

/** What an engine calls things in a schema. */
export interface Dialect {
  /** Signed 64-bit integers. */
  integer: string;
  /** IEEE 754 doubles. */
  number: string;
  /** UTF-8 text that compares by its bytes. */
  text: string;
  bytes: string;
  /** What follows the columns of a table with small rows that are found by their primary key. */
  compact: string;
  /** What follows the columns of any other table. */
  ordinary: string;
  /**
   * A statement for `firstWithItems`: `row` selects `columns` and returns one row; `items` selects the column
   * `item`, JSON texts or null for what is left out, and returns up to `most` of them. Parameters: the row's, the
   * items', and how many items at most; `most` is a power of two not far above that, for the engine's planner.
   */
  withItems<Row>(
    row: { columns: readonly string[]; sql: string },
    items: string,
    most: number,
  ): Statement<Row>;
  /**
   * The text that begins with `part` inside `text`, past its first character, up to so many characters or bytes; null
   * where there is none. The last character may be broken.
   */
  textFrom(text: string, part: string, length: string): string;
  /** Text as the bytes of its UTF-8, for columns that are passed on without being decoded. */
  asBytes(text: string): string;
  /**
   * A value of the row of `table` that is called `row`, in a statement that goes along an index without the
   * columns of that value; `key` are columns that identify the row. `value` builds it for the row's name.
   */
  outsideIndex(
    value: (row: string) => string,
    row: { table: string; row: string; key: readonly string[] },
  ): string;
  /** Names every table of the database, whoever made it. */
  listTables: Statement<{ name: string }>;
  /** Transactions that begin with this go one after the other, in every process. */
  takeTurns: Statement;
}

/** A row, and the bytes of a JSON array of the items that were read with it. */
export interface RowWithItems<Row> {
  row: Row;
  items: Uint8Array;
  /** How many items are missing because they were null. */
  leftOut: number;
}

/** How many requests make full use of an engine at once: to begin with, and never fewer or more than these. */
export interface Concurrency {
  first: number;
  least: number;
  most: number;
}

/** A database of either engine. Reads go to it directly; every write goes through `transaction`. */
export interface Database extends Reader {
  readonly dialect: Dialect;
  readonly concurrency: Concurrency;
  /** Runs a statement of `Dialect.withItems`; undefined where there is no row. `offLoop` as in `snapshot`. */
  firstWithItems<Row>(
    statement: Statement<Row>,
    parameters: Value[],
    options?: { offLoop?: boolean },
  ): Promise<RowWithItems<Row> | undefined>;
  /**
   * Runs `work` so that all of its writes happen or none. When the promise resolves they are on disk.
   * Several transactions may be under way at once: a row that one has changed waits for its end in every
   * other, and nothing else does. Whoever writes what follows from what it read first claims the
   * merchant (`claimMerchant`). Where two cannot both go on, `work` runs once more from its beginning.
   * An `unhurried` transaction may take minutes over one statement; others are given up long before.
   * @throws {DatabaseUnavailable} when the database cannot be reached, does not answer or stays locked
   */
  transaction<T>(work: (connection: Connection) => Promise<T>, options?: { unhurried?: boolean }): Promise<T>;
  /**
   * Runs `work` on the data as they are at one moment, whatever is committed meanwhile. With `offLoop`, no
   * statement blocks the event loop, however long it takes: for reads whose cost a caller decides.
   */
  snapshot<T>(work: (reader: Reader) => Promise<T>, options?: { offLoop?: boolean }): Promise<T>;
  /** To be called after many rows have changed: brings up to date what the engine knows of its tables. */
  settle(): Promise<void>;
  /**
   * A number that differs from an earlier one if anything was committed since, by any process; undefined
   * where the engine has no such cheap number, and then nothing may be remembered on the strength of it.
   */
  version(): number | undefined;
  close(): Promise<void>;
}

/** The database is away, locked for too long, full or read-only: worth a later try. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** The database cannot be used at all as it is configured; the message is for the operator. */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable';
}
