import { statement } from '../../database/statement.ts';
import type { CatalogChangeRow, ProductChangeRow } from '../record/history-queries.ts';

export type ChangePart = Pick<
  CatalogChangeRow,
  'revision' | 'part' | 'at' | 'changed' | 'created_from' | 'created_to'
>;
const partColumns = 'revision, part, at, changed, created_from, created_to';

/** Lists what an import has changed, oldest first: a part for each of its transactions. */
export const listPartsOfImport = statement<{ merchantId: number; importId: string }, ChangePart>(
  `SELECT ${partColumns} FROM catalog_changes
   WHERE merchant_id = :merchantId AND import_id = :importId ORDER BY revision, part`,
);

export const findPart = statement<{ merchantId: number; revision: number; part: number }, ChangePart>(
  `SELECT ${partColumns} FROM catalog_changes
   WHERE merchant_id = :merchantId AND revision = :revision AND part = :part`,
);

/** Lists the products that a transaction changed, without the ones that it created. */
export const listChangedProducts = statement<
  { merchantId: number; revision: number },
  Pick<ProductChangeRow, 'product_id'>
>(
  `SELECT product_id FROM product_changes
   WHERE merchant_id = :merchantId AND revision = :revision ORDER BY product_id`,
);

export const PRODUCTS_AT_ONCE = 50;

/** Lists the changes of products from the revision `oldest` on, the newest of each product first. */
export const listChangesSince = statement<
  { merchantId: number; oldest: number; products: readonly number[] },
  Pick<ProductChangeRow, 'product_id' | 'revision' | 'changes'>
>(
  `WITH RECURSIVE chain (product_id, revision, former_revision, changes) AS (
     SELECT c.product_id, c.revision, c.former_revision, c.changes FROM products p
     JOIN product_changes c ON c.revision = p.history_revision AND c.product_id = p.internal_id
     WHERE p.merchant_id = :merchantId AND p.internal_id IN (:products[${PRODUCTS_AT_ONCE}])
       AND p.history_revision >= :oldest AND c.merchant_id = :merchantId
     UNION ALL
     SELECT c.product_id, c.revision, c.former_revision, c.changes
     FROM chain JOIN product_changes c ON c.revision = chain.former_revision AND c.product_id = chain.product_id
     WHERE c.merchant_id = :merchantId AND chain.former_revision >= :oldest
   )
   SELECT product_id, revision, changes FROM chain ORDER BY product_id, revision DESC`,
);
