import { statement } from '../../database/database.ts';
import { productStatuses } from '../../products/record/product.ts';

const everyStatus = ['', ...productStatuses].map((status) => `'${status}'`).join(', ');

/** Parameters: the merchant. The counter of each status, and with the status '' that of all products. */
export const listCounts = statement<{ status: string; products: number }>(
  `SELECT status, products FROM product_counts
   WHERE merchant_id = ? AND status IN (${everyStatus}) AND category = ''`,
);

export interface CategoryRow {
  category: string;
  products: number;
}

/**
 * Parameters: the merchant, the category to start after, the category to end before, how many. Categories of
 * one level by their bytes, also those whose products are gone. The condition is that of the index.
 */
export const listFirstLevels = statement<CategoryRow>(
  `SELECT category, products FROM product_counts
   WHERE merchant_id = ? AND status < '!' AND category NOT LIKE '%|%' AND category > ? AND category < ?
   ORDER BY category LIMIT ?`,
);

/** Parameters: as `listFirstLevels`. Categories of one and of two levels (`A`, `A | B`). */
export const listCategories = statement<CategoryRow>(
  `SELECT category, products FROM product_counts
   WHERE merchant_id = ? AND status = '' AND category > ? AND category < ?
   ORDER BY category LIMIT ?`,
);
