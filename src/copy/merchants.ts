import type { Connection, Database, Reader } from '../database/database.ts';
import { OPERATOR_ID, testSideOf } from '../database/sides.ts';
import { listTestSides } from '../merchants/queries.ts';
import { holdCopy } from './mark.ts';
import { deleteRows } from './queries.ts';
import { isPerMerchant, tables } from './tables.ts';

/**
 * Reads the ids of all owners of rows: the operator's, then the merchants' in order, each followed by the ID of its test
 * side if it is open.
 */
export async function listMerchantIds(reader: Reader): Promise<number[]> {
  const merchants = await reader.all(listTestSides);
  const ofMerchants = merchants.flatMap(({ id, has_test_side: hasTestSide }) =>
    hasTestSide === 1 ? [id, testSideOf(id)] : [id],
  );
  return [OPERATOR_ID, ...ofMerchants];
}

/**
 * Deletes the target's rows of merchants that the source does not have. An earlier run may have copied them from
 * another source, or from this one before it was restored from a backup. Their rows in `merchants` are left to the
 * copy of that table.
 * @throws as `holdCopy`
 */
export async function removeOtherMerchants(
  target: Database,
  run: string,
  merchantIds: readonly number[],
): Promise<void> {
  const kept = new Set(merchantIds);
  for (const merchantId of await listMerchantIds(target)) {
    if (kept.has(merchantId)) continue;
    const work = async (connection: Connection): Promise<void> => {
      await holdCopy(connection, run);
      for (const table of tables.filter(isPerMerchant)) {
        await connection.run(deleteRows(table, { after: false, upTo: false }), { merchantId });
      }
    };
    await target.transaction(work, { longRunning: true });
  }
}
