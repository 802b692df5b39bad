import { statement } from '../../database/database.ts';
import { productStatuses } from '../../products/record/product.ts';

const everyStatus = ['', ...productStatuses].map((status) => `'${status}'`).join(', ');

/** Lists a merchant's product counts by status; the status '' counts all products. */
export const listCounts = statement<{ merchantId: number }, { status: string; products: number }>(
  `SELECT status, products FROM product_counts
   WHERE merchant_id = :merchantId AND status IN (${everyStatus}) AND category = ''`,
);

/** A part of a merchant's categories, by byte order: those after `after` and before `before`. */
export interface CategoryRange {
  merchantId: number;
  after: string;
  before: string;
  limit: number;
}

export interface CategoryRow {
  category: string;
  products: number;
}

/**
 * Lists first-level categories. Repeats the condition of the partial index
 * `product_counts_of_first_levels`, so that this index is used.
 */
export const listFirstLevels = statement<CategoryRange, CategoryRow>(
  `SELECT category, products FROM product_counts
   WHERE merchant_id = :merchantId AND status < '!' AND category NOT LIKE '%|%'
     AND category > :after AND category < :before
   ORDER BY category LIMIT :limit`,
);

/** Lists categories of one and of two levels (`A`, `A | B`). */
export const listCategories = statement<CategoryRange, CategoryRow>(
  `SELECT category, products FROM product_counts
   WHERE merchant_id = :merchantId AND status = '' AND category > :after AND category < :before
   ORDER BY category LIMIT :limit`,
);
