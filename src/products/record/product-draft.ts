import type { Product, Variation } from './product.ts';

/** A variation in a file. A missing field keeps its value, except that `deleted_at` is cleared. Null clears a field. */
export interface VariationDraft extends Partial<Omit<Variation, 'identifier' | 'internal_id'>> {
  identifier: string;
}

/** A product in a file. A missing field keeps its value. Null clears a field. */
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
}
