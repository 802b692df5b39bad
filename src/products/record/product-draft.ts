import type { Product, Variation } from './product.ts';
import type { StatusBasis } from './product-status.ts';

/**
 * A variation in a file. A missing field keeps its value, except that `deleted_at` is cleared. Null clears a field, except
 * `created_at`, which keeps its value.
 */
export interface VariationDraft extends Partial<Omit<Variation, 'identifier' | 'internal_id'>> {
  identifier: string;
  /** The values that the draft was computed from. The product's draft is rejected if the variation has others. */
  was?: Partial<Variation>;
}

/**
 * A product in a file. A missing field keeps its value. Null clears a field, except that `created_at` and `updated_at`
 * keep their values, and that `sales_count`, `ratings_count` and `available_quantity` become 0.
 */
export interface ProductDraft {
  /** The ID or the name of the merchant; null if the row names none. */
  merchant: string | null;
  identifier: string;
  fields: Partial<Omit<Product, 'identifier' | 'internal_id' | 'status' | 'variations'>> & {
    /** Null for the derived status. */
    status?: Product['status'] | null | undefined;
  };
  /** All variations; stored ones that are missing are marked as deleted. Undefined to leave them unchanged. */
  variations: VariationDraft[] | undefined;
  /** The values that the draft was computed from. It is rejected if the product has others. */
  was?: Partial<Omit<Product, 'variations'>>;
  /** Set to leave stored variations unchanged if `variations` does not list them. */
  keepsUnlisted?: true;
  /** The times that a call such as `products/disable` sets. Files state a status instead. */
  times?: Pick<Product, 'disabled_at' | 'deleted_at'>;
  /** Set to moderate the product, which the status of a file does too. */
  moderation?: Pick<StatusBasis, 'moderation' | 'moderation_reasons'>;
}
