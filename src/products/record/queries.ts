import { insertInto, statement } from '../../database/database.ts';
import { placesForNames } from '../../database/look-up.ts';
import type { StatusBasis } from './product-status.ts';

/** A product's row beside the columns that its record tells. */
export interface ProductRow extends StatusBasis {
  internal_id: number;
  identifier: string;
  schedule_count: number;
  rated_count: number;
  rating_sum: number;
  record: string;
}

const rowColumns =
  'internal_id, identifier, schedule_count, rated_count, rating_sum, moderation, stock_tracked, status_stated, record';

/** Parameters: merchant, the identifiers. */
export const findProductsByIdentifiers = statement<ProductRow>(
  `SELECT ${rowColumns} FROM products WHERE merchant_id = ? AND identifier IN (${placesForNames})`,
);

/** Parameters: merchant, the internal ids. */
export const findProductsByInternalIds = statement<ProductRow>(
  `SELECT ${rowColumns} FROM products WHERE merchant_id = ? AND internal_id IN (${placesForNames})`,
);

/** Parameters: merchant, the variations' identifiers. */
export const findVariationOwners = statement<{ identifier: string; product_id: number }>(
  `SELECT identifier, product_id FROM variations WHERE merchant_id = ? AND identifier IN (${placesForNames})`,
);

/** Parameters: how many product ids, how many variation ids, the merchant. Gives the last of each. */
export const takeIds = statement<{ last_product_id: number; last_variation_id: number }>(
  `UPDATE merchants
   SET last_product_id = last_product_id + ?, last_variation_id = last_variation_id + ?
   WHERE id = ? RETURNING last_product_id, last_variation_id`,
);

/** A product's record, or null if it has more bytes than the statement's parameter here. */
export const recordUpTo = 'CASE WHEN octet_length(p.record) <= CAST(? AS bigint) THEN p.record END AS record';

/** For `readWithRecord`. Parameters: the most bytes of a record, merchant, internal id. */
export const findRecord = statement<{ record: string | null }>(
  `SELECT ${recordUpTo} FROM products p WHERE p.merchant_id = ? AND p.internal_id = ?`,
);

/** Parameters: the merchant. */
export const findRevision = statement<{ revision: number }>(
  'SELECT catalog_revision AS revision FROM merchants WHERE id = ?',
);

/** A product's columns in the order of `productValues`, but for those that it is found by, which come last. */
const valueColumns = [
  'identifier',
  'status',
  'category_1',
  'category_2',
  'created_at',
  'updated_at',
  'ratings_average',
  'cost_basis',
  'scheduling_fee_bid',
  'sales_count',
  'reserve_price',
  'schedule_count',
  'rated_count',
  'rating_sum',
  'moderation',
  'stock_tracked',
  'status_stated',
  'record',
];

/** Parameters: as `productValues` lists them. */
export const insertProduct = insertInto('products', [...valueColumns, 'merchant_id', 'internal_id']);

/** Parameters: as `productValues` lists them. */
export const updateProduct = statement(
  `UPDATE products SET ${valueColumns.map((column) => `${column} = ?`).join(', ')}
   WHERE merchant_id = ? AND internal_id = ?`,
);

export const insertVariation = insertInto('variations', ['merchant_id', 'identifier', 'product_id']);

/** Parameters: merchant, status, category, by how many. */
export const addToCount = statement(
  `INSERT INTO product_counts (merchant_id, status, category, products) VALUES (?, ?, ?, ?)
   ON CONFLICT (merchant_id, status, category)
   DO UPDATE SET products = product_counts.products + excluded.products`,
);

/** Parameters: merchant, status, category. Deletes the counter if it has fallen to 0. */
export const deleteEmptyCount = statement(
  'DELETE FROM product_counts WHERE merchant_id = ? AND status = ? AND category = ? AND products = 0',
);

/** Parameters: merchant, the categories. Those in use, with their numbers of products. */
export const findCategoryCounts = statement<{ category: string; products: number }>(
  `SELECT category, products FROM product_counts
   WHERE merchant_id = ? AND status = '' AND category IN (${placesForNames})`,
);

/** Parameters: merchant. How many categories are in use. */
export const countCategories = statement<{ categories: number }>(
  `SELECT count(*) AS categories FROM product_counts
   WHERE merchant_id = ? AND status = '' AND category <> ''`,
);

/** Parameters: merchant, the internal id to go on after (0 for the first), how many. */
export const listRecordsAfter = statement<{ internal_id: number; record: string }>(
  'SELECT internal_id, record FROM products WHERE merchant_id = ? AND internal_id > ? ORDER BY internal_id LIMIT ?',
);

/** Parameters: the revision, the same again, the merchant. One more than the present one is the least it gets. */
export const raiseRevisionTo = statement(
  `UPDATE merchants
   SET catalog_revision = CASE WHEN catalog_revision >= ? THEN catalog_revision + 1 ELSE ? END
   WHERE id = ?`,
);
