import type { Connection, Database, Reader } from '../database/database.ts';
import { listMerchantsById } from '../merchants/queries.ts';
import { holdCopy } from './mark.ts';
import { deleteRows } from './queries.ts';
import { isPerMerchant, tables } from './tables.ts';

/** Reads the ids of all merchants, in order. */
export async function listMerchantIds(reader: Reader): Promise<number[]> {
  return (await reader.all(listMerchantsById)).map(({ id }) => id);
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
