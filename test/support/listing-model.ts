import type { Product } from '../../src/products/record/product.ts';

/** `category` has one or two levels. */
export interface PageQuery {
  status: string | undefined;
  category: string[] | undefined;
  sort: string;
  page: number;
  perPage: number;
  summary: boolean;
}

/** The specification's sort words, repeated so that the model shares no code with the service. */
const SORT_FIELDS: Record<string, keyof Product> = {
  created_at: 'created_at',
  updated_at: 'updated_at',
  unique_id: 'identifier',
  ratings: 'ratings_average',
  target_price: 'cost_basis',
  sfb: 'scheduling_fee_bid',
  sales: 'sales_count',
  reserve_price: 'reserve_price',
};
export const sortWords = Object.keys(SORT_FIELDS).flatMap((word) => [
  `${word}_ascending`,
  `${word}_descending`,
]);

/** Filters, sorts and slices the whole catalog in memory. */
export function expectedBody(catalog: readonly Product[], query: PageQuery): string {
  const matching = catalog.filter((product) => matches(product, query)).sort(orderOf(query.sort));
  const start = (query.page - 1) * query.perPage;
  const results = matching.slice(start, start + query.perPage);
  if (!query.summary) return JSON.stringify(results);
  const [from, to] = results.length === 0 ? [0, 0] : [start + 1, start + results.length];
  const { page, perPage: per_page } = query;
  return JSON.stringify({ results, from, to, page, per_page, total_entries: matching.length });
}

function matches({ status, category }: Product, query: PageQuery): boolean {
  if (query.status !== undefined && query.status !== status) return false;
  const levels = category?.split(' | ') ?? [];
  return query.category?.every((level, index) => levels[index] === level) ?? true;
}

function orderOf(sort: string): (one: Product, other: Product) => number {
  const [, word = '', direction] = /^(.+)_(ascending|descending)$/.exec(sort) ?? [];
  const sign = direction === 'ascending' ? 1 : -1;
  const field = SORT_FIELDS[word];
  if (field === undefined) throw new Error(`unknown sort ${sort}`);
  return (one, other) => sign * (compare(field, one, other) || one.internal_id - other.internal_id);
}

function compare(field: keyof Product, one: Product, other: Product): number {
  if (field === 'identifier')
    return Buffer.compare(Buffer.from(one.identifier), Buffer.from(other.identifier));
  const [a, b] = [sortable(one[field]), sortable(other[field])];
  return a < b ? -1 : Number(a > b);
}

/** Null sorts below every value. */
function sortable(value: unknown): number {
  if (value === null) return Number.NEGATIVE_INFINITY;
  return typeof value === 'string' ? Date.parse(value) : Number(value);
}
