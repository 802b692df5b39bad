import { availableQuantity, type Product, productFields, type Variation } from './product.ts';
import type { ProductDraft, VariationDraft } from './product-draft.ts';
import { deriveStatus, moderationOf, newBasis, type StatusBasis, stockStatuses } from './product-status.ts';

/** A product's record, and the other data that its status depends on. */
export interface CatalogEntry {
  product: Product;
  basis: StatusBasis;
}

interface MergeSettings {
  /** The current time in the format of records. */
  now: string;
  lowInventory: number;
  /** Whether sales and ratings come from the product's schedules, so that files cannot set them. */
  hasSchedules: boolean;
}

/**
 * Applies a draft with the operator's authority; a merchant's draft has to go through `limitMerchantDraft`
 * first. New products and variations have the internal id 0. `updated_at` changes only if the draft sets it,
 * so that the caller can detect whether any field changed.
 */
export function mergeProduct(
  before: CatalogEntry | undefined,
  draft: ProductDraft,
  settings: MergeSettings,
): CatalogEntry {
  const changes: Record<string, unknown> = draft.fields;
  const earlier: Record<string, unknown> = before?.product ?? {};
  const merged: Record<string, unknown> = {};
  // All fields, in wire order: rendering depends on it.
  for (const name in productFields) merged[name] = mergeValue(changes[name], earlier[name]);
  const product = merged as Product;
  const stored = before?.product;
  product.identifier = draft.identifier;
  product.internal_id = stored?.internal_id ?? 0;
  product.variations = mergeVariations(stored?.variations ?? [], draft, settings.now);
  product.created_at ??= stored?.created_at ?? settings.now;
  product.updated_at ??= stored?.updated_at ?? settings.now;
  if (settings.hasSchedules && stored !== undefined) {
    product.sales_count = stored.sales_count;
    product.ratings_count = stored.ratings_count;
    product.ratings_average = stored.ratings_average;
  }
  product.sales_count ??= 0;
  product.ratings_count ??= 0;
  const hasVariations = product.variations.length > 0;
  product.available_quantity = hasVariations
    ? availableQuantity(product.variations)
    : (product.available_quantity ?? 0);
  const { status } = draft.fields;
  const isNewStatus = status !== undefined && status !== null && status !== stored?.status;
  const earlierBasis = before?.basis ?? newBasis;
  const { moderation, moderation_reasons } =
    draft.moderation ?? (isNewStatus ? moderatedBy(status, earlierBasis) : earlierBasis);
  const isModerated = moderation !== earlierBasis.moderation;
  const moderatedAt = moderation === 'ok' ? null : Date.parse(settings.now);
  const basis: StatusBasis = {
    moderation,
    moderation_reasons,
    moderated_at: isModerated ? moderatedAt : earlierBasis.moderated_at,
    stock_tracked: hasVariations ? 1 : tracksStock(draft.fields, before?.basis),
    status_sent: 0,
  };
  const derived = deriveStatus(product, basis, settings.lowInventory);
  const earlierStatus = status === undefined && !isModerated ? keptStatus(before, product, basis) : null;
  product.status = status ?? earlierStatus ?? derived;
  if (product.status !== derived) basis.status_sent = 1;
  return { product, basis };
}

/** Reasons remain if the moderation stays the same. */
function moderatedBy(
  status: Product['status'],
  before: StatusBasis,
): Pick<StatusBasis, 'moderation' | 'moderation_reasons'> {
  const moderation = moderationOf(status);
  return moderation === before.moderation ? before : { moderation, moderation_reasons: '' };
}

/**
 * Whether a draft with these fields tracks the stock of a product without variations. Records show 0 for
 * untracked stock, so 0 with a status that does not depend on the stock keeps the stored setting. A new
 * product with 0 is untracked if its status is `enabled`, and tracked otherwise.
 */
export function tracksStock(
  { available_quantity, status }: ProductDraft['fields'],
  before: StatusBasis | undefined,
): StatusBasis['stock_tracked'] {
  if (available_quantity === undefined) return before?.stock_tracked ?? newBasis.stock_tracked;
  if (available_quantity === 0 && status && !stockStatuses.includes(status)) {
    return before?.stock_tracked ?? (status === 'enabled' ? 0 : 1);
  }
  return available_quantity === null ? 0 : 1;
}

/**
 * Returns the status that an earlier file of the operator set, or null if there is none or the data that it
 * depends on changed. The stock does not affect `disabled` and `deleted`, as in `deriveStatus`.
 */
function keptStatus(
  before: CatalogEntry | undefined,
  product: Product,
  basis: StatusBasis,
): Product['status'] | null {
  if (before === undefined || before.basis.status_sent === 0) return null;
  const { status, available_quantity, disabled_at, deleted_at } = before.product;
  if (disabled_at !== product.disabled_at || deleted_at !== product.deleted_at) return null;
  if (status === 'disabled' || status === 'deleted') return status;
  const isStockSame =
    available_quantity === product.available_quantity && before.basis.stock_tracked === basis.stock_tracked;
  return isStockSame ? status : null;
}

function mergeVariations(
  before: readonly Variation[],
  { variations: drafts, keepsUnlisted, order }: ProductDraft,
  now: string,
): Variation[] {
  if (drafts === undefined) return [...before];
  if (keepsUnlisted === true) {
    // Fast even if a batch changes a few of 10,000 variations a thousand times.
    const added = new Map(drafts.map((draft) => [draft.identifier, draft]));
    const known = before.map((variation) => {
      const draft = added.get(variation.identifier);
      if (draft === undefined) return variation;
      added.delete(variation.identifier);
      return mergeVariation(variation, draft, now);
    });
    const merged = [...known, ...[...added.values()].map((draft) => mergeVariation(undefined, draft, now))];
    return order === undefined ? merged : inOrder(merged, order);
  }
  const earlier = new Map(before.map((variation) => [variation.identifier, variation]));
  const listed = drafts.map((draft) => {
    const variation = mergeVariation(earlier.get(draft.identifier), draft, now);
    earlier.delete(draft.identifier);
    return variation;
  });
  const absent = [...earlier.values()].map((variation) => ({
    ...variation,
    deleted_at: variation.deleted_at ?? now,
  }));
  return [...listed, ...absent];
}

function inOrder(variations: readonly Variation[], order: readonly string[]): Variation[] {
  const places = new Map(order.map((identifier, place) => [identifier, place]));
  const placeOf = ({ identifier }: Variation): number => places.get(identifier) ?? order.length;
  return variations.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function mergeVariation(before: Variation | undefined, draft: VariationDraft, now: string): Variation {
  const { size, color, quantity, disabled_at, deleted_at } = draft;
  return {
    identifier: draft.identifier,
    internal_id: before?.internal_id ?? 0,
    size: mergeValue(size, before?.size),
    color: mergeValue(color, before?.color),
    quantity: mergeValue(quantity, before?.quantity),
    created_at: draft.created_at ?? before?.created_at ?? now,
    disabled_at: mergeValue(disabled_at, before?.disabled_at),
    // Listing a variation restores it if it was deleted because an earlier file did not list it.
    deleted_at: deleted_at ?? null,
  };
}

/** Null is a value of a draft; undefined keeps the earlier one. */
function mergeValue<T>(drafted: T | null | undefined, before: T | null | undefined): T | null {
  return drafted === undefined ? (before ?? null) : drafted;
}
