import type { Database } from '../../database/database.ts';
import { type ListedChanges, listedChange } from '../../products/history/listed-changes.ts';
import type { ValueChange } from '../../products/record/product-diff.ts';
import { decodeCursor, encodeCursor } from '../../sync/cursor.ts';
import { requireOrder } from '../record/require-order.ts';
import type { OrderDiff } from './order-diff.ts';
import { listOrderChanges } from './queries.ts';

/** A field that a change of an order has changed. */
export interface ChangedOrderValue {
  field: string;
  /** The place of the package that has the field, from 1; null for another field. */
  package: number | null;
  /** The place of the refund that has the field, from 1; null for another field. */
  refund: number | null;
  from: string | number | null;
  to: string | number | null;
}

/** Before every change. */
const NEWEST = [Number.MAX_SAFE_INTEGER, 0] as const;

/**
 * Lists the changes of an order, newest first, and at last its creation, as far as they are recorded.
 * @throws {DomainError} `order_not_found`; `invalid_parameters` for a cursor of another list
 */
export async function listOrderHistory(
  database: Pick<Database, 'all' | 'first'>,
  { merchantId, orderId }: { merchantId: number; orderId: number },
  { perPage, after }: { perPage: number; after: string | undefined },
): Promise<ListedChanges<ChangedOrderValue>> {
  await requireOrder(database, merchantId, orderId);
  const list = { merchantId, listing: `history of order ${orderId}` };
  const [revision, part] =
    after === undefined ? NEWEST : decodeCursor('after', after, list, ['integer', 'integer']);
  const start = { merchantId, orderId, revision, part };
  const rows = await database.all(listOrderChanges, { ...start, limit: perPage + 1 });
  const listed = rows.slice(0, perPage);
  const last = listed.at(-1) ?? start;
  return {
    results: listed.map(({ changes, ...author }) => {
      const { action, values } = readOrderChange(changes);
      return listedChange(author, action, values);
    }),
    cursor: encodeCursor(list, [last.revision, last.part]),
    more: rows.length > perPage,
  };
}

/** Returns what the column `changes` of an order's change says. */
export function readOrderChange(changes: string): {
  action: 'created' | 'changed';
  values: ChangedOrderValue[];
} {
  if (changes === '') return { action: 'created', values: [] };
  return { action: 'changed', values: shown(JSON.parse(changes) as OrderDiff) };
}

function shown({ fields = {}, packages = [], refunds = [] }: OrderDiff): ChangedOrderValue[] {
  return [
    ...shownFields(fields, { package: null, refund: null }),
    ...packages.flatMap(([place, of]) => shownFields(of, { package: place, refund: null })),
    ...refunds.flatMap(([place, of]) => shownFields(of, { package: null, refund: place })),
  ];
}

function shownFields(
  fields: Readonly<Record<string, ValueChange>>,
  of: Pick<ChangedOrderValue, 'package' | 'refund'>,
): ChangedOrderValue[] {
  return Object.entries(fields).map(([field, [from, to]]) => ({ field, ...of, from, to }));
}
