import type { Reader } from '../database/database.ts';
import { countRows, type SectionParameters } from './queries.ts';
import { isPerMerchant, type Table, tables } from './tables.ts';

/** Rows that are copied together: a whole table, or one merchant's rows of a table. */
export interface Section<Of extends Table = Table> {
  table: Of;
  /** `{ merchantId }` for a merchant's rows, otherwise `{}`. */
  owner: SectionParameters;
}

/** Returns the sections of a table, in the order of the given merchants. */
export function sectionsOf<Of extends Table>(table: Of, merchantIds: readonly number[]): Section<Of>[] {
  if (!isPerMerchant(table)) return [{ table, owner: {} }];
  return merchantIds.map((merchantId) => ({ table, owner: { merchantId } }));
}

/** Counts the rows of all tables. */
export async function countAll(reader: Reader, merchantIds: readonly number[]): Promise<number> {
  let rows = 0;
  for (const { table, owner } of tables.flatMap((each) => sectionsOf(each, merchantIds))) {
    rows += (await reader.first(countRows(table), owner))?.total ?? 0;
  }
  return rows;
}
