import type { Dialect } from '../../database/database.ts';
import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import { type Statement, statement, updateIn, upsertInto } from '../../database/statement.ts';
import type { ProductStatus } from '../record/product.ts';
import { MAX_RECORD_BYTES } from '../record/record-size.ts';

/** Where the check of a merchant's images is. */
export interface ImageCursorRow {
  merchant_id: number;
  /** The images of products up to this place in the order of changes are known. */
  revision: number;
  product_id: number;
  /** When the merchant had its last turn; 0 for never. Milliseconds since 1970, as all times here. */
  turn_at: number;
  /** When the next check is due; null for none. */
  next_check_at: number | null;
}

/** That a product has an image. */
export interface ProductImageRow {
  merchant_id: number;
  product_id: number;
  url_hash: string;
  /** `ImageAddress.position`. */
  position: number;
}

/** An address of images of a merchant, however many products have it. */
export interface ImageCheckRow {
  merchant_id: number;
  /** `hashAddress`. */
  url_hash: string;
  url: string;
  check_at: number;
  /** Failed checks since the last success. */
  failures: number;
  /** Null before the first check. */
  checked_at: number | null;
  /** What is wrong, in words that follow “The image at …”; null for nothing. */
  problem: string | null;
}

/** A merchant with changed products or due checks. */
export interface DueMerchant extends Pick<ImageCursorRow, 'merchant_id' | 'revision' | 'product_id'> {
  catalog_revision: number;
}

/** Lists merchants whose turn it is, the longest waiting first. Suspended ones wait. */
export const listDueMerchants = statement<{ now: number; limit: number }, DueMerchant>(
  `SELECT c.merchant_id, c.catalog_revision, coalesce(i.revision, 0) AS revision,
     coalesce(i.product_id, 0) AS product_id
   FROM merchant_counters c LEFT JOIN image_cursors i ON i.merchant_id = c.merchant_id
   WHERE c.merchant_id > 0 AND c.suspended_at IS NULL
     AND (coalesce(i.revision, 0) < c.catalog_revision OR i.next_check_at <= :now)
   ORDER BY coalesce(i.turn_at, 0), c.merchant_id LIMIT CAST(:limit AS bigint)`,
  { everyNode: true, offLoop: true },
);

interface ChangedImages {
  internal_id: number;
  status: ProductStatus;
  revision: number;
  /** The record from its images on. */
  images: string;
}

export const IMAGES_BEGIN = '"primary_image":';

/** Lists products in the order of changes, with the part of the record that has the images. */
export function listChangedImages(
  dialect: Dialect,
): Statement<{ merchantId: number; afterRevision: number; afterId: number; limit: number }, ChangedImages> {
  const images = dialect.textFrom('p.record', `'${IMAGES_BEGIN}'`, String(MAX_RECORD_BYTES));
  return statement(
    `SELECT p.internal_id, p.status, p.revision, ${images} AS images FROM products p
     WHERE p.merchant_id = :merchantId AND (p.revision, p.internal_id) > (:afterRevision, :afterId)
     ORDER BY p.revision, p.internal_id LIMIT CAST(:limit AS bigint)`,
    { offLoop: true },
  );
}

/** For `lookUp`. */
export const findProductImages = statement<Lookup<number>, Omit<ProductImageRow, 'merchant_id'>>(
  `SELECT product_id, url_hash, position FROM product_images
   WHERE merchant_id = :merchantId AND product_id IN (${namesPlaceholder})`,
);

export const addCursor = upsertInto<
  Pick<ImageCursorRow, 'merchant_id' | 'revision' | 'product_id' | 'turn_at'>
>('image_cursors', ['merchant_id'], ['revision', 'product_id', 'turn_at'], 'DO NOTHING');

/** Changes no row if another process has moved the cursor. */
export const moveCursor = statement<
  { merchantId: number; fromRevision: number; fromId: number; revision: number; productId: number },
  never
>(
  `UPDATE image_cursors SET revision = :revision, product_id = :productId
   WHERE merchant_id = :merchantId AND revision = :fromRevision AND product_id = :fromId`,
);

export const endTurn = statement<{ merchantId: number; now: number }, never>(
  `UPDATE image_cursors SET turn_at = :now,
     next_check_at = (SELECT min(k.check_at) FROM image_checks k WHERE k.merchant_id = :merchantId)
   WHERE merchant_id = :merchantId`,
);

export const setProductImage = upsertInto<ProductImageRow>(
  'product_images',
  ['merchant_id', 'product_id', 'url_hash'],
  ['position'],
  'DO UPDATE SET position = excluded.position',
);

export const deleteProductImage = statement<Omit<ProductImageRow, 'position'>, never>(
  `DELETE FROM product_images
   WHERE merchant_id = :merchant_id AND product_id = :product_id AND url_hash = :url_hash`,
);

export const addCheck = upsertInto<
  Pick<ImageCheckRow, 'merchant_id' | 'url_hash' | 'url' | 'check_at' | 'failures'>
>('image_checks', ['merchant_id', 'url_hash'], ['url', 'check_at', 'failures'], 'DO NOTHING');

/** Deletes what is known about an address that no product has anymore. */
export const deleteUnusedCheck = statement<Pick<ImageCheckRow, 'merchant_id' | 'url_hash'>, never>(
  `DELETE FROM image_checks WHERE merchant_id = :merchant_id AND url_hash = :url_hash
     AND NOT EXISTS (SELECT 1 FROM product_images i
                     WHERE i.merchant_id = :merchant_id AND i.url_hash = :url_hash)`,
);

export const listDueChecks = statement<
  { merchantId: number; now: number; limit: number },
  Pick<ImageCheckRow, 'url_hash' | 'url' | 'failures'>
>(
  `SELECT url_hash, url, failures FROM image_checks WHERE merchant_id = :merchantId AND check_at <= :now
   ORDER BY check_at, url_hash LIMIT CAST(:limit AS bigint)`,
);

const checkKey = ['merchant_id', 'url_hash'] as const satisfies (keyof ImageCheckRow)[];

export const storeOutcome = updateIn<Omit<ImageCheckRow, 'url'>>('image_checks', checkKey, [
  'check_at',
  'failures',
  'checked_at',
  'problem',
]);

export const postponeCheck = updateIn<Pick<ImageCheckRow, 'merchant_id' | 'url_hash' | 'check_at'>>(
  'image_checks',
  checkKey,
  ['check_at'],
);

export const listImageProblems = statement<
  { merchantId: number; productId: number },
  { position: number; url: string; problem: string; checked_at: number }
>(
  `SELECT i.position, k.url, k.problem, k.checked_at FROM product_images i
   JOIN image_checks k ON k.merchant_id = i.merchant_id AND k.url_hash = i.url_hash
   WHERE i.merchant_id = :merchantId AND i.product_id = :productId AND k.problem IS NOT NULL
   ORDER BY i.position`,
);

/** The images that do not work in one list of their products. */
export const MAX_FAILING = 100_000;
/** All products can have one such image. With CROSS JOIN, SQLite begins with the few addresses that fail. */
const FAILING = `(SELECT i.product_id FROM image_checks k CROSS JOIN product_images i
    WHERE k.merchant_id = :merchantId AND k.problem IS NOT NULL
      AND i.merchant_id = :merchantId AND i.url_hash = k.url_hash
    ORDER BY k.url_hash LIMIT CAST(:limit AS bigint)) AS failing`;

/**
 * Lists products with an image that does not work, of the first `limit` such images. Deleted products may be
 * among them for some seconds.
 */
export const listFailingProducts = statement<{ merchantId: number; limit: number }, { product_id: number }>(
  `SELECT DISTINCT product_id FROM ${FAILING}`,
);

/** Counts them, without deleted ones, and the images. */
export const countFailingProducts = statement<
  { merchantId: number; limit: number },
  { products: number; images: number }
>(
  `SELECT count(DISTINCT CASE WHEN p.status <> 'deleted' THEN p.internal_id END) AS products,
     count(*) AS images
   FROM ${FAILING}
   LEFT JOIN products p ON p.merchant_id = :merchantId AND p.internal_id = failing.product_id`,
);

export const listCursors = statement<{ limit: number }, Pick<ImageCursorRow, 'merchant_id'>>(
  'SELECT merchant_id FROM image_cursors LIMIT CAST(:limit AS bigint)',
  { everyNode: true },
);

export const deleteCursor = statement<{ merchantId: number }, never>(
  'DELETE FROM image_cursors WHERE merchant_id = :merchantId',
);

/** All products are followed again. */
export const restartCursor = statement<{ merchantId: number }, never>(
  'UPDATE image_cursors SET revision = 0, product_id = 0 WHERE merchant_id = :merchantId',
);

export const listSomeImages = statement<
  { merchantId: number; limit: number },
  Pick<ProductImageRow, 'product_id' | 'url_hash'>
>(
  `SELECT product_id, url_hash FROM product_images WHERE merchant_id = :merchantId
   ORDER BY product_id, url_hash LIMIT CAST(:limit AS bigint)`,
);
