import { type Dialect, type Statement, statement } from '../../database/database.ts';
import { placesForNames } from '../../database/look-up.ts';
import type { Listing, SortField } from './listing.ts';

/**
 * How a listing's products are found: `walk` goes along an index in the order asked for and passes over
 * what the filter does not match; `gather` finds all that match and sorts them.
 */
export type Plan = 'walk' | 'gather';

export interface StartRow {
  revision: number;
  /** Null, and the id too, where the listing ends before the position. */
  key: string | number | null;
  /** 0 where the key is one product's alone. */
  internal_id: number | null;
}

export interface PageRow {
  revision: number;
  /** Products that the filter matches. */
  total: number;
}

/**
 * The most bytes of records that one statement joins: it blocks the event loop for a few milliseconds. A page that
 * may have more leaves its largest records out, and is then read in steps.
 */
const MAX_JOINED_BYTES = 4 * 1024 * 1024;

/** Parameters: merchant, status, category (as the counters name them). */
export const findCount = statement<{ products: number }>(
  'SELECT products FROM product_counts WHERE merchant_id = ? AND status = ? AND category = ?',
);

/** The indexes that hold a filter and the order of the sort both, so that a walk passes over nothing. */
export function hasExactIndex({ status, category, sort }: Listing): boolean {
  if (status === undefined && category === undefined) return true;
  if (category === undefined) return sort.field === 'created_at' || sort.field === 'updated_at';
  return status === undefined && sort.field === 'created_at';
}

/** Whether the index that a walk goes along tells what the filter matches. */
export function isFilteredInIndex(listing: Listing): boolean {
  return filterColumns(listing).length === 0 || isWalkedWithFilter(listing);
}

/**
 * Finds the product at a position. Parameters: the filter's values, `startValues` where `from` is true, how
 * many to pass over from there, and the merchant.
 */
export function findStart(
  listing: Listing,
  plan: Plan,
  from: boolean,
  dialect: Dialect,
): Statement<StartRow> {
  const { where, order } = clauses(listing, plan, from, dialect);
  const { field } = listing.sort;
  const id = isUnique(field) ? '0' : 'p.internal_id';
  return {
    sql: `SELECT m.catalog_revision AS revision, s.key, s.internal_id
     FROM merchants m
     LEFT JOIN (SELECT p.${field} AS key, ${id} AS internal_id
                FROM products p WHERE ${where} ORDER BY ${order} LIMIT 1 OFFSET CAST(? AS bigint)) AS s ON true
     WHERE m.id = ?`,
    planAnew: plan === 'gather',
  };
}

/**
 * Where a page begins: at the first product, at one whose `startValues` are known, or where counting from the
 * first product leads.
 */
export type Begin = 'first' | 'known' | 'counted';

/**
 * Reads a page, its revision and its filter's count, all of one moment; for `firstWithItems`. Parameters:
 * the counter's status and category, the merchant, the filter's values, `startValues` where they are known,
 * the page's size and how many to pass over where that is counted, and the page's size. `most` is the page's
 * size or the next power of two. Records that are too large for a statement are left out.
 */
export function readPage(
  listing: Listing,
  plan: Plan,
  begin: Begin,
  most: number,
  dialect: Dialect,
): Statement<PageRow> {
  const { where, order } = clauses(listing, plan, begin === 'known', dialect);
  const mostBytes = Math.floor(MAX_JOINED_BYTES / most);
  const value = (row: string): string =>
    `CASE WHEN octet_length(${row}.record) <= ${mostBytes} THEN ${row}.record END`;
  const record =
    plan === 'gather' || hasExactIndex(listing) ? value('p') : outsideIndex(value, listing, dialect);
  const records = `SELECT ${record} AS item FROM products p WHERE ${where} ORDER BY ${order}`;
  const limit = 'LIMIT CAST(? AS bigint) OFFSET CAST(? AS bigint)';
  const page = dialect.withItems<PageRow>(
    {
      columns: ['revision', 'total'],
      sql: `SELECT m.catalog_revision AS revision,
              coalesce((SELECT c.products FROM product_counts c
                        WHERE c.merchant_id = m.id AND c.status = ? AND c.category = ?), 0) AS total
            FROM merchants m WHERE m.id = ?`,
    },
    begin === 'counted' ? `SELECT item FROM (${records} ${limit}) AS counted` : records,
    most,
  );
  return { ...page, planAnew: plan === 'gather' };
}

/**
 * What a page begins with, read in one snapshot with the rest. Parameters: the merchant, status and category as in
 * `findCount`, and the merchant again.
 */
export const findPageHead = statement<PageRow>(
  `SELECT m.catalog_revision AS revision,
     coalesce((SELECT c.products FROM product_counts c
               WHERE c.merchant_id = ? AND c.status = ? AND c.category = ?), 0) AS total
   FROM merchants m WHERE m.id = ?`,
);

/** What identifies a product of a page, and its place in the order. */
export type KeyRow = Pick<StartRow, 'key' | 'internal_id'>;

/**
 * Lists what identifies the products of a page, in order. Parameters: the filter's values, `startValues` where
 * `from` is true, the page's size, and how many to pass over from there.
 */
export function listKeys(listing: Listing, plan: Plan, from: boolean, dialect: Dialect): Statement<KeyRow> {
  const { where, order } = clauses(listing, plan, from, dialect);
  const { field } = listing.sort;
  return {
    sql: `SELECT p.${field} AS key, ${isUnique(field) ? '0' : 'p.internal_id'} AS internal_id
          FROM products p WHERE ${where} ORDER BY ${order}
          LIMIT CAST(? AS bigint) OFFSET CAST(? AS bigint)`,
    planAnew: plan === 'gather',
  };
}

/** The column that `findSizes` finds a page's products by, and its value in a row of `listKeys`. */
export function namedBy({ sort }: Listing): { column: string; of: (row: KeyRow) => string | number } {
  return isUnique(sort.field)
    ? { column: sort.field, of: ({ key }) => key ?? '' }
    : { column: 'internal_id', of: ({ internal_id }) => internal_id ?? 0 };
}

/** The sizes of records in bytes, for `lookUp`. Parameters: merchant, values of the column. */
export function findSizes(
  column: string,
): Statement<{ name: string | number; internal_id: number; bytes: number }> {
  return statement(
    `SELECT ${column} AS name, internal_id, octet_length(record) AS bytes
     FROM products WHERE merchant_id = ? AND ${column} IN (${placesForNames})`,
  );
}

/** Records as bytes, for `lookUp`. Parameters: merchant, internal ids. */
export function findRecordBytes(dialect: Dialect): Statement<{ internal_id: number; record: Uint8Array }> {
  return statement(
    `SELECT internal_id, ${dialect.asBytes('record')} AS record
     FROM products WHERE merchant_id = ? AND internal_id IN (${placesForNames})`,
  );
}

/** The bound of a page's statement: pages of several sizes share one, as engines keep what they have prepared. */
export function powerOfTwoFrom(perPage: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(perPage, 1)));
}

/** The values for a listing's filter, the merchant's first. */
export function filterValues({ merchantId, status, category }: Listing): (string | number)[] {
  return [merchantId, ...(status === undefined ? [] : [status]), ...(category ?? [])];
}

/** The values for a product to start from; none where there is none. */
export function startValues(
  { sort }: Listing,
  start: Pick<StartRow, 'key' | 'internal_id'> | undefined,
): (string | number)[] {
  if (start === undefined || start.key === null || start.internal_id === null) return [];
  return isUnique(sort.field) ? [start.key] : [start.key, start.internal_id];
}

/** Whether no two products of a merchant have the same: then the order needs nothing else. */
function isUnique(field: SortField): boolean {
  return field === 'identifier';
}

type FilterColumn = 'status' | 'category_1' | 'category_2';

function filterColumns({ status, category }: Listing): FilterColumn[] {
  const categories = (['category_1', 'category_2'] as const).slice(0, category?.length ?? 0);
  return status === undefined ? categories : ['status', ...categories];
}

/** Whether the index that a walk goes along holds the columns of the filter, behind its keys. */
function isWalkedWithFilter({ sort: { field } }: Listing): boolean {
  return !isUnique(field);
}

/** Whether a walk goes along the index of a category: it is in creation order. */
function isWalkOfCategory({ category, sort: { field } }: Listing): boolean {
  return category !== undefined && field === 'created_at';
}

/** A value of columns that the index that a walk goes along does not hold. */
function outsideIndex(
  value: (row: string) => string,
  { sort: { field } }: Listing,
  dialect: Dialect,
): string {
  const key = ['merchant_id', isUnique(field) ? field : 'internal_id'];
  return dialect.outsideIndex(value, { table: 'products', row: 'p', key });
}

/**
 * No engine is left to guess: a column inside an expression cannot be looked up in an index, so each
 * plan hides the columns of the other one's index.
 */
function clauses(
  listing: Listing,
  plan: Plan,
  from: boolean,
  dialect: Dialect,
): { where: string; order: string } {
  const { field, direction } = listing.sort;
  const walking = plan === 'walk';
  const key = walking ? `p.${field}` : `(p.${field} ${field === 'identifier' ? "|| ''" : '+ 0'})`;
  const keys = isUnique(field) ? [key] : [key, 'p.internal_id'];
  const match = (column: FilterColumn): string => {
    const ofCategory = column !== 'status' && isWalkOfCategory(listing);
    if (!walking || hasExactIndex(listing) || ofCategory) return `p.${column} = ?`;
    const held = isWalkedWithFilter(listing)
      ? `p.${column}`
      : outsideIndex((row) => `${row}.${column}`, listing, dialect);
    return `(${held} || '') = ?`;
  };
  const conditions = ['p.merchant_id = ?'];
  // True of every product: it is in no index with the key, so that a gather is not answered by walking one.
  if (!walking) conditions.push("p.identifier <> ''");
  conditions.push(...filterColumns(listing).map(match));
  if (from) {
    const comparison = direction === 'ASC' ? '>=' : '<=';
    conditions.push(`(${keys.join(', ')}) ${comparison} (${keys.map(() => '?').join(', ')})`);
  }
  return {
    where: conditions.join(' AND '),
    order: keys.map((part) => `${part} ${direction}`).join(', '),
  };
}
