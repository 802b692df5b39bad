import { statement } from '../../database/database.ts';
import { productStatuses } from '../../products/product.ts';

const everyStatus = productStatuses.map((status) => `'${status}'`).join(', ');

/**
 * The counters of each category, of each state, and of all; '' stands for any. Parameters: the merchant,
 * and once more.
 */
export const listCounts = statement<{ status: string; category: string; products: number }>(
  `SELECT status, category, products FROM product_counts WHERE merchant_id = ? AND status = ''
   UNION ALL
   SELECT status, category, products FROM product_counts
   WHERE merchant_id = ? AND status IN (${everyStatus}) AND category = ''`,
);
