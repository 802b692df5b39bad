import type { Connection, Database, Reader } from '../database/database.ts';
import { listMerchantsById } from '../merchants/queries.ts';
import { holdCopy } from './mark.ts';
import { deleteRows } from './queries.ts';
import { isOwned, tables } from './tables.ts';

export async function listMerchantIds(reader: Reader): Promise<number[]> {
  return (await reader.all(listMerchantsById)).map(({ id }) => id);
}

/**
 * Removes what an earlier run copied of merchants that the source does not have: it was put back from a
 * backup since, or it is another one. Their rows in the table of merchants stay: they go as any others do.
 * @throws as `holdCopy`
 */
export async function removeOtherMerchants(
  target: Database,
  run: string,
  merchantIds: readonly number[],
): Promise<void> {
  const kept = new Set(merchantIds);
  for (const id of await listMerchantIds(target)) {
    if (kept.has(id)) continue;
    const work = async (connection: Connection): Promise<void> => {
      await holdCopy(connection, run);
      for (const table of tables.filter(isOwned)) {
        await connection.run(deleteRows(table, { after: false, upTo: false }), [id]);
      }
    };
    await target.transaction(work, { unhurried: true });
  }
}
