import type { ValueType } from '../../sync/cursor.ts';
import type { ProductStatus } from '../record/product.ts';

/** The fields that lists are sorted by, with their column types. */
export const sortKeyTypes = {
  created_at: 'integer',
  updated_at: 'integer',
  identifier: 'text',
  ratings_average: 'number',
  cost_basis: 'number',
  scheduling_fee_bid: 'number',
  sales_count: 'integer',
  reserve_price: 'number',
} as const satisfies Record<string, ValueType>;

export type SortField = keyof typeof sortKeyTypes;

/** Ties are broken by `internal_id` in the same direction. */
export interface Sort {
  field: SortField;
  direction: 'ASC' | 'DESC';
}

/** All sixteen sorts, by their names in requests (contract, first table). */
export const sorts: Record<string, Sort> = {
  created_at_ascending: { field: 'created_at', direction: 'ASC' },
  created_at_descending: { field: 'created_at', direction: 'DESC' },
  updated_at_ascending: { field: 'updated_at', direction: 'ASC' },
  updated_at_descending: { field: 'updated_at', direction: 'DESC' },
  unique_id_ascending: { field: 'identifier', direction: 'ASC' },
  unique_id_descending: { field: 'identifier', direction: 'DESC' },
  ratings_ascending: { field: 'ratings_average', direction: 'ASC' },
  ratings_descending: { field: 'ratings_average', direction: 'DESC' },
  target_price_ascending: { field: 'cost_basis', direction: 'ASC' },
  target_price_descending: { field: 'cost_basis', direction: 'DESC' },
  sfb_ascending: { field: 'scheduling_fee_bid', direction: 'ASC' },
  sfb_descending: { field: 'scheduling_fee_bid', direction: 'DESC' },
  sales_ascending: { field: 'sales_count', direction: 'ASC' },
  sales_descending: { field: 'sales_count', direction: 'DESC' },
  reserve_price_ascending: { field: 'reserve_price', direction: 'ASC' },
  reserve_price_descending: { field: 'reserve_price', direction: 'DESC' },
};

export interface Listing {
  merchantId: number;
  status: ProductStatus | undefined;
  /** The first one or two category levels. */
  category: readonly [string] | readonly [string, string] | undefined;
  sort: Sort;
}

export function listingKey({ merchantId, status, category, sort }: Listing): string {
  return JSON.stringify([merchantId, sort.field, sort.direction, status ?? '', ...(category ?? [])]);
}

/** The row of `product_counts` for a filter. An empty string matches any value. */
export interface CountKey {
  countedStatus: string;
  countedCategory: string;
}

export function countKey({ status, category }: Pick<Listing, 'status' | 'category'>): CountKey {
  return { countedStatus: status ?? '', countedCategory: category?.join(' | ') ?? '' };
}
