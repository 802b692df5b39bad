import type { Product, Variation } from './product.ts';
import type { StatusBasis } from './product-status.ts';

/**
 * In a file. Undefined keeps a value, but clears `deleted_at`. Null clears a value, but keeps `created_at`.
 */
export interface VariationDraft extends Partial<Omit<Variation, 'identifier' | 'internal_id'>> {
  identifier: string;
  /** The values that the draft was computed from. Other values reject the product's draft. */
  was?: Partial<Variation>;
}

/**
 * A product in a file. Undefined keeps a value. Null clears a value, but keeps `created_at` and `updated_at`,
 * and sets `sales_count`, `ratings_count` and `available_quantity` to 0.
 */
export interface ProductDraft {
  /** The ID or the name of the merchant; null if the row names none. */
  merchant: string | null;
  identifier: string;
  fields: Partial<Omit<Product, 'identifier' | 'internal_id' | 'status' | 'variations'>> & {
    /** Null for the derived status. */
    status?: Product['status'] | null | undefined;
  };
  /** All variations; missing stored ones are marked as deleted. Undefined leaves them unchanged. */
  variations: VariationDraft[] | undefined;
  /** The values that the draft was computed from. Other values reject it. */
  was?: Partial<Omit<Product, 'variations'>>;
  /** Leaves stored variations that `variations` does not list unchanged. */
  keepsUnlisted?: true;
  /** The order of the variations, if unlisted ones are kept. Variations that it does not name follow. */
  order?: readonly string[];
  /** The times that a call such as `products/disable` sets. Files of merchants state a status instead. */
  times?: Partial<Pick<Product, 'disabled_at' | 'deleted_at' | 'catalog_only_at'>>;
  /** The sent values of the original's fields. Values that no record has reject the draft. */
  original?: Readonly<Record<string, unknown>>;
  /** Moderates the product, as the status of a file does too. */
  moderation?: Pick<StatusBasis, 'moderation' | 'moderation_reasons'>;
}
