import type { ValueType } from '../../sync/cursor.ts';
import type { ProductStatus } from '../record/product.ts';

/** The record field for each sort word of the specification (contract, first table). */
const sortWords = {
  created_at: 'created_at',
  updated_at: 'updated_at',
  unique_id: 'identifier',
  ratings: 'ratings_average',
  target_price: 'cost_basis',
  sfb: 'scheduling_fee_bid',
  sales: 'sales_count',
  reserve_price: 'reserve_price',
} as const;

export type SortField = (typeof sortWords)[keyof typeof sortWords];

/** The types of the columns that hold the values of these fields. */
export const sortKeyTypes = {
  created_at: 'integer',
  updated_at: 'integer',
  identifier: 'text',
  ratings_average: 'number',
  cost_basis: 'number',
  scheduling_fee_bid: 'number',
  sales_count: 'integer',
  reserve_price: 'number',
} as const satisfies Record<SortField, ValueType>;

/** The order of a list. Ties are broken by `internal_id` in the same direction. */
export interface Sort {
  field: SortField;
  direction: 'ASC' | 'DESC';
}

/** All sixteen sorts, by their names in requests. */
export const sorts: Record<string, Sort> = Object.fromEntries(
  Object.entries(sortWords).flatMap(([word, field]) => [
    [`${word}_ascending`, { field, direction: 'ASC' }],
    [`${word}_descending`, { field, direction: 'DESC' }],
  ]),
);

/** Which of a merchant's products to list, and in which order. */
export interface Listing {
  merchantId: number;
  status: ProductStatus | undefined;
  /** The first one or two category levels. */
  category: readonly [string] | readonly [string, string] | undefined;
  sort: Sort;
}

/** A key that equal listings share. */
export function listingKey({ merchantId, status, category, sort }: Listing): string {
  return JSON.stringify([merchantId, sort.field, sort.direction, status ?? '', ...(category ?? [])]);
}

/** The row of `product_counts` that counts the products of a filter. An empty string matches any value. */
export interface CountKey {
  countedStatus: string;
  countedCategory: string;
}

/** Returns the row that counts what a listing's filter matches. */
export function countKey({ status, category }: Pick<Listing, 'status' | 'category'>): CountKey {
  return { countedStatus: status ?? '', countedCategory: category?.join(' | ') ?? '' };
}
