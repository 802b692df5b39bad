import { type Dialect, type Statement, statement } from '../database/database.ts';
import type { Listing } from './listing.ts';

/**
 * How a listing's products are found: `walk` goes along an index in the order asked for and passes over
 * what the filter does not match; `gather` finds all that match and sorts them.
 */
export type Plan = 'walk' | 'gather';

export interface StartRow {
  revision: number;
  /** Null, and the id too, where the listing ends before the position. */
  key: string | number | null;
  internal_id: number | null;
}

export interface PageRow {
  revision: number;
  /** Products that the filter matches. */
  total: number;
}

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

/**
 * Finds the product at a position. Parameters: the filter's values, the key and the id to start from
 * where `from` is true, how many to pass over from there, and the merchant.
 */
export function findStart(listing: Listing, plan: Plan, from: boolean): Statement<StartRow> {
  const { where, order } = clauses(listing, plan, from);
  return statement(
    `SELECT m.catalog_revision AS revision, s.key, s.internal_id
     FROM merchants m
     LEFT JOIN (SELECT p.${listing.sort.field} AS key, p.internal_id
                FROM products p WHERE ${where} ORDER BY ${order} LIMIT 1 OFFSET CAST(? AS bigint)) AS s ON true
     WHERE m.id = ?`,
  );
}

/**
 * Where a page begins: at the first product, at one whose key and id are known, or where counting from the
 * first product leads.
 */
export type Begin = 'first' | 'known' | 'counted';

/**
 * Reads a page, its revision and its filter's count, all of one moment; for `firstWithItems`. Parameters:
 * the counter's status and category, the merchant, the filter's values, the key and the id where they are
 * known, the page's size and how many to pass over where that is counted, and the page's size. `most` is
 * the page's size or the next power of two.
 */
export function readPage(
  listing: Listing,
  plan: Plan,
  begin: Begin,
  most: number,
  dialect: Dialect,
): Statement<PageRow> {
  const { where, order } = clauses(listing, plan, begin === 'known');
  const records = `SELECT p.record AS item FROM products p WHERE ${where} ORDER BY ${order}`;
  const limit = 'LIMIT CAST(? AS bigint) OFFSET CAST(? AS bigint)';
  return dialect.withItems(
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
}

/** The bound of a page's statement: pages of several sizes share one, as engines keep what they have prepared. */
export function powerOfTwoFrom(perPage: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(perPage, 1)));
}

/** The values for a listing's filter, the merchant's first. */
export function filterValues({ merchantId, status, category }: Listing): (string | number)[] {
  return [merchantId, ...(status === undefined ? [] : [status]), ...(category ?? [])];
}

/**
 * No engine is left to guess: a column inside an expression cannot be looked up in an index, so each
 * plan hides the columns of the other one's index.
 */
function clauses(listing: Listing, plan: Plan, from: boolean): { where: string; order: string } {
  const { status, category, sort } = listing;
  const exact = hasExactIndex(listing);
  const walking = plan === 'walk';
  const nothing = sort.field === 'identifier' ? "|| ''" : '+ 0';
  const key = walking ? `p.${sort.field}` : `(p.${sort.field} ${nothing})`;
  // A walk in creation order through one category passes over other states, in that category's index.
  const byCategory = !walking || sort.field === 'created_at';
  const match = (column: string, indexed: boolean): string =>
    indexed ? `p.${column} = ?` : `(p.${column} || '') = ?`;
  const conditions = ['p.merchant_id = ?'];
  // True of every product: it is in no index with the key, so that a gather is not answered by walking one.
  if (!walking) conditions.push("p.identifier <> ''");
  if (status !== undefined) conditions.push(match('status', exact || (!walking && category === undefined)));
  if (category !== undefined) {
    conditions.push(match('category_1', byCategory));
    if (category.length === 2) conditions.push(match('category_2', byCategory));
  }
  if (from) conditions.push(`(${key}, p.internal_id) ${sort.direction === 'ASC' ? '>=' : '<='} (?, ?)`);
  return {
    where: conditions.join(' AND '),
    order: `${key} ${sort.direction}, p.internal_id ${sort.direction}`,
  };
}
