/** A column's value on every engine. Times are whole milliseconds since 1970, UTC. */
export type Value = string | number | Uint8Array | null;

export interface InsertTarget {
  readonly table: string;
  readonly columns: readonly string[];
}

/** The rows that an update changes have the values of `key`. */
export interface UpdateTarget extends InsertTarget {
  readonly key: readonly string[];
}

/** What is done for a row whose key exists: `onConflict` is the end of the statement. */
export interface UpsertTarget extends InsertTarget {
  readonly onConflict: string;
}

export type RowOf<Of> = Of extends Statement<never, infer Row> ? Row : never;

/** The value for a `?`: a parameter, or the value at `index` of a list. */
interface Placeholder {
  readonly name: string;
  readonly index: number | undefined;
}

/** An SQL statement for every engine, created by `statement`, `insertInto`, `updateIn` or `upsertInto`. */
export interface Statement<Parameters = never, Row = unknown> {
  /** The SQL with `?` for each value, and no `?` elsewhere. */
  readonly sql: string;
  readonly placeholders: readonly Placeholder[];
  /** The SQL as it was declared. */
  readonly source: string;
  /** Set if the best plan depends on the values and planning is cheap compared to execution. */
  readonly planEachTime?: boolean;
  /** Set if it reads rows of several merchants: in a cluster, from every node. */
  readonly everyNode?: boolean;
  /** Set if it takes too long for the event loop: run directly, it does not block it. */
  readonly offLoop?: boolean;
  /** Set if it locks the rows that it reads until the transaction ends. */
  readonly locks?: boolean;
  /** Engines have faster ways to insert many rows. */
  readonly insert?: InsertTarget;
  /** Engines have faster ways to update many rows. */
  readonly update?: UpdateTarget;
  /** As `update`. */
  readonly upsert?: UpsertTarget;
  /** The same statement with cheaper lists of up to `SHORT_LIST` values; set if its lists are longer. */
  readonly short?: Statement<Parameters, Row>;
  /** Never set. It carries the types. */
  readonly types?: (parameters: Parameters) => Row;
}

export const SHORT_LIST = 4;

const LONG_LIST = /(?<![:\w])(:[a-z]\w*)\[(?:[5-9]|\d{2,})\]/gi;
const PLACEHOLDER = /(?<![:\w]):([a-z]\w*)(?:\[(\d+)\])?/gi;

/**
 * Declares a statement. In the SQL, `:name` is a parameter and `:name[20]` a list of up to 20 values. A
 * shorter list is padded with its last value, an empty one with null.
 */
export function statement<Parameters, Row>(
  sql: string,
  options: Pick<Statement, 'planEachTime' | 'everyNode' | 'offLoop' | 'locks'> = {},
): Statement<Parameters, Row> {
  const placeholders: Placeholder[] = [];
  const text = sql.replaceAll(PLACEHOLDER, (_, name: string, size?: string) => {
    if (size === undefined) placeholders.push({ name, index: undefined });
    for (let index = 0; index < Number(size ?? 0); index += 1) placeholders.push({ name, index });
    return size === undefined ? '?' : Array(Number(size)).fill('?').join(', ');
  });
  const withShortLists = sql.replaceAll(LONG_LIST, `$1[${SHORT_LIST}]`);
  const short = withShortLists === sql ? undefined : statement<Parameters, Row>(withShortLists, options);
  return { sql: text, placeholders, source: sql, ...options, ...(short !== undefined && { short }) };
}

/** Declares an insert of one row. Each parameter has the name of its column. */
export function insertInto<Row>(
  table: string,
  columns: readonly (keyof Row & string)[],
): Statement<Row, never> {
  return { ...statement<Row, never>(insertOf({ table, columns })), insert: { table, columns } };
}

/**
 * Declares an insert of one row, and what is done if its key exists: `then` is `DO NOTHING`, or an update
 * with the values of `excluded`. Rows that are passed together for an update have different keys. Each
 * parameter has the name of its column.
 */
export function upsertInto<Row>(
  table: string,
  key: readonly (keyof Row & string)[],
  otherColumns: readonly (keyof Row & string)[],
  then: 'DO NOTHING' | `DO UPDATE SET ${string}`,
): Statement<Row, never> {
  const target = { table, columns: [...key, ...otherColumns] };
  const onConflict = `ON CONFLICT (${key.join(', ')}) ${then}`;
  return {
    ...statement<Row, never>(`${insertOf(target)} ${onConflict}`),
    upsert: { ...target, onConflict },
  };
}

function insertOf({ table, columns }: InsertTarget): string {
  const places = columns.map((column) => `:${column}`).join(', ');
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`;
}

/** Declares an update of one row. Each parameter has the name of its column. */
export function updateIn<Row>(
  table: string,
  key: readonly (keyof Row & string)[],
  columns: readonly (keyof Row & string)[],
): Statement<Row, never> {
  const set = columns.map((column) => `${column} = :${column}`).join(', ');
  const where = key.map((column) => `${column} = :${column}`).join(' AND ');
  return {
    ...statement<Row, never>(`UPDATE ${table} SET ${set} WHERE ${where}`),
    update: { table, columns, key },
  };
}

/**
 * Returns the values for a statement's `?`, in order.
 * @throws {Error} if a parameter is missing
 */
export function valuesOf<Parameters>(
  { placeholders }: Statement<Parameters>,
  parameters: Parameters | undefined,
): Value[] {
  if (parameters === undefined) return [];
  const named = parameters as Readonly<Record<string, Value | readonly Value[]>>;
  // Imports call this for every row: a counted loop over an array of known length takes a third of the time.
  const values = new Array<Value>(placeholders.length);
  for (let position = 0; position < placeholders.length; position += 1) {
    const { name, index } = placeholders[position] as Placeholder;
    const value = named[name];
    if (value === undefined) throw new Error(`The statement needs a value for :${name}.`);
    values[position] = index === undefined ? (value as Value) : inList(value as readonly Value[], index);
  }
  return values;
}

function inList(list: readonly Value[], index: number): Value {
  return list[index] ?? list.at(-1) ?? null;
}

// biome-ignore lint/complexity/noBannedTypes: tests whether all keys are optional
export type ArgumentsOf<Parameters> = {} extends Parameters
  ? [parameters?: Parameters]
  : [parameters: Parameters];
