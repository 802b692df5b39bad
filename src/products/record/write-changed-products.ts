import { missingMerchant } from '../../database/merchant-queries.ts';
import { runInSteps } from '../../database/run-in-steps.ts';
import type { WriteContext } from '../../database/write-context.ts';
import { recordEvents } from '../../events/record-event.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import { indexProducts } from '../search-index/index-products.ts';
import { type EntryChange, lowStockEvent, moderationEvents } from './catalog-events.ts';
import { CountChanges } from './count-changes.ts';
import type { CatalogEntry } from './merge-product.ts';
import type { Product, Variation } from './product.ts';
import type { ProductHistory } from './product-history.ts';
import { productRow, type ScheduleFigures } from './product-row.ts';
import {
  insertProduct,
  insertVariation,
  type ProductRow,
  takeIds,
  updateProduct,
  type VariationRow,
} from './queries.ts';
import { addChanges, type ReviewState, reviewed } from './review-state.ts';
import { ChangeEffects, raiseRevision } from './revision.ts';

/** A product of a batch, as stored and with what drafts have changed. */
export interface ProductInBatch {
  /** Undefined for a new product. */
  stored: CatalogEntry | undefined;
  current: CatalogEntry | undefined;
  /**
   * The stored wire form of `current`, perhaps from an earlier version; undefined once it is known to be what
   * `renderProduct` returns.
   */
  record: string | undefined;
  figures: ScheduleFigures & ReviewState & Pick<ProductRow, 'revision' | 'history_revision'>;
  /** What the drafts changed: see `ReviewState`. */
  changeBits: number;
  /** Whether clients see a change: of the record or its moderation, and not only the basis of its status. */
  isChanged: boolean;
}

interface Batch {
  /** The catalog's revision before the batch. */
  revision: number;
  /** Has what changed in each product. */
  history: ProductHistory;
  /** Returns the internal id of a product that is in the catalog after the batch. */
  idOf(identifier: string): number | undefined;
  lowInventory: number;
  /** Whether the operator reviews changes. */
  isReviewed: boolean;
}

/**
 * Writes changed products with their history, the counters, the search index, events and the catalog's
 * revision. New products and variations get ids.
 */
export async function writeChangedProducts(
  context: WriteContext,
  changed: readonly ProductInBatch[],
  batch: Batch,
): Promise<void> {
  const { connection, merchantId } = context;
  const { revision: before, history, isReviewed } = batch;
  const inserts: ProductRow[] = [];
  const updates: ProductRow[] = [];
  const variations: VariationRow[] = [];
  const counts = new CountChanges();
  const raised = raiseIfSeen(context, before, changed);
  await assignIds(context, changed);
  const slices = new TimeSlices();
  for (const state of changed) {
    await slices.pause();
    const { stored, current, figures, isChanged } = state;
    if (current === undefined) continue;
    const { product, basis } = current;
    // Clients see no change if the record is the same.
    const revision = isChanged ? raised : figures.revision;
    const review = reviewOf(state, current, { now: context.now, isReviewed });
    const { identifier, internal_id } = product;
    const change = { former: figures.history_revision, revision: raised };
    // A batch without a change that clients see has no revision of its own.
    const history_revision =
      raised === before
        ? figures.history_revision
        : history.prepare(identifier, internal_id, change, context);
    const states = { ...figures, ...basis, ...review, revision, history_revision };
    const row = productRow(merchantId, product, states);
    if (stored === undefined) inserts.push(row);
    else updates.push(row);
    const identifiers = new Set(stored?.product.variations.map(({ identifier }) => identifier));
    for (const { identifier } of product.variations) {
      if (identifiers.has(identifier)) continue;
      variations.push({ merchant_id: merchantId, identifier, product_id: product.internal_id });
    }
    if (stored !== undefined) counts.add(stored.product, -1);
    counts.add(product, 1);
  }
  await connection.runEach(insertProduct, inserts);
  await runInSteps(connection, insertVariation, variations);
  connection.send(updateProduct, updates);
  if (raised !== before) history.send(context, raised, batch.idOf);
  counts.write(context);
  const lowStock = lowStockEvent(raised, entryChanges(changed), batch.lowInventory);
  const events = [...moderationEvents(raised, entryChanges(changed))];
  if (lowStock !== undefined) events.push(lowStock);
  recordEvents(context, events);
  const changes = changed.flatMap(({ stored, current }) =>
    current === undefined ? [] : [{ before: stored?.product, after: current.product }],
  );
  await indexProducts(connection, merchantId, changes);
}

/** A moderation is a review. */
function reviewOf(
  { stored, figures, changeBits }: ProductInBatch,
  { product, basis }: CatalogEntry,
  { now, isReviewed }: { now: number; isReviewed: boolean },
): ReviewState {
  if (stored !== undefined && stored.basis.moderation !== basis.moderation) return reviewed;
  const isDeleted = product.deleted_at !== null;
  return addChanges(figures, isReviewed ? changeBits : 0, { now, isDeleted });
}

/** Returns the catalog's revision after the batch: the same if no record changed, as clients see it. */
function raiseIfSeen(context: WriteContext, before: number, changed: readonly ProductInBatch[]): number {
  if (!changed.some(({ isChanged }) => isChanged)) return before;
  const effects = new ChangeEffects();
  for (const { stored, current } of changed) {
    if (current !== undefined) effects.add(stored?.product, current.product);
  }
  return raiseRevision(context, before, effects);
}

async function assignIds(context: WriteContext, changed: readonly ProductInBatch[]): Promise<void> {
  const products: Product[] = [];
  const variations: Variation[] = [];
  for (const { current } of changed) {
    if (current === undefined) continue;
    const { product } = current;
    if (product.internal_id === 0) products.push(product);
    variations.push(...product.variations.filter(({ internal_id }) => internal_id === 0));
  }
  if (products.length === 0 && variations.length === 0) return;
  const { connection, merchantId } = context;
  const last = await connection.first(takeIds, {
    merchantId,
    products: products.length,
    variations: variations.length,
  });
  if (last === undefined) throw missingMerchant(merchantId);
  let productId = last.last_product_id - products.length;
  for (const product of products) product.internal_id = ++productId;
  let variationId = last.last_variation_id - variations.length;
  for (const variation of variations) variation.internal_id = ++variationId;
}

function* entryChanges(states: Iterable<ProductInBatch>): Generator<EntryChange> {
  for (const { stored, current } of states) {
    if (current !== undefined) yield { before: stored, after: current };
  }
}
