import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import { type Statement, statement } from '../../database/statement.ts';
import type { Sort, SortField } from '../list/listing.ts';

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

export interface OrderedPart {
  /** Internal ids, separated by commas; null if there are none. */
  ids: string | null;
  last_key: string | number | null;
}

/**
 * Lists the next products in order. In one row: rows for thousands of products take several times as long.
 */
export function listInOrder(
  { field, direction }: Sort,
  from: 'first' | 'after',
): Statement<{ merchantId: number; limit: number; key?: string | number; internalId?: number }, OrderedPart> {
  // Identifiers are unique, so their index has no further columns.
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
