import type { Connection, Reader } from '../../database/database.ts';
import { lockMerchant } from '../../database/merchant-queries.ts';
import type { ModerationReason } from '../../events/event-types.ts';
import { CatalogBatch } from '../record/catalog-batch.ts';
import { readReasons } from '../record/catalog-events.ts';
import type { Moderation } from '../record/product-status.ts';
import { findModeration } from '../record/queries.ts';

export interface ProductIssues {
  identifier: string;
  internal_id: number;
  state: Moderation;
  /** Empty if the state is `ok`. */
  reasons: ModerationReason[];
}

interface ModerationDecision {
  identifier: string;
  state: Moderation;
  reasons: readonly ModerationReason[];
}

/** Returns undefined if there is no such product. */
export async function productIssues(
  reader: Pick<Reader, 'first'>,
  product: { merchantId: number; identifier: string },
): Promise<ProductIssues | undefined> {
  const row = await reader.first(findModeration, product);
  if (row === undefined) return undefined;
  const { internal_id, moderation: state, moderation_reasons: reasons } = row;
  return { identifier: product.identifier, internal_id, state, reasons: readReasons(reasons) };
}

/**
 * Moderates a product with the operator's authority, inside a transaction. Its status follows, unless the
 * product is deleted. Repeating it changes nothing. Resolves to false if there is no such product.
 */
export async function moderateProduct(
  connection: Connection,
  { merchantId, lowInventory, now }: { merchantId: number; lowInventory: number; now: () => number },
  { identifier, state, reasons }: ModerationDecision,
): Promise<boolean> {
  await connection.run(lockMerchant, { merchantId });
  const moderation = {
    moderation: state,
    moderation_reasons: reasons.length === 0 ? '' : JSON.stringify(reasons),
  };
  const draft = { merchant: null, identifier, fields: {}, variations: undefined, moderation };
  const settings = { authority: 'operator', lowInventory, now: now() } as const;
  const batch = await CatalogBatch.open(connection, merchantId, [draft], settings);
  if (batch.entry(identifier) === undefined) return false;
  const outcome = batch.apply(draft);
  if (outcome.kind === 'rejected') throw new Error(outcome.problems.map(({ reason }) => reason).join('; '));
  await batch.write();
  return true;
}
