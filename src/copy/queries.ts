import { insertInto, type Statement, statement, type Value } from '../database/statement.ts';
import type { CopiedRow } from './checksum.ts';
import { isPerMerchant, type Table, type TableWithColumns } from './tables.ts';

/** The parameters of a section's statements: `merchantId` if it is a merchant's, and the row before. */
export type SectionParameters = Readonly<Record<string, Value>>;

/** Returns the key of a row as the parameters of a statement that lists the rows after it. */
export function afterParameters(table: Table, row: CopiedRow | undefined): SectionParameters {
  if (row === undefined) return {};
  return Object.fromEntries(keyInSection(table).map((column) => [`after_${column}`, row[column] ?? null]));
}

/** Counts the rows of a section. */
export function countRows(table: Table): Statement<SectionParameters, { total: number }> {
  return statement(`SELECT count(*) AS total FROM ${table.name} WHERE ${range(table, false)}`);
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
    `SELECT ${columns} FROM ${table.name} WHERE ${range(table, after)}
     ORDER BY ${keyInSection(table).join(', ')} LIMIT CAST(:limit AS bigint)`,
  );
}

/** Inserts a row with all of its columns. */
export function insertRow({ name, columns }: TableWithColumns): Statement<CopiedRow, never> {
  return insertInto<CopiedRow>(name, columns);
}

function range(table: Table, after: boolean): string {
  const owned = isPerMerchant(table) ? 'merchant_id = :merchantId' : 'true';
  if (!after) return owned;
  const key = keyInSection(table);
  const values = key.map((column) => `:after_${column}`);
  return `${owned} AND (${key.join(', ')}) > (${values.join(', ')})`;
}

/** Returns the columns that identify a row within its section. */
export function keyInSection(table: Table): readonly string[] {
  const { primaryKey } = table;
  // A table with one row per merchant has no other column.
  return isPerMerchant(table) && primaryKey.length > 1 ? primaryKey.slice(1) : primaryKey;
}
