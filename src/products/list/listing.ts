import type { ProductStatus } from '../record/product.ts';

/** The specification's sort words and the record fields that they stand for (contract, first table). */
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

/** The order of a list; ties go by `internal_id` in the same direction. */
export interface Sort {
  field: SortField;
  direction: 'ASC' | 'DESC';
}

/** All sixteen sorts, by the names that requests use. */
export const sorts: Record<string, Sort> = Object.fromEntries(
  Object.entries(sortWords).flatMap(([word, field]) => [
    [`${word}_ascending`, { field, direction: 'ASC' }],
    [`${word}_descending`, { field, direction: 'DESC' }],
  ]),
);

/** Which of a merchant's products, in which order. */
export interface Listing {
  merchantId: number;
  status: ProductStatus | undefined;
  /** The first one or two category levels. */
  category: readonly [string] | readonly [string, string] | undefined;
  sort: Sort;
}

/** One word for a listing, the same for equal ones. */
export function listingKey({ merchantId, status, category, sort }: Listing): string {
  return JSON.stringify([merchantId, sort.field, sort.direction, status ?? '', ...(category ?? [])]);
}

/** How the counters name the filter of a listing; '' stands for any. */
export function countKey({ status, category }: Pick<Listing, 'status' | 'category'>): [string, string] {
  return [status ?? '', category?.join(' | ') ?? ''];
}
