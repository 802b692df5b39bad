import { setTimeout as pause } from 'node:timers/promises';
import { SERVICE } from '../audit/record-audit.ts';
import type { Database } from '../database/database.ts';
import { runVerb, type WriteContext } from '../database/write-context.ts';
import { ANY_REVISION, type MoveNeeds, setCampaignName, withinSize } from './move-products.ts';
import { listCampaignsInUse } from './queries.ts';
import {
  deleteRename,
  findOldestRename,
  listProductsToMove,
  listRenamingMerchants,
  updateProgress,
} from './rename-queries.ts';

/** Few enough that the merchant's other writes do not wait for long. */
const PRODUCTS_PER_TRANSACTION = 200;
/** How long one call works. */
const CALL_MS = 1_000;
const MERCHANTS_PER_ROUND = 100;

interface Services extends MoveNeeds {
  database: Database;
  now: () => number;
}

/**
 * Moves products of renamed campaigns that had too many for the rename's transaction, in short transactions
 * with pauses. Merchants take turns; a merchant's oldest rename comes first. Returns after about a second;
 * the next call continues.
 */
export async function continueRenames({ lowInventory, ...services }: Services): Promise<void> {
  const startedAt = performance.now();
  const isOver = (): boolean => performance.now() - startedAt >= CALL_MS;
  const limit = MERCHANTS_PER_ROUND;
  while (!isOver()) {
    const merchants = await services.database.all(listRenamingMerchants, { limit });
    if (merchants.length === 0) return;
    for (const { merchant_id: merchantId } of merchants) {
      if (isOver()) return;
      const begunAt = performance.now();
      const caller = { merchantId, who: SERVICE, lowInventory };
      await runVerb(services, caller, continueRename, undefined, { locksMerchant: true });
      await pause(performance.now() - begunAt);
    }
  }
}

/** Moves some products of the oldest rename, or ends it if there are no more. */
async function continueRename(context: WriteContext & MoveNeeds): Promise<void> {
  const { connection, merchantId } = context;
  const rename = await connection.first(findOldestRename, { merchantId });
  // Another process may have completed it, or a reset may have deleted it.
  if (rename === undefined) return;
  const { id, former_name: formerName, name, moved_to: after } = rename;
  const inUse = await connection.first(listCampaignsInUse, { merchantId, name: formerName, limit: 1 });
  // Products that changed since may be meant for a campaign that has taken the former name.
  const revision = inUse === undefined ? ANY_REVISION : rename.revision;
  const some = { merchantId, name: formerName, after, revision, limit: PRODUCTS_PER_TRANSACTION };
  const products = formerName === name ? [] : withinSize(await connection.all(listProductsToMove, some));
  const last = products.at(-1);
  if (last === undefined) {
    await connection.run(deleteRename, { merchantId, id });
    return;
  }
  const identifiers = products.map(({ identifier }) => identifier);
  await setCampaignName(context, identifiers, name);
  await connection.run(updateProgress, { merchantId, id, movedTo: last.internal_id });
}
