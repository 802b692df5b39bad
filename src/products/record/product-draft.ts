import type { Product, Variation } from './product.ts';

/** What a file says of a variation: a field but `deleted_at` left out keeps its value, null clears it. */
export interface VariationDraft extends Partial<Omit<Variation, 'identifier' | 'internal_id'>> {
  identifier: string;
}

/** What a file says of a product: a field left out keeps its value, null clears it. */
export interface ProductDraft {
  /** The id or the name of the merchant, where the row names it. */
  merchant: string | null;
  identifier: string;
  fields: Partial<Omit<Product, 'identifier' | 'internal_id' | 'status' | 'variations'>> & {
    /** Null or left out: to be derived. */
    status?: Product['status'] | null | undefined;
  };
  /** Undefined where the row says nothing of variations; one it does not list is to be marked deleted. */
  variations: VariationDraft[] | undefined;
}
