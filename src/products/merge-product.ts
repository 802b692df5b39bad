import { availableQuantity, deriveStatus, type Product, productFields, type Variation } from './product.ts';
import type { ProductDraft, VariationDraft } from './product-draft.ts';

/** What a merge has to know beside the product and the draft. */
export interface MergeSettings {
  /** The time, as records have it. */
  now: string;
  lowInventory: number;
  /** Whether the product's sales figures come from its schedules, so that no file may state them. */
  hasSchedules: boolean;
}

/**
 * The product as the draft leaves it. What is new has the internal id 0. `updated_at` moves only with
 * what the draft says of it: whether anything changed is for the caller to see.
 */
export function mergeProduct(
  before: Product | undefined,
  draft: ProductDraft,
  settings: MergeSettings,
): Product {
  const given: Record<string, unknown> = draft.fields;
  const earlier: Record<string, unknown> = before ?? {};
  const merged: Record<string, unknown> = {};
  // All fields, in wire order: rendering depends on it.
  for (const name in productFields) merged[name] = kept(given[name], earlier[name]);
  const product = merged as Product;
  product.identifier = draft.identifier;
  product.internal_id = before?.internal_id ?? 0;
  product.variations = mergeVariations(before?.variations ?? [], draft.variations, settings.now);
  product.created_at ??= before?.created_at ?? settings.now;
  product.updated_at ??= before?.updated_at ?? settings.now;
  if (settings.hasSchedules && before !== undefined) {
    product.sales_count = before.sales_count;
    product.ratings_count = before.ratings_count;
    product.ratings_average = before.ratings_average;
  }
  product.sales_count ??= 0;
  product.ratings_count ??= 0;
  // A product without variations has nothing to sum: what the file says of its stock is all there is.
  product.available_quantity =
    product.variations.length > 0 ? availableQuantity(product.variations) : (product.available_quantity ?? 0);
  if (!keepsStatus(before, draft, settings.lowInventory)) {
    product.status = deriveStatus(product, settings.lowInventory);
  }
  return product;
}

/** The states that follow from stock alone: they change with it, and with what counts as low. */
const stockStatuses: readonly string[] = ['sold_out', 'low_inventory', 'in_stock'];

/** A state that somebody gave, now or earlier, stays; one that was derived is derived again. */
function keepsStatus(before: Product | undefined, { fields }: ProductDraft, lowInventory: number): boolean {
  if (fields.status !== undefined) return fields.status !== null;
  if (before === undefined || stockStatuses.includes(before.status)) return false;
  return before.status !== deriveStatus(before, lowInventory);
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
