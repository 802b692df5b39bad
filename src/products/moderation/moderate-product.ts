import type { Reader } from '../../database/database.ts';
import type { WriteContext } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
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
 * Moderates a product with the operator's authority. Its status follows, unless the product is deleted.
 * Repeating it changes nothing. The transaction must have locked the merchant.
 * @throws {DomainError} `product_not_found`
 */
export async function moderateProduct(
  context: WriteContext & { lowInventory: number },
  { identifier, state, reasons }: ModerationDecision,
): Promise<ProductIssues> {
  const { connection, merchantId, lowInventory } = context;
  const moderation = {
    moderation: state,
    moderation_reasons: reasons.length === 0 ? '' : JSON.stringify(reasons),
  };
  const draft = { merchant: null, identifier, fields: {}, variations: undefined, moderation };
  const batch = await CatalogBatch.open(context, [draft], { authority: 'operator', lowInventory });
  if (batch.entry(identifier) === undefined) throw errors.product_not_found(identifier);
  const outcome = batch.apply(draft);
  if (outcome.kind === 'rejected') throw new Error(outcome.problems.map(({ reason }) => reason).join('; '));
  await batch.write();
  const issues = await productIssues(connection, { merchantId, identifier });
  if (issues === undefined) throw new Error(`the product ${identifier} is gone`);
  return issues;
}
