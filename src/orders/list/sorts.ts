import { type Statement, statement } from '../../database/database.ts';
import type { OrderStatus } from '../record/order.ts';
import { orderColumns, type StoredOrder } from '../record/queries.ts';

/** The orders of lists, by their names in requests. Ties are broken by `order_id` in the same direction. */
export const sorts = {
  id_desc: { field: 'order_id', direction: 'DESC' },
  id_asc: { field: 'order_id', direction: 'ASC' },
  fulfillment_due_date_desc: { field: 'fulfillment_due_date', direction: 'DESC' },
  fulfillment_due_date_asc: { field: 'fulfillment_due_date', direction: 'ASC' },
  paid_at_desc: { field: 'paid_at', direction: 'DESC' },
  paid_at_asc: { field: 'paid_at', direction: 'ASC' },
} as const;
export type SortName = keyof typeof sorts;

/** The orders that a filter selects: all, or those with one status. */
export const filters = {
  unfulfilled: 'paid',
  fulfilled: 'shipped',
  refunded: 'refunded',
  all: undefined,
} as const satisfies Record<string, OrderStatus | undefined>;
export type FilterName = keyof typeof filters;

/** The place of an order in a list. */
export interface Place {
  key: number;
  order_id: number;
}

/** `created_after` is a time before all others for lists that do not select by it. */
interface Selection {
  merchantId: number;
  status: string;
  createdAfter: number;
}

type From = Selection & Place & { limit: number; offset: number };

interface ListStatements {
  /** Orders from a place on, including the order at the place. */
  from: Statement<From, StoredOrder>;
  /** The place of the order that is `offset` orders after the first or after a place. */
  find: Statement<From, Place>;
  count: Statement<Selection, { orders: number }>;
}

const statements = new Map<string, ListStatements>();

/** Returns the statements of a list; `isDated` says whether it selects by the time of creation. */
export function statementsFor(sort: SortName, hasStatus: boolean, isDated: boolean): ListStatements {
  const found = statements.get(nameOf(sort, hasStatus, isDated));
  if (found === undefined) throw new Error(`there are no statements for ${sort}`);
  return found;
}

function nameOf(sort: SortName, hasStatus: boolean, isDated: boolean): string {
  return `${sort} ${hasStatus} ${isDated}`;
}

for (const [sort, { field, direction }] of Object.entries(sorts)) {
  for (const hasStatus of [false, true]) {
    for (const isDated of [false, true]) {
      const where = [
        'merchant_id = :merchantId',
        ...(hasStatus ? ['status = :status'] : []),
        ...(isDated ? ['created_at > :createdAfter'] : []),
      ].join(' AND ');
      const operator = direction === 'ASC' ? '>=' : '<=';
      const place =
        field === 'order_id'
          ? `order_id ${operator} :order_id`
          : `(${field}, order_id) ${operator} (:key, :order_id)`;
      const order =
        field === 'order_id' ? `order_id ${direction}` : `${field} ${direction}, order_id ${direction}`;
      const tail = `FROM orders WHERE ${where} AND ${place} ORDER BY ${order} LIMIT :limit OFFSET :offset`;
      statements.set(nameOf(sort as SortName, hasStatus, isDated), {
        from: statement(`SELECT ${orderColumns} ${tail}`),
        find: statement(`SELECT ${field} AS key, order_id ${tail}`),
        count: statement(`SELECT count(*) AS orders FROM orders WHERE ${where}`, { planEachTime: isDated }),
      });
    }
  }
}
