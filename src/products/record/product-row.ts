import type { CountRow } from './count-queries.ts';
import { type Product, renderProduct } from './product.ts';
import type { StatusBasis } from './product-status.ts';
import type { ProductRow } from './queries.ts';
import type { ReviewState } from './review-state.ts';

/** The sums over a product's schedules; all 0 if it has none. */
export type ScheduleFigures = Pick<ProductRow, 'schedule_count' | 'rated_count' | 'rating_sum'>;

/** The columns of a product's row that do not follow from its record. */
type RowBasis = ScheduleFigures &
  StatusBasis &
  ReviewState &
  Pick<ProductRow, 'revision' | 'history_revision'>;

/** Below every real value. Times before 1970 can be lower, but every product has its times. */
const NO_VALUE = -1;

export function productRow(merchantId: number, product: Product, basis: RowBasis): ProductRow {
  const [category_1, category_2] = categoryColumns(product);
  return {
    merchant_id: merchantId,
    internal_id: product.internal_id,
    ...sortColumns(product),
    status: product.status,
    category_1,
    category_2,
    campaign_name: campaignOfProduct(product),
    max_daily_schedules: product.max_daily_schedules ?? NO_VALUE,
    schedule_count: basis.schedule_count,
    rated_count: basis.rated_count,
    rating_sum: basis.rating_sum,
    moderation: basis.moderation,
    moderation_reasons: basis.moderation_reasons,
    moderated_at: basis.moderated_at,
    stock_tracked: basis.stock_tracked,
    status_sent: basis.status_sent,
    review_since: basis.review_since,
    review_changes: basis.review_changes,
    revision: basis.revision,
    history_revision: basis.history_revision,
    record: renderProduct(product),
  };
}

/** Returns the name of the campaign that a product is in; null for a deleted one. */
export function campaignOfProduct({
  status,
  campaign_name,
}: Pick<Product, 'status' | 'campaign_name'>): string | null {
  return status === 'deleted' ? null : campaign_name;
}

export function sortColumns(product: Product) {
  return {
    identifier: product.identifier,
    created_at: timeColumn(product.created_at),
    updated_at: timeColumn(product.updated_at),
    ratings_average: product.ratings_average ?? NO_VALUE,
    cost_basis: product.cost_basis ?? NO_VALUE,
    scheduling_fee_bid: product.scheduling_fee_bid ?? NO_VALUE,
    sales_count: product.sales_count ?? NO_VALUE,
    reserve_price: product.reserve_price ?? NO_VALUE,
  };
}

function timeColumn(time: string | null): number {
  // Imports check the times of records.
  return time === null ? NO_VALUE : Date.parse(time);
}

/** Returns the first two levels, '' for each that is missing. */
function categoryColumns({ category }: Pick<Product, 'category'>): [string, string] {
  const [first = '', second = ''] = category?.split(' | ', 2) ?? [];
  return [first, second];
}

/** Returns the counters that include a product: one for each filter that matches it. */
export function countersOf(
  product: Pick<Product, 'status' | 'category'>,
): Pick<CountRow, 'status' | 'category'>[] {
  return ['', ...categoriesOf(product)].flatMap((category) => [
    { status: '', category },
    { status: product.status, category },
  ]);
}

/** Returns the categories that a product is counted in: its first level, and its first two. */
export function categoriesOf(product: Pick<Product, 'category'> | undefined): string[] {
  const [first, second] = categoryColumns(product ?? { category: null });
  if (first === '') return [];
  return second === '' ? [first] : [first, `${first} | ${second}`];
}
