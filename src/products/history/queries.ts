import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import { statement } from '../../database/statement.ts';
import type { CatalogChangeRow, ProductChangeRow } from '../record/history-queries.ts';

/** Where the history of a product begins: its newest change. */
export const findHistoryStart = statement<
  { merchantId: number; identifier: string },
  { internal_id: number; history_revision: number }
>(
  `SELECT internal_id, history_revision FROM products
   WHERE merchant_id = :merchantId AND identifier = :identifier`,
);

/** A product's change of a revision, and earlier ones, newest first, until they have `maxBytes` together. */
export const listProductChanges = statement<
  { merchantId: number; productId: number; revision: number; limit: number; maxBytes: number },
  Pick<ProductChangeRow, 'revision' | 'former_revision' | 'changes'>
>(
  `WITH RECURSIVE chain (revision, former_revision, changes, position, bytes) AS (
     SELECT c.revision, c.former_revision, c.changes, 1, octet_length(c.changes) FROM product_changes c
     WHERE c.merchant_id = :merchantId AND c.revision = :revision AND c.product_id = :productId
     UNION ALL
     SELECT c.revision, c.former_revision, c.changes, chain.position + 1, chain.bytes + octet_length(c.changes)
     FROM chain JOIN product_changes c ON c.revision = chain.former_revision
     WHERE c.merchant_id = :merchantId AND c.product_id = :productId AND chain.position < :limit
       AND chain.bytes < :maxBytes
   )
   SELECT revision, former_revision, changes FROM chain ORDER BY position`,
);

export type Author = Omit<
  CatalogChangeRow,
  'merchant_id' | 'changed' | 'created_from' | 'created_to' | 'fields'
>;
const authorColumns = 'revision, part, at, actor_kind, actor_name, request_id, import_id';

/** All parts of revisions; for `lookUp`. */
export const findAuthors = statement<Lookup<number>, Author>(
  `SELECT ${authorColumns} FROM catalog_changes
   WHERE merchant_id = :merchantId AND revision IN (${namesPlaceholder})`,
);

/** The call that created a product, if it is recorded: its `created_from` is not above the internal ID. */
export const findCreation = statement<
  { merchantId: number; productId: number },
  Author & { created_from: number }
>(
  `SELECT ${authorColumns}, created_from FROM catalog_changes
   WHERE merchant_id = :merchantId AND created_to >= :productId ORDER BY created_to LIMIT 1`,
);

/** The revision of the old change that has `offset` older ones of its merchant. */
export const findOldProductChange = statement<
  { merchantId: number; before: number; offset: number },
  { revision: number }
>(
  `SELECT revision FROM product_changes WHERE merchant_id = :merchantId AND revision < :before
   ORDER BY revision, product_id LIMIT 1 OFFSET :offset`,
);

export const findOldCatalogChange = statement<
  { merchantId: number; before: number; offset: number },
  { revision: number }
>(
  `SELECT revision FROM catalog_changes WHERE merchant_id = :merchantId AND revision < :before
   ORDER BY revision, part LIMIT 1 OFFSET :offset`,
);

export const deleteProductChanges = statement<{ merchantId: number; upTo: number }, never>(
  'DELETE FROM product_changes WHERE merchant_id = :merchantId AND revision <= :upTo',
);

export const deleteCatalogChanges = statement<{ merchantId: number; upTo: number }, never>(
  'DELETE FROM catalog_changes WHERE merchant_id = :merchantId AND revision <= :upTo',
);
