import type { RecordFields } from '../../api-keys/record-fields.ts';
import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import { insertInto, statement, updateIn } from '../../database/statement.ts';
import type { ProductStatus } from './product.ts';
import type { StatusBasis } from './product-status.ts';
import type { ReviewState } from './review-state.ts';

/** Sort columns and `max_daily_schedules` are -1 if the product has no value. */
export interface ProductRow extends StatusBasis, ReviewState {
  merchant_id: number;
  internal_id: number;
  identifier: string;
  status: ProductStatus;
  /** The first two levels of the category; '' if it has fewer. */
  category_1: string;
  category_2: string;
  /** Null for a product without a campaign, and for a deleted one. */
  campaign_name: string | null;
  max_daily_schedules: number;
  /** Times are in milliseconds since 1970. */
  created_at: number;
  updated_at: number;
  ratings_average: number;
  cost_basis: number;
  scheduling_fee_bid: number;
  sales_count: number;
  reserve_price: number;
  schedule_count: number;
  rated_count: number;
  /** In hundredths of a point. */
  rating_sum: number;
  /** The catalog's revision at the product's last change. */
  revision: number;
  /** The revision of the newest change in the history; 0 for none. */
  history_revision: number;
  record: string;
}

/** The record of a product and the columns that do not follow from it. */
export type StoredProduct = StatusBasis &
  ReviewState &
  Pick<
    ProductRow,
    | 'internal_id'
    | 'identifier'
    | 'schedule_count'
    | 'rated_count'
    | 'rating_sum'
    | 'revision'
    | 'history_revision'
    | 'record'
  >;

/**
 * The item that a response is made of: the record, for `original` followed by a comma and what the original's
 * fields need of the moderation, in the order that `spliceRecord` expects.
 */
export function shownRecord(row: string, fields: RecordFields): string {
  if (fields === 'standard') return `${row}.record`;
  return `${row}.record || ',{"moderation_reasons":'
    || CASE WHEN ${row}.moderation_reasons = '' THEN '[]' ELSE ${row}.moderation_reasons END
    || ',"moderation":"' || ${row}.moderation
    || '","moderated_at":' || coalesce(CAST(${row}.moderated_at AS text), 'null') || '}'`;
}

const basisColumns = `p.internal_id, p.identifier, p.schedule_count, p.rated_count, p.rating_sum, p.revision,
  p.moderation, p.moderation_reasons, p.moderated_at, p.stock_tracked, p.status_sent,
  p.review_since, p.review_changes, p.history_revision`;
const storedColumns = `${basisColumns}, p.record`;

/** A larger record is read only once it is known that there is enough memory for it. */
const MAX_FOUND_BYTES = 64 * 1024;

/** The record is null if it is large. */
export interface FoundProduct extends Omit<StoredProduct, 'record'> {
  record: string | null;
  bytes: number;
}

const foundColumns = `${basisColumns}, octet_length(p.record) AS bytes,
  CASE WHEN octet_length(p.record) <= ${MAX_FOUND_BYTES} THEN p.record END AS record`;

export const findProducts = statement<Lookup<string>, FoundProduct>(
  `SELECT ${foundColumns} FROM products p
   WHERE p.merchant_id = :merchantId AND p.identifier IN (${namesPlaceholder})`,
);

export const findProductsOfInternalIds = statement<Lookup<number>, FoundProduct>(
  `SELECT ${foundColumns} FROM products p
   WHERE p.merchant_id = :merchantId AND p.internal_id IN (${namesPlaceholder})`,
);

/** For `lookUp`, like the others. */
export const findProductsOfVariations = statement<Lookup<string>, FoundProduct & { variation: string }>(
  `SELECT v.identifier AS variation, ${foundColumns} FROM variations v
   JOIN products p ON p.merchant_id = v.merchant_id AND p.internal_id = v.product_id
   WHERE v.merchant_id = :merchantId AND v.identifier IN (${namesPlaceholder})`,
);

export const findProductsByIdentifiers = statement<Lookup<string>, StoredProduct>(
  `SELECT ${storedColumns} FROM products p
   WHERE p.merchant_id = :merchantId AND p.identifier IN (${namesPlaceholder})`,
);

export const findProductId = statement<{ merchantId: number; identifier: string }, { internal_id: number }>(
  'SELECT internal_id FROM products WHERE merchant_id = :merchantId AND identifier = :identifier',
);

/** For `lookUp`. */
export const findProductIds = statement<Lookup<string>, Pick<ProductRow, 'internal_id' | 'identifier'>>(
  `SELECT internal_id, identifier FROM products
   WHERE merchant_id = :merchantId AND identifier IN (${namesPlaceholder})`,
);

/** Finds records' sizes in bytes; for `lookUp`. */
export const findRecordSizes = statement<Lookup<string>, { identifier: string; bytes: number }>(
  `SELECT identifier, octet_length(record) AS bytes
   FROM products WHERE merchant_id = :merchantId AND identifier IN (${namesPlaceholder})`,
);

export const findProductsByInternalIds = statement<Lookup<number>, StoredProduct>(
  `SELECT ${storedColumns} FROM products p
   WHERE p.merchant_id = :merchantId AND p.internal_id IN (${namesPlaceholder})`,
);

/** Finds the products of variations; for `lookUp`. */
export const findVariationOwners = statement<Lookup<string>, { identifier: string; product_id: number }>(
  `SELECT identifier, product_id FROM variations
   WHERE merchant_id = :merchantId AND identifier IN (${namesPlaceholder})`,
);

/** Reserves ids for new products and variations. Returns the last reserved ids. */
export const takeIds = statement<
  { merchantId: number; products: number; variations: number },
  { last_product_id: number; last_variation_id: number }
>(
  `UPDATE merchant_counters
   SET last_product_id = last_product_id + :products, last_variation_id = last_variation_id + :variations
   WHERE merchant_id = :merchantId RETURNING last_product_id, last_variation_id`,
);

/** Find what `shownRecord` returns; null if the record has more than `maxBytes`. For `readWithRecord`. */
export const findRecord = forEachFields((fields) =>
  statement<{ merchantId: number; internalId: number; maxBytes: number }, { record: string | null }>(
    `SELECT CASE WHEN octet_length(p.record) <= CAST(:maxBytes AS bigint) THEN ${shownRecord('p', fields)} END AS record
     FROM products p WHERE p.merchant_id = :merchantId AND p.internal_id = :internalId`,
  ),
);

/** Like `findRecord`. */
export const findRecordByIdentifier = forEachFields((fields) =>
  statement<{ merchantId: number; identifier: string; maxBytes: number }, { record: string | null }>(
    `SELECT CASE WHEN octet_length(p.record) <= CAST(:maxBytes AS bigint) THEN ${shownRecord('p', fields)} END AS record
     FROM products p WHERE p.merchant_id = :merchantId AND p.identifier = :identifier`,
  ),
);

export const findModeration = statement<
  { merchantId: number; identifier: string },
  Pick<ProductRow, 'internal_id' | 'moderation' | 'moderation_reasons'>
>(
  `SELECT internal_id, moderation, moderation_reasons FROM products
   WHERE merchant_id = :merchantId AND identifier = :identifier`,
);

const valueColumns = [
  'identifier',
  'status',
  'category_1',
  'category_2',
  'campaign_name',
  'max_daily_schedules',
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
  'moderation_reasons',
  'moderated_at',
  'stock_tracked',
  'status_sent',
  'review_since',
  'review_changes',
  'revision',
  'history_revision',
  'record',
] as const satisfies (keyof ProductRow)[];

const productKey = ['merchant_id', 'internal_id'] as const satisfies (keyof ProductRow)[];

export const insertProduct = insertInto<ProductRow>('products', [...valueColumns, ...productKey]);

export const updateProduct = updateIn<ProductRow>('products', productKey, valueColumns);

export interface VariationRow {
  merchant_id: number;
  identifier: string;
  product_id: number;
}

export const insertVariation = insertInto<VariationRow>('variations', [
  'merchant_id',
  'identifier',
  'product_id',
]);

/** Finds which categories the operator has set; for `lookUp`. */
export const findListedCategories = statement<Pick<Lookup<string>, 'names'>, ListedCategory>(
  `SELECT category FROM listed_categories WHERE category IN (${namesPlaceholder})`,
);

export const findAnyListedCategory = statement<unknown, ListedCategory>(
  'SELECT category FROM listed_categories LIMIT 1',
);

export const deleteListedCategories = statement<unknown, never>('DELETE FROM listed_categories');

export const insertListedCategory = insertInto<ListedCategory>('listed_categories', ['category']);

interface ListedCategory {
  category: string;
}

/** In the order of creation, from the first with an internal id above `after`. */
export const listRecordsAfter = statement<
  { merchantId: number; after: number; limit: number },
  Pick<ProductRow, 'internal_id' | 'record'>
>(
  `SELECT internal_id, record FROM products
   WHERE merchant_id = :merchantId AND internal_id > :after ORDER BY internal_id LIMIT :limit`,
);

/** 1 for each kind of lists that a change affects, otherwise 0; see `Effects`. */
type EffectFlags = { [Name in 'rows' | 'status' | 'category' | 'figures']: number };

/** Sets a merchant's revision, and the revisions of the affected lists. An event will announce the change. */
export const raiseRevisions = statement<{ merchantId: number; revision: number } & EffectFlags, never>(
  `UPDATE merchant_counters
   SET catalog_revision = :revision, unannounced = 1,
     ${(['rows', 'status', 'category', 'figures'] as const)
       .map((kind) => `${kind}_revision = CASE WHEN :${kind} = 1 THEN :revision ELSE ${kind}_revision END`)
       .join(', ')}
   WHERE merchant_id = :merchantId`,
);

/** A statement for each set of fields. */
function forEachFields<Statement>(
  create: (fields: RecordFields) => Statement,
): Record<RecordFields, Statement> {
  return { standard: create('standard'), original: create('original') };
}
