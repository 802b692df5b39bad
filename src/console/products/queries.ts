import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import { statement } from '../../database/statement.ts';
import { productStatuses } from '../../products/record/product.ts';

const everyStatus = ['', ...productStatuses].map((status) => `'${status}'`).join(', ');

/** The status '' counts all products. */
export const listCounts = statement<{ merchantId: number }, { status: string; products: number }>(
  `SELECT status, products FROM product_counts
   WHERE merchant_id = :merchantId AND status IN (${everyStatus}) AND category = ''`,
);

/** Categories after `after` and before `before`, by byte order. */
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

/** Repeats the condition of the partial index `product_counts_of_first_levels`, so that it is used. */
export const listFirstLevels = statement<CategoryRange, CategoryRow>(
  `SELECT category, products FROM product_counts
   WHERE merchant_id = :merchantId AND status < '!' AND category NOT LIKE '%|%'
     AND category > :after AND category < :before
   ORDER BY category LIMIT :limit`,
);

/** Lists categories of one and two levels (`A`, `A | B`). */
export const listCategories = statement<CategoryRange, CategoryRow>(
  `SELECT category, products FROM product_counts
   WHERE merchant_id = :merchantId AND status = '' AND category > :after AND category < :before
   ORDER BY category LIMIT :limit`,
);

/** A record of more than 64 KiB is null: parsing it would block the event loop. */
export const findRecordsToName = statement<
  Lookup<string>,
  { internal_id: number; identifier: string; record: string | null }
>(
  `SELECT p.internal_id, p.identifier, CASE WHEN octet_length(p.record) <= 65536 THEN p.record END AS record
   FROM products p WHERE p.merchant_id = :merchantId AND p.identifier IN (${namesPlaceholder})`,
);
