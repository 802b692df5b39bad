import { type Statement, statement } from '../../database/database.ts';
import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import type { Sort, SortField } from '../list/listing.ts';

/** A product's place in an order. */
export interface SortKey {
  key: string | number;
  internal_id: number;
}

/** Finds the places of products in the order of a field; for `lookUp`. */
export function findSortKeys(field: SortField): Statement<Lookup<number>, SortKey> {
  return statement(
    `SELECT ${field} AS key, internal_id FROM products
     WHERE merchant_id = :merchantId AND internal_id IN (${namesPlaceholder})`,
  );
}

/** A part of a merchant's products, in order. */
export interface OrderedPart {
  /** Internal ids, separated by commas; null if there are none. */
  ids: string | null;
  /** The key of the last one. */
  last_key: string | number | null;
}

/**
 * Lists the next products in the order of a list: from the first one, or after a known one. In one row, because a row for
 * each of thousands of products takes several times as long.
 */
export function listInOrder(
  { field, direction }: Sort,
  from: 'first' | 'after',
): Statement<{ merchantId: number; limit: number; key?: string | number; internalId?: number }, OrderedPart> {
  // No two products have the same identifier, so its index has no further columns.
  const [columns, place] =
    field === 'identifier' ? [[field], ':key'] : [[field, 'internal_id'], ':key, :internalId'];
  const [comparison, last] = direction === 'ASC' ? ['>', 'max'] : ['<', 'min'];
  const after = from === 'first' ? '' : `AND (${columns.join(', ')}) ${comparison} (${place})`;
  return statement(
    `SELECT string_agg(CAST(internal_id AS text), ',') AS ids, ${last}(sort_key) AS last_key
     FROM (SELECT ${field} AS sort_key, internal_id FROM products
           WHERE merchant_id = :merchantId ${after}
           ORDER BY ${columns.map((column) => `${column} ${direction}`).join(', ')}
           LIMIT CAST(:limit AS bigint)) AS part`,
  );
}
