import type { Value } from '../../database/database.ts';
import { type Product, renderProduct } from './product.ts';
import type { StatusBasis } from './product-status.ts';
import type { ProductRow } from './queries.ts';

/** What a product's schedules add up to; all 0 where it has none. */
export type ScheduleFigures = Pick<ProductRow, 'schedule_count' | 'rated_count' | 'rating_sum'>;

/** What a product's row holds that its record does not show. */
export type RowBasis = ScheduleFigures & StatusBasis;

/** Stands in the sorted columns for no value: below every value that there can be. */
const NO_VALUE = -1;

/** The values of a product's row, in the order of `insertProduct` and `updateProduct`. */
export function productValues(
  merchantId: number,
  product: Product,
  { schedule_count, rated_count, rating_sum, moderation, stock_tracked, status_stated }: RowBasis,
): Value[] {
  const [category1, category2] = categoryColumns(product);
  return [
    product.identifier,
    product.status,
    category1,
    category2,
    timeColumn(product.created_at),
    timeColumn(product.updated_at),
    product.ratings_average ?? NO_VALUE,
    product.cost_basis ?? NO_VALUE,
    product.scheduling_fee_bid ?? NO_VALUE,
    product.sales_count ?? NO_VALUE,
    product.reserve_price ?? NO_VALUE,
    schedule_count,
    rated_count,
    rating_sum,
    moderation,
    stock_tracked,
    status_stated,
    renderProduct(product),
    merchantId,
    product.internal_id,
  ];
}

function timeColumn(time: string | null): number {
  // A record's times are all of our own making: that they are times was checked when they came in.
  return time === null ? NO_VALUE : Date.parse(time);
}

/** The first two levels of a product's category, '' where it has none. */
function categoryColumns({ category }: Pick<Product, 'category'>): [string, string] {
  const [first = '', second = ''] = category?.split(' | ', 2) ?? [];
  return [first, second];
}

/** The counters that a product is counted in: by each filter that matches it, '' standing for any. */
export function countersOf(
  product: Pick<Product, 'status' | 'category'>,
): [status: string, category: string][] {
  return ['', ...categoriesOf(product)].flatMap((category): [string, string][] => [
    ['', category],
    [product.status, category],
  ]);
}

/** The categories that a product is in, as the counters name them: its first level and its first two. */
export function categoriesOf(product: Pick<Product, 'category'> | undefined): string[] {
  const [first, second] = categoryColumns(product ?? { category: null });
  if (first === '') return [];
  return second === '' ? [first] : [first, `${first} | ${second}`];
}
