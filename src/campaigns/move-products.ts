import { randomUUIDv7 } from 'node:crypto';
import { findCatalogState, missingMerchant } from '../database/merchant-queries.ts';
import type { WriteContext } from '../database/write-context.ts';
import { errors } from '../errors/errors.ts';
import { CatalogBatch } from '../products/record/catalog-batch.ts';
import type { ProductDraft } from '../products/record/product-draft.ts';
import { TimeSlices } from '../shared/time-slices.ts';
import { listCampaignsInUse } from './queries.ts';
import {
  findOldestRename,
  insertRename,
  listProductsToMove,
  type NamedProduct,
  retargetRenames,
} from './rename-queries.ts';

/** Later than every revision of a catalog. */
export const ANY_REVISION = Number.MAX_SAFE_INTEGER;

/** More would keep other writes waiting for too long. */
const MAX_AT_ONCE = 1_000;
/** The size of the records that one transaction changes, for the same reason. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Few enough that records of the maximum size fit in memory. */
const PRODUCTS_PER_STEP = 100;

export interface MoveNeeds {
  /** The highest stock that counts as low. */
  lowInventory: number;
}

type Context = WriteContext & MoveNeeds;

interface Renaming {
  /** The campaign's. */
  id: string;
  formerName: string;
  name: string;
}

/**
 * Moves a campaign's products to a new name, in the transaction of its rename, which must have locked the
 * merchant. None move while another unexpired campaign has the former name: they may be meant for it.
 * Deleted products stay. Resolves to null if they are so many that `continueRenames` moves them later.
 * @throws {DomainError} `invalid_parameters` if a record is too large for the new name
 */
export async function moveProducts(
  context: Context,
  { id, formerName, name }: Renaming,
): Promise<number | null> {
  const { connection, merchantId } = context;
  const inUse = await connection.all(listCampaignsInUse, { merchantId, name: formerName, limit: 2 });
  if (inUse.some((campaign) => campaign.id !== id)) return 0;
  const all = { merchantId, name: formerName, after: 0, revision: ANY_REVISION, limit: MAX_AT_ONCE + 1 };
  const products = await connection.all(listProductsToMove, all);
  const isMany = products.length > MAX_AT_ONCE || withinSize(products).length < products.length;
  // Products of an earlier rename may still get the former name.
  if (isMany || (await connection.first(findOldestRename, { merchantId })) !== undefined) {
    await postpone(context, { formerName, name });
    return null;
  }
  const identifiers = products.map(({ identifier }) => identifier);
  const [rejected] = await setCampaignName(context, identifiers, name);
  if (rejected !== undefined) {
    const reason = `the record of the product ${rejected} is too large for a longer campaign name`;
    throw errors.invalid_parameters([{ field: 'name', reason }]);
  }
  return products.length;
}

async function postpone(
  { connection, merchantId }: Context,
  { formerName, name }: Omit<Renaming, 'id'>,
): Promise<void> {
  const catalog = await connection.first(findCatalogState, { merchantId });
  if (catalog === undefined) throw missingMerchant(merchantId);
  await connection.run(retargetRenames, { merchantId, formerName, name });
  await connection.run(insertRename, {
    merchant_id: merchantId,
    id: randomUUIDv7(),
    former_name: formerName,
    name,
    revision: catalog.revision,
    moved_to: 0,
  });
}

/** The first products that fit in one transaction, at least one. */
export function withinSize(products: readonly NamedProduct[]): readonly NamedProduct[] {
  let sum = 0;
  const end = products.findIndex(({ bytes }, index) => {
    sum += bytes;
    return index > 0 && sum > MAX_BYTES;
  });
  return end < 0 ? products : products.slice(0, end);
}

/** The transaction must have locked the merchant. Resolves to the products whose records are too large. */
export async function setCampaignName(
  context: Context,
  identifiers: readonly string[],
  name: string,
): Promise<string[]> {
  const { lowInventory } = context;
  const rejected: string[] = [];
  const slices = new TimeSlices();
  for (let start = 0; start < identifiers.length; start += PRODUCTS_PER_STEP) {
    const drafts = identifiers.slice(start, start + PRODUCTS_PER_STEP).map(
      (identifier): ProductDraft => ({
        merchant: null,
        identifier,
        fields: { campaign_name: name },
        variations: undefined,
      }),
    );
    const batch = await CatalogBatch.open(context, drafts, { authority: 'operator', lowInventory });
    for (const draft of drafts) if (batch.apply(draft).kind === 'rejected') rejected.push(draft.identifier);
    await batch.write();
    await slices.pause();
  }
  return rejected;
}
