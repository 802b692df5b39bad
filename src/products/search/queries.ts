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

/** Lists products in the order of a list, from the first one or after a known one. */
export function listInOrder(
  { field, direction }: Sort,
  from: 'first' | 'after',
): Statement<{ merchantId: number; limit: number; key?: string | number; internalId?: number }, SortKey> {
  // No two products have the same identifier, so its index has no further columns.
  const [columns, place] =
    field === 'identifier' ? [[field], ':key'] : [[field, 'internal_id'], ':key, :internalId'];
  const after =
    from === 'first' ? '' : `AND (${columns.join(', ')}) ${direction === 'ASC' ? '>' : '<'} (${place})`;
  return statement(
    `SELECT ${field} AS key, internal_id FROM products
     WHERE merchant_id = :merchantId ${after}
     ORDER BY ${columns.map((column) => `${column} ${direction}`).join(', ')} LIMIT CAST(:limit AS bigint)`,
  );
}
