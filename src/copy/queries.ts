import { insertInto, type Statement, statement, type Value } from '../database/database.ts';
import type { CopiedRow } from './checksum.ts';
import { isPerMerchant, type Table, type TableWithColumns } from './tables.ts';

/** The parameters of a section's statements: `merchantId` if the table has merchants' rows, and its bounds. */
export type SectionParameters = Readonly<Record<string, Value>>;

/** Which bounds a statement has, by primary key: after a row, and up to and including a row. */
interface Bounds {
  after: boolean;
  upTo: boolean;
}

/** Returns a row's key as the parameters of a bound; none if it is undefined. */
export function boundParameters(bound: keyof Bounds, key: CopiedRow | undefined): SectionParameters {
  return Object.fromEntries(
    Object.entries(key ?? {}).map(([column, value]) => [boundParameter(bound, column), value]),
  );
}

function boundParameter(bound: keyof Bounds, column: string): string {
  return `${bound}_${column}`;
}

/** Counts the rows of a section. */
export function countRows(table: Table): Statement<SectionParameters, { total: number }> {
  return statement(`SELECT count(*) AS total FROM ${table.name} WHERE ${range(table)}`);
}

/** Lists up to `limit` rows of a section in the order of their keys, from the first row or after a key. */
export function listRowsAfter(
  table: TableWithColumns,
  after: boolean,
): Statement<SectionParameters & { limit: number }, CopiedRow> {
  return list(table, table.columns.join(', '), after);
}

/** Lists only the sizes in bytes of a column, in the same order as `listRowsAfter`. */
export function listSizesAfter(
  table: Table,
  column: string,
  after: boolean,
): Statement<SectionParameters & { limit: number }, { bytes: number }> {
  return list(table, `octet_length(${column}) AS bytes`, after);
}

function list<Row>(
  table: Table,
  columns: string,
  after: boolean,
): Statement<SectionParameters & { limit: number }, Row> {
  return statement(
    `SELECT ${columns} FROM ${table.name} WHERE ${range(table, { after, upTo: false })}
     ORDER BY ${keyInSection(table).join(', ')} LIMIT CAST(:limit AS bigint)`,
  );
}

/** Inserts a row with all of its columns. */
export function insertRow({ name, columns }: TableWithColumns): Statement<CopiedRow, never> {
  return insertInto<CopiedRow>(name, columns);
}

/** Deletes the rows of a section that are within bounds. */
export function deleteRows(table: Table, bounds: Bounds): Statement<SectionParameters, never> {
  return statement(`DELETE FROM ${table.name} WHERE ${range(table, bounds)}`);
}

/** Deletes the rows of a section that have this value in a column. */
export function deleteRowsByValue(
  table: Table,
  column: string,
): Statement<SectionParameters & { value: Value }, never> {
  return statement(`DELETE FROM ${table.name} WHERE ${range(table)} AND ${column} = :value`);
}

function range(table: Table, { after, upTo }: Bounds = { after: false, upTo: false }): string {
  const key = keyInSection(table);
  const values = (bound: keyof Bounds): string =>
    key.map((column) => `:${boundParameter(bound, column)}`).join(', ');
  return [
    isPerMerchant(table) ? 'merchant_id = :merchantId' : 'true',
    ...(after ? [`(${key.join(', ')}) > (${values('after')})`] : []),
    ...(upTo ? [`(${key.join(', ')}) <= (${values('upTo')})`] : []),
  ].join(' AND ');
}

/** Returns the columns that identify a row within its section. */
export function keyInSection(table: Table): readonly string[] {
  const { primaryKey } = table;
  // A table with one row per merchant has no other column.
  return isPerMerchant(table) && primaryKey.length > 1 ? primaryKey.slice(1) : primaryKey;
}

/** Makes a run the owner of an unfinished copy. Waits for the transaction of the run that owned it before. */
export const takeMark = statement<{ run: string }, never>('UPDATE tradepost_copy SET run = :run');

/** Locks the mark of a run's copy. Changes no row if another run has taken it. */
export const holdMark = statement<{ run: string }, never>(
  'UPDATE tradepost_copy SET run = :run WHERE run = :run',
);

export const insertMark = insertInto<{ run: string }>('tradepost_copy', ['run']);
