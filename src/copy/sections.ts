import type { Reader } from '../database/database.ts';
import { OPERATOR_ID, testSideOf } from '../database/sides.ts';
import { listTestSides } from '../merchants/queries.ts';
import { countRows, type SectionParameters } from './queries.ts';
import { isPerMerchant, type Table, tables } from './tables.ts';

/** Rows that are read together: a whole table, or one merchant's rows of a table. */
export interface Section {
  table: Table;
  /** `{ merchantId }` for a merchant's rows, otherwise `{}`. */
  owner: SectionParameters;
}

/** Returns the sections of a table, in the order of the given merchants. */
export function sectionsOf(table: Table, merchantIds: readonly number[]): Section[] {
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

/** Reads the IDs of all owners of rows: the operator, and each merchant followed by its open test side. */
export async function listMerchantIds(reader: Reader): Promise<number[]> {
  const merchants = await reader.all(listTestSides);
  const ofMerchants = merchants.flatMap(({ id, has_test_side: hasTestSide }) =>
    hasTestSide === 1 ? [id, testSideOf(id)] : [id],
  );
  return [OPERATOR_ID, ...ofMerchants];
}
