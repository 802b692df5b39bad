import type { Connection, Value } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { ratioHalfUp } from '../../shared/rounding.ts';
import { parseProduct } from './product.ts';
import { productValues } from './product-values.ts';
import { findProductsByInternalIds, updateProduct } from './queries.ts';
import { raiseRevision } from './revision.ts';

/** By how much the figures of a product's schedules change; `ratingSum` in hundredths of a point. */
export interface FiguresChange {
  schedules: number;
  sold: number;
  rated: number;
  ratingSum: number;
}

/**
 * Makes products' sales and ratings follow their schedules, in the transaction given. A product's first
 * schedule ends what was stated of them: from then on they are what its schedules say. The times of the
 * record stay, as nobody edited it.
 */
export async function updateProductFigures(
  connection: Connection,
  merchantId: number,
  changes: ReadonlyMap<number, FiguresChange>,
  now: number,
): Promise<void> {
  if (changes.size === 0) return;
  const updates: Value[][] = [];
  for (const row of await lookUp(connection, findProductsByInternalIds, merchantId, [...changes.keys()])) {
    const change = changes.get(row.internal_id);
    if (change === undefined) continue;
    const product = parseProduct(row.record);
    const soldBefore = row.schedule_count > 0 ? (product.sales_count ?? 0) : 0;
    const figures = {
      ...row,
      schedule_count: row.schedule_count + change.schedules,
      rated_count: row.rated_count + change.rated,
      rating_sum: row.rating_sum + change.ratingSum,
    };
    product.sales_count = soldBefore + change.sold;
    product.ratings_count = figures.rated_count;
    product.ratings_average =
      figures.rated_count === 0 ? null : ratioHalfUp(figures.rating_sum, figures.rated_count * 100, 2);
    updates.push(productValues(merchantId, product, figures));
  }
  await connection.runEach(updateProduct, updates);
  await raiseRevision(connection, merchantId, now);
}
