/** Adds categories to the indexes that lists are sorted by, so that a filter skips products without reading them. */
export function filtersInSorts(): string[] {
  return [
    'updated_at',
    'ratings_average',
    'cost_basis',
    'scheduling_fee_bid',
    'sales_count',
    'reserve_price',
  ].flatMap((key) => [
    `DROP INDEX products_by_${key}`,
    `CREATE INDEX products_by_${key}
      ON products (merchant_id, ${key}, internal_id, status, category_1, category_2)`,
  ]);
}
