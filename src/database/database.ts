/** What a column can hold on every engine; times are whole milliseconds since 1970, UTC. */
export type Value = string | number | Uint8Array | null;

/** The columns of a table that rows are inserted into, in order. */
export interface CopyTarget {
  readonly table: string;
  readonly columns: readonly string[];
}

/** A parameter in a statement's text: its name, and for a list the number of values that it takes. */
interface Placeholder {
  readonly name: string;
  readonly size?: number;
}

/**
 * One SQL statement that every engine accepts. `Parameters` names its parameters and their types, `Row` is the shape
 * of what it returns. Created by `statement` and `insertInto`.
 */
export interface Statement<Parameters = never, Row = unknown> {
  /** The text with `?` for each value, and no `?` elsewhere. */
  readonly sql: string;
  /** The parameter that each `?` stands for, in order. */
  readonly placeholders: readonly Placeholder[];
  /** Set where the best plan depends on the values, and planning costs little compared to running it. */
  readonly planEachTime?: boolean;
  /** Set for plain inserts: engines have faster ways to insert many rows. */
  readonly copy?: CopyTarget;
  /** Never set: carries the types. */
  readonly types?: (parameters: Parameters) => Row;
}

const PLACEHOLDER = /(?<![:\w]):([a-z]\w*)(?:\[(\d+)\])?/gi;

/**
 * Declares a statement, the types of its parameters and the shape of its rows. In the text, `:name` is a parameter,
 * and `:name[20]` a list of up to 20 values, whose last value fills the places that are left.
 */
export function statement<Row = never>(sql: string): Statement<Value[], Row>;
export function statement<Parameters, Row>(
  sql: string,
  options?: { planEachTime?: boolean },
): Statement<Parameters, Row>;
export function statement(sql: string, options: { planEachTime?: boolean } = {}): Statement {
  const placeholders: Placeholder[] = [];
  const text = sql.replaceAll(PLACEHOLDER, (_, name: string, size?: string) => {
    placeholders.push(size === undefined ? { name } : { name, size: Number(size) });
    return size === undefined ? '?' : Array(Number(size)).fill('?').join(', ');
  });
  return { sql: text, placeholders, ...options };
}

/** Declares the statement that inserts a row into a table; each parameter is named like its column. */
export function insertInto<Row>(
  table: string,
  columns: readonly (keyof Row & string)[],
): Statement<Row, never> {
  const places = columns.map((column) => `:${column}`).join(', ');
  return {
    ...statement<Row, never>(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`),
    copy: { table, columns },
  };
}

/** The values for a statement's `?`, in order. */
export function valuesOf<Parameters>(
  { placeholders }: Statement<Parameters>,
  parameters: Parameters | undefined,
): Value[] {
  if (parameters === undefined) return [];
  if (Array.isArray(parameters)) return parameters;
  const named = parameters as Readonly<Record<string, Value | readonly Value[]>>;
  const values: Value[] = [];
  for (const { name, size } of placeholders) {
    const value = named[name];
    if (value === undefined) throw new Error(`The statement needs a value for :${name}.`);
    if (size === undefined) values.push(value as Value);
    else values.push(...filled(value as readonly Value[], size));
  }
  return values;
}

function filled(list: readonly Value[], size: number): Value[] {
  return Array.from({ length: size }, (_, index) => list[index] ?? list.at(-1) ?? null);
}

/** The argument that carries a statement's parameters; optional where it has none. */
// biome-ignore lint/complexity/noBannedTypes: asks whether all keys are optional
export type ArgumentsOf<Parameters> = {} extends Parameters
  ? [parameters?: Parameters]
  : [parameters: Parameters];

/** Runs statements that read, each on one consistent state of the data. */
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

/** Runs statements of every kind. */
export interface Connection extends Reader {
  /** Resolves to the number of rows that changed. */
  run<Parameters>(
    statement: Statement<Parameters>,
    ...parameters: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<number>;
  /** Runs the statement once for each set of parameters, in order. */
  runEach<Parameters>(
    statement: Statement<Parameters>,
    parameterSets: readonly NoInfer<Parameters>[],
  ): Promise<void>;
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
   * `item`, JSON texts or null for omitted ones. Besides the parameters of both, it takes `limit`, the maximum number
   * of items. `most` is a power of two not far above `limit`, for the engine's planner.
   */
  withItems<Parameters, Row>(
    row: { columns: readonly string[]; sql: string },
    items: string,
    most: number,
  ): Statement<Parameters & { limit: number }, Row>;
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
  listTables: Statement<unknown, { name: string }>;
  /** Transactions that begin with this go one after the other, in every process. */
  takeTurns: Statement<unknown>;
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
  firstWithItems<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    parameters: NoInfer<Parameters>,
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
