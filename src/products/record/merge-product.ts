import { availableQuantity, type Product, productFields, type Variation } from './product.ts';
import type { ProductDraft, VariationDraft } from './product-draft.ts';
import { deriveStatus, moderationOf, newBasis, type StatusBasis, stockStatuses } from './product-status.ts';

/** A product of the catalog, with what its status depends on besides its record. */
export interface CatalogEntry {
  product: Product;
  basis: StatusBasis;
}

/** What a merge has to know beside the product and the draft. */
export interface MergeSettings {
  /** The time, as records have it. */
  now: string;
  lowInventory: number;
  /** Whether the product's sales figures come from its schedules, so that no file may state them. */
  hasSchedules: boolean;
}

/**
 * The product as the draft leaves it. What is new has the internal id 0. `updated_at` moves only with what the
 * draft says of it: the caller sees whether anything changed. The draft has the operator's authority; one of a
 * merchant's goes through `readMerchantDraft` first.
 */
export function mergeProduct(
  before: CatalogEntry | undefined,
  draft: ProductDraft,
  settings: MergeSettings,
): CatalogEntry {
  const given: Record<string, unknown> = draft.fields;
  const earlier: Record<string, unknown> = before?.product ?? {};
  const merged: Record<string, unknown> = {};
  // All fields, in wire order: rendering depends on it.
  for (const name in productFields) merged[name] = kept(given[name], earlier[name]);
  const product = merged as Product;
  const known = before?.product;
  product.identifier = draft.identifier;
  product.internal_id = known?.internal_id ?? 0;
  product.variations = mergeVariations(known?.variations ?? [], draft.variations, settings.now);
  product.created_at ??= known?.created_at ?? settings.now;
  product.updated_at ??= known?.updated_at ?? settings.now;
  if (settings.hasSchedules && known !== undefined) {
    product.sales_count = known.sales_count;
    product.ratings_count = known.ratings_count;
    product.ratings_average = known.ratings_average;
  }
  product.sales_count ??= 0;
  product.ratings_count ??= 0;
  const hasVariations = product.variations.length > 0;
  // A product without variations has nothing to sum: its stock is what was stated.
  product.available_quantity = hasVariations
    ? availableQuantity(product.variations)
    : (product.available_quantity ?? 0);
  const { status } = draft.fields;
  const isNewStatus = status !== undefined && status !== null && status !== known?.status;
  const basis: StatusBasis = {
    moderation: isNewStatus ? moderationOf(status) : (before?.basis ?? newBasis).moderation,
    stock_tracked: hasVariations ? 1 : tracksStock(draft.fields, before?.basis),
    status_stated: 0,
  };
  const derived = deriveStatus(product, basis, settings.lowInventory);
  const earlierStatus = status === undefined ? statusThatStays(before, product, basis) : null;
  product.status = status ?? earlierStatus ?? derived;
  if (product.status !== derived) basis.status_stated = 1;
  return { product, basis };
}

/**
 * Whether the stock of a product without variations is tracked, after a draft that states these fields. Records show
 * 0 for untracked stock: next to a status that says nothing of the stock, 0 says nothing of it either.
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
 * The status that the operator stated earlier, as long as nothing that it depends on changes. As in the order of
 * `deriveStatus`, stock does not matter to what is disabled or deleted.
 */
function statusThatStays(
  before: CatalogEntry | undefined,
  product: Product,
  basis: StatusBasis,
): Product['status'] | null {
  if (before === undefined || before.basis.status_stated === 0) return null;
  const { status, available_quantity, disabled_at, deleted_at } = before.product;
  if (disabled_at !== product.disabled_at || deleted_at !== product.deleted_at) return null;
  if (status === 'disabled' || status === 'deleted') return status;
  const isStockSame =
    available_quantity === product.available_quantity && before.basis.stock_tracked === basis.stock_tracked;
  return isStockSame ? status : null;
}

function mergeVariations(
  before: readonly Variation[],
  drafts: readonly VariationDraft[] | undefined,
  now: string,
): Variation[] {
  if (drafts === undefined) return [...before];
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

function mergeVariation(before: Variation | undefined, draft: VariationDraft, now: string): Variation {
  const { size, color, quantity, disabled_at, deleted_at } = draft;
  return {
    identifier: draft.identifier,
    internal_id: before?.internal_id ?? 0,
    size: kept(size, before?.size),
    color: kept(color, before?.color),
    quantity: kept(quantity, before?.quantity),
    created_at: draft.created_at ?? before?.created_at ?? now,
    disabled_at: kept(disabled_at, before?.disabled_at),
    // To be listed is to be there: what was deleted for not being listed comes back.
    deleted_at: deleted_at ?? null,
  };
}

/** What was given, null included, or else what was there. */
function kept<T>(given: T | null | undefined, before: T | null | undefined): T | null {
  return given === undefined ? (before ?? null) : given;
}
