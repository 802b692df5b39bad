import type { RecordFields } from '../../api-keys/record-fields.ts';
import type { Dialect } from '../../database/database.ts';
import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import { type Statement, statement } from '../../database/statement.ts';
import { shownRecord } from '../record/queries.ts';
import type { CountKey, Listing, SortField } from './listing.ts';
import { type Revisions, revisionColumns, selectedRevisions } from './revisions.ts';

/**
 * `walk` follows an index in the requested order and skips products that the filter does not match; `gather`
 * finds all matching products and sorts them.
 */
export type Plan = 'walk' | 'gather';

export interface StartRow extends Revisions {
  /** Null, like the id, if the listing ends before the position. */
  key: string | number | null;
  /** 0 if the key alone identifies the product. */
  internal_id: number | null;
}

export interface PageRow extends Revisions {
  total: number;
}

/** A filter that is not set has no value. */
export interface FilterValues {
  merchantId: number;
  status?: string;
  category1?: string;
  category2?: string;
}

/** The product to start from; both are missing if there is none. */
export interface StartValues {
  startKey?: string | number;
  startId?: number;
}

/** Where to begin: at the first product, or at or after the product of `StartValues`. */
export type From = 'first' | 'at' | 'after';

interface Slice {
  limit: number;
  offset: number;
}

/**
 * The maximum bytes of records that one statement concatenates, which takes a few milliseconds of the event
 * loop. Larger pages omit the largest records and are read in steps.
 */
export const MAX_JOINED_BYTES = 4 * 1024 * 1024;

/** Larger pages are read off the event loop: a thousand products take 5 to 10 ms. */
export const MAX_RECORDS_ON_LOOP = 200;

export const findCount = statement<{ merchantId: number } & CountKey, { products: number }>(
  `SELECT products FROM product_counts
   WHERE merchant_id = :merchantId AND status = :countedStatus AND category = :countedCategory`,
);

/** Whether an index has both the filter's columns and the listing's order, so that a walk skips nothing. */
export function hasExactIndex({ status, category, sort }: Listing): boolean {
  if (status === undefined && category === undefined) return true;
  if (category === undefined) return sort.field === 'created_at' || sort.field === 'updated_at';
  return status === undefined && sort.field === 'created_at';
}

/** Whether a walk can check the filter without looking up rows. */
export function isFilteredInIndex(listing: Listing): boolean {
  return filterColumns(listing).length === 0 || walkIndexHasFilter(listing);
}

/** Finds the product `offset` places after the one to begin with. */
export function findStart(
  listing: Listing,
  plan: Plan,
  from: From,
  dialect: Dialect,
): Statement<FilterValues & StartValues & { offset: number }, StartRow> {
  const { where, order } = clauses(listing, plan, from, dialect);
  const { field } = listing.sort;
  const id = isUnique(field) ? '0' : 'p.internal_id';
  return statement(
    `SELECT ${selectedRevisions}, s.key, s.internal_id
     FROM merchant_counters r
     LEFT JOIN (SELECT p.${field} AS key, ${id} AS internal_id
                FROM products p WHERE ${where} ORDER BY ${order} LIMIT 1 OFFSET CAST(:offset AS bigint)) AS s ON true
     WHERE r.merchant_id = :merchantId`,
    { planEachTime: plan === 'gather' },
  );
}

/** As `From`, or `offset` products after the first one. */
export type PageStart = From | 'counted';

/**
 * Reads a page, its revisions and its total from one consistent state; for `firstWithItems`. `roundedSize` is
 * the page's size rounded up to a power of two. Items are as `shownRecord` says; records that are too large
 * for a statement are omitted.
 */
export function readPage(
  listing: Listing,
  plan: Plan,
  start: PageStart,
  { roundedSize, fields }: { roundedSize: number; fields: RecordFields },
  dialect: Dialect,
): Statement<FilterValues & StartValues & CountKey & { limit: number; offset?: number }, PageRow> {
  const { where, order } = clauses(listing, plan, start === 'counted' ? 'first' : start, dialect);
  const maxRecordBytes = Math.floor(MAX_JOINED_BYTES / roundedSize);
  const value = (row: string): string =>
    `CASE WHEN octet_length(${row}.record) <= ${maxRecordBytes} THEN ${shownRecord(row, fields)} END`;
  const record =
    plan === 'gather' || hasExactIndex(listing) ? value('p') : outsideIndex(value, listing, dialect);
  const records = `SELECT ${record} AS item FROM products p WHERE ${where} ORDER BY ${order}`;
  const page = dialect.withItems<FilterValues & StartValues & CountKey & { offset?: number }, PageRow>(
    {
      columns: [...revisionColumns, 'total'],
      sql: `SELECT ${selectedRevisions},
              coalesce((SELECT c.products FROM product_counts c
                        WHERE c.merchant_id = :merchantId AND c.status = :countedStatus AND c.category = :countedCategory), 0) AS total
            FROM merchant_counters r WHERE r.merchant_id = :merchantId`,
    },
    start === 'counted' ? `SELECT item FROM (${records} ${WINDOW}) AS counted` : records,
    roundedSize,
  );
  return { ...page, planEachTime: plan === 'gather' };
}

const WINDOW = 'LIMIT CAST(:limit AS bigint) OFFSET CAST(:offset AS bigint)';

export const findPageHead = statement<{ merchantId: number } & CountKey, PageRow>(
  `SELECT ${selectedRevisions},
     coalesce((SELECT c.products FROM product_counts c
               WHERE c.merchant_id = :merchantId AND c.status = :countedStatus
                 AND c.category = :countedCategory), 0) AS total
   FROM merchant_counters r WHERE r.merchant_id = :merchantId`,
);

export type SortKeyRow = Pick<StartRow, 'key' | 'internal_id'>;

export function listKeys(
  listing: Listing,
  plan: Plan,
  from: From,
  dialect: Dialect,
): Statement<FilterValues & StartValues & Slice, SortKeyRow> {
  const { where, order } = clauses(listing, plan, from, dialect);
  const { field } = listing.sort;
  return statement(
    `SELECT p.${field} AS key, ${isUnique(field) ? '0' : 'p.internal_id'} AS internal_id
     FROM products p WHERE ${where} ORDER BY ${order} ${WINDOW}`,
    { planEachTime: plan === 'gather' },
  );
}

/** Returns the column for `findSizes`, and how to read its value from a row of `listKeys`. */
export function identifyingColumn({ sort }: Listing): {
  column: string;
  readFrom: (row: SortKeyRow) => string | number;
} {
  return isUnique(sort.field)
    ? { column: sort.field, readFrom: ({ key }) => key ?? '' }
    : { column: 'internal_id', readFrom: ({ internal_id }) => internal_id ?? 0 };
}

/** Finds records' sizes in bytes by values of a column; for `lookUp`. */
export function findSizes(
  column: string,
): Statement<Lookup<string | number>, { name: string | number; internal_id: number; bytes: number }> {
  return statement(
    `SELECT ${column} AS name, internal_id, octet_length(record) AS bytes
     FROM products WHERE merchant_id = :merchantId AND ${column} IN (${namesPlaceholder})`,
  );
}

/** Finds the bytes of what `shownRecord` returns; for `lookUp`. */
export function findRecordBytes(
  dialect: Dialect,
  fields: RecordFields,
): Statement<Lookup<number>, { internal_id: number; record: Uint8Array }> {
  return statement(
    `SELECT internal_id, ${dialect.asBytes(shownRecord('p', fields))} AS record
     FROM products p WHERE p.merchant_id = :merchantId AND p.internal_id IN (${namesPlaceholder})`,
  );
}

/** Pages of similar sizes share one prepared statement. */
export function powerOfTwoFrom(perPage: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(perPage, 1)));
}

export function filterValues({ merchantId, status, category }: Listing): FilterValues {
  const [category1, category2] = category ?? [];
  return {
    merchantId,
    ...(status !== undefined && { status }),
    ...(category1 !== undefined && { category1 }),
    ...(category2 !== undefined && { category2 }),
  };
}

/** Returns nothing if there is no start or the listing ended before it. */
export function startValues(start: SortKeyRow | undefined): StartValues {
  if (start === undefined || start.key === null || start.internal_id === null) return {};
  return { startKey: start.key, startId: start.internal_id };
}

function isUnique(field: SortField): boolean {
  return field === 'identifier';
}

const FILTER_PARAMETERS = {
  status: 'status',
  category_1: 'category1',
  category_2: 'category2',
} as const satisfies Record<string, keyof FilterValues>;

type FilterColumn = keyof typeof FILTER_PARAMETERS;

function filterColumns({ status, category }: Listing): FilterColumn[] {
  const categories = (['category_1', 'category_2'] as const).slice(0, category?.length ?? 0);
  return status === undefined ? categories : ['status', ...categories];
}

/** Every sort's index except the one on `identifier` contains the filter columns. */
function walkIndexHasFilter({ sort: { field } }: Listing): boolean {
  return !isUnique(field);
}

/** A category's index is in creation order. */
function walksCategoryIndex({ category, sort: { field } }: Listing): boolean {
  return category !== undefined && field === 'created_at';
}

/**
 * Reads columns outside the walk's index. On PostgreSQL, looks the row up separately, so that the planner
 * chooses the index.
 */
function outsideIndex(
  value: (row: string) => string,
  { sort: { field } }: Listing,
  dialect: Dialect,
): string {
  const key = isUnique(field) ? field : 'internal_id';
  return dialect.outsideIndex(value, { table: 'products', row: 'p', merchantId: ':merchantId', key });
}

/**
 * Forces the engine to use the plan. It cannot use an index for a column inside an expression, so each plan
 * wraps the columns of the other plan's index.
 */
function clauses(
  listing: Listing,
  plan: Plan,
  from: From,
  dialect: Dialect,
): { where: string; order: string } {
  const { field, direction } = listing.sort;
  const walking = plan === 'walk';
  const key = walking ? `p.${field}` : `(p.${field} ${field === 'identifier' ? "|| ''" : '+ 0'})`;
  const keys = isUnique(field) ? [key] : [key, 'p.internal_id'];
  const match = (column: FilterColumn): string => {
    const parameter = `:${FILTER_PARAMETERS[column]}`;
    const isInCategoryIndex = column !== 'status' && walksCategoryIndex(listing);
    if (!walking || hasExactIndex(listing) || isInCategoryIndex) return `p.${column} = ${parameter}`;
    const expression = walkIndexHasFilter(listing)
      ? `p.${column}`
      : outsideIndex((row) => `${row}.${column}`, listing, dialect);
    return `(${expression} || '') = ${parameter}`;
  };
  const conditions = ['p.merchant_id = :merchantId'];
  // True for every product. Of the sort indexes, only the one on `identifier` has this column, so the engine
  // does not scan another one to gather the products.
  if (!walking) conditions.push("p.identifier <> ''");
  conditions.push(...filterColumns(listing).map(match));
  if (from !== 'first') {
    const comparison = (direction === 'ASC' ? '>' : '<') + (from === 'at' ? '=' : '');
    const start = isUnique(field) ? ':startKey' : ':startKey, :startId';
    conditions.push(`(${keys.join(', ')}) ${comparison} (${start})`);
  }
  return {
    where: conditions.join(' AND '),
    order: keys.map((part) => `${part} ${direction}`).join(', '),
  };
}
