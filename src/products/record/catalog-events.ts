import type { ModerationReason } from '../../events/event-types.ts';
import { firstThatFit, type NewEvent } from '../../events/record-event.ts';
import type { CatalogEntry } from './merge-product.ts';

const MAX_NAMED = 100;

/** `before` is undefined for a new product. */
export interface EntryChange {
  before: CatalogEntry | undefined;
  after: CatalogEntry;
}

/**
 * Returns the event of products whose stock fell to the threshold or below; undefined if there are none.
 * `revision` is the catalog's after the change.
 */
export function lowStockEvent(
  revision: number,
  changes: Iterable<EntryChange>,
  threshold: number,
): NewEvent | undefined {
  const low: { identifier: string; internal_id: number; available_quantity: number }[] = [];
  let total = 0;
  for (const { before, after } of changes) {
    if (before === undefined || !isForSale(after) || !isForSale(before)) continue;
    const quantity = after.product.available_quantity ?? 0;
    if (quantity > threshold || (before.product.available_quantity ?? 0) <= threshold) continue;
    total += 1;
    const { identifier, internal_id } = after.product;
    if (low.length < MAX_NAMED) low.push({ identifier, internal_id, available_quantity: quantity });
  }
  if (total === 0) return undefined;
  const products = firstThatFit(low, MAX_NAMED);
  return { type: 'stock.low', revision, data: { threshold, products, total } };
}

/**
 * Yields an event for each product whose moderation or its reasons changed, except new products. `revision`
 * is the catalog's after the change.
 */
export function* moderationEvents(revision: number, changes: Iterable<EntryChange>): Generator<NewEvent> {
  for (const { before, after } of changes) {
    if (before === undefined) continue;
    const { moderation: state, moderation_reasons: reasons } = after.basis;
    const { moderation: previous, moderation_reasons: previousReasons } = before.basis;
    if (state === previous && reasons === previousReasons) continue;
    const { identifier, internal_id } = after.product;
    yield {
      type: 'product.moderated',
      revision,
      data: { identifier, internal_id, state, previous_state: previous, reasons: readReasons(reasons) },
    };
  }
}

export function readReasons(stored: string): ModerationReason[] {
  return stored === '' ? [] : (JSON.parse(stored) as ModerationReason[]);
}

/** Whether stock is tracked and the product is neither disabled nor deleted. */
function isForSale({ product, basis }: CatalogEntry): boolean {
  return basis.stock_tracked === 1 && product.deleted_at === null && product.disabled_at === null;
}
