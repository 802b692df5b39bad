import type { Reader } from '../database/database.ts';
import { countRows } from './queries.ts';
import { isOwned, type Table, tables } from './tables.ts';

/** Rows that are copied in one go: all of a table, or those of one merchant where they are merchants' own. */
export interface Section {
  table: Table;
  /** The merchant, or nothing. */
  owner: readonly [] | readonly [number];
}

/** The sections of a table, in the order of the merchants given. */
export function sectionsOf(table: Table, merchantIds: readonly number[]): Section[] {
  if (!isOwned(table)) return [{ table, owner: [] }];
  return merchantIds.map((id) => ({ table, owner: [id] }));
}

/** How many rows there are in all tables. */
export async function countAll(reader: Reader, merchantIds: readonly number[]): Promise<number> {
  let rows = 0;
  for (const { table, owner } of tables.flatMap((each) => sectionsOf(each, merchantIds))) {
    rows += (await reader.first(countRows(table), [...owner]))?.total ?? 0;
  }
  return rows;
}
