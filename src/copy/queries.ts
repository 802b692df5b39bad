import { insertInto, type Statement, statement, type Value } from '../database/database.ts';
import { isOwned, type Table } from './tables.ts';

/** From where to where, by primary key: after a row or from the first, up to a row or to the last. */
interface Bounds {
  after: boolean;
  upTo: boolean;
}

/** A table's columns in the order in which rows are copied. */
export function columnsOf({ primaryKey, columns }: Table): string[] {
  return [...primaryKey, ...columns];
}

/** Parameters: the owner. */
export function countRows(table: Table): Statement<{ total: number }> {
  return statement(`SELECT count(*) AS total FROM ${table.name} WHERE ${range(table)}`);
}

/** Parameters: the owner, the key to go on after where there is one, how many. In the order of the key. */
export function listRowsAfter(table: Table, after: boolean): Statement<Record<string, Value>> {
  return list(table, columnsOf(table).join(', '), after);
}

/** As `listRowsAfter`, but only the length in bytes of the column given. */
export function listSizesAfter(table: Table, column: string, after: boolean): Statement<{ bytes: number }> {
  return list(table, `octet_length(${column}) AS bytes`, after);
}

function list<Row>(table: Table, columns: string, after: boolean): Statement<Row> {
  return statement(
    `SELECT ${columns} FROM ${table.name} WHERE ${range(table, { after, upTo: false })}
     ORDER BY ${ownKey(table).join(', ')} LIMIT CAST(? AS bigint)`,
  );
}

/** Parameters: as `columnsOf` lists them. */
export function insertRow(table: Table): Statement<never> {
  return insertInto(table.name, columnsOf(table));
}

/** Parameters: the owner, and the keys that the bounds ask for. */
export function deleteRows(table: Table, bounds: Bounds): Statement {
  return statement(`DELETE FROM ${table.name} WHERE ${range(table, bounds)}`);
}

/** Parameters: the owner, the value. */
export function deleteRowsByValue(table: Table, column: string): Statement {
  return statement(`DELETE FROM ${table.name} WHERE ${range(table)} AND ${column} = ?`);
}

function range(table: Table, { after, upTo }: Bounds = { after: false, upTo: false }): string {
  const key = ownKey(table);
  const places = key.map(() => '?').join(', ');
  return [
    isOwned(table) ? 'merchant_id = ?' : 'true',
    ...(after ? [`(${key.join(', ')}) > (${places})`] : []),
    ...(upTo ? [`(${key.join(', ')}) <= (${places})`] : []),
  ].join(' AND ');
}

/** What tells the rows of one section apart. */
export function ownKey(table: Table): readonly string[] {
  return isOwned(table) ? table.primaryKey.slice(1) : table.primaryKey;
}

/** Parameters: this run. Where another run holds the mark, it waits until that one has written what it writes. */
export const takeMark = statement('UPDATE tradepost_copy SET run = ?');

/** Parameters: this run, twice. Changes nothing where another run has taken the mark. */
export const holdMark = statement('UPDATE tradepost_copy SET run = ? WHERE run = ?');

export const insertMark = insertInto('tradepost_copy', ['run']);
