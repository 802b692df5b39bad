import { setTimeout as pause } from 'node:timers/promises';
import type { Connection, Database } from '../database/database.ts';
import { lockMerchant } from '../database/merchant-queries.ts';
import { setCampaignName } from './move-products.ts';
import {
  deleteRename,
  findRename,
  listIdentifiersOfCampaign,
  listRenames,
  type RenameRow,
} from './queries.ts';

/** Few enough that other writes of the merchant do not wait for long. */
const PRODUCTS_PER_TRANSACTION = 200;
/** How long one call works. */
const CALL_MS = 1_000;
const MAX_RENAMES = 100;

interface Services {
  database: Database;
  now: () => number;
  lowInventory: number;
}

/**
 * Moves products of renamed campaigns that had too many for the transaction of the rename, the oldest rename first, in short
 * transactions with pauses in between. Returns after about a second; the next call continues.
 */
export async function continueRenames(services: Services): Promise<void> {
  const startedAt = performance.now();
  const isOver = (): boolean => performance.now() - startedAt >= CALL_MS;
  for (const rename of await services.database.all(listRenames, { limit: MAX_RENAMES })) {
    for (let after: number | undefined = 0; after !== undefined; ) {
      if (isOver()) return;
      const begunAt = performance.now();
      after = await continueRename(services, rename, after);
      await pause(performance.now() - begunAt);
    }
  }
}

/** Moves some products after an internal id. Resolves to the last one's id; undefined if the rename is complete. */
async function continueRename(
  { database, now, lowInventory }: Services,
  { merchant_id: merchantId, id, former_name: formerName, name }: RenameRow,
  after: number,
): Promise<number | undefined> {
  const move = async (connection: Connection): Promise<number | undefined> => {
    await connection.run(lockMerchant, { merchantId });
    // Another process may have completed it, or a reset may have deleted it.
    if ((await connection.first(findRename, { merchantId, id })) === undefined) return undefined;
    const some = { merchantId, name: formerName, after, limit: PRODUCTS_PER_TRANSACTION };
    const products = await connection.all(listIdentifiersOfCampaign, some);
    const identifiers = products.map(({ identifier }) => identifier);
    await setCampaignName(connection, { merchantId, now: now(), lowInventory }, identifiers, name);
    if (products.length === PRODUCTS_PER_TRANSACTION) return products.at(-1)?.internal_id;
    await connection.run(deleteRename, { merchantId, id });
    return undefined;
  };
  return await database.transaction(move, { merchantId, locksMerchant: true });
}
