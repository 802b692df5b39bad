import { lookUp } from '../../database/look-up.ts';
import type { TransactionContext } from '../../database/write-context.ts';
import { ratioHalfUp } from '../../shared/numbers.ts';
import { parseProduct } from './product.ts';
import { productRow } from './product-row.ts';
import { findProductsByInternalIds, type ProductRow, updateProduct } from './queries.ts';

/** The change in the sums over a product's schedules; `rating_sum` in hundredths of a point. */
interface FiguresChange {
  schedules: number;
  sold: number;
  rated: number;
  rating_sum: number;
}

/**
 * Updates products' sales and ratings from changes to their schedules, inside a transaction that has raised
 * the merchant's revision to `revision`. A product's first schedule replaces the sales and ratings from
 * product files. `updated_at` keeps its value, because a sale is not an edit.
 */
export async function updateProductFigures(
  { connection, merchantId }: TransactionContext,
  changes: ReadonlyMap<number, FiguresChange>,
  revision: number,
): Promise<void> {
  if (changes.size === 0) return;
  const updates: ProductRow[] = [];
  for (const row of await lookUp(connection, findProductsByInternalIds, merchantId, [...changes.keys()])) {
    const change = changes.get(row.internal_id);
    if (change === undefined) continue;
    const product = parseProduct(row.record);
    const soldBefore = row.schedule_count > 0 ? (product.sales_count ?? 0) : 0;
    const figures = {
      ...row,
      schedule_count: row.schedule_count + change.schedules,
      rated_count: row.rated_count + change.rated,
      rating_sum: row.rating_sum + change.rating_sum,
      revision,
    };
    product.sales_count = soldBefore + change.sold;
    product.ratings_count = figures.rated_count;
    product.ratings_average =
      figures.rated_count === 0 ? null : ratioHalfUp(figures.rating_sum, figures.rated_count * 100, 2);
    updates.push(productRow(merchantId, product, figures));
  }
  connection.send(updateProduct, updates);
}
