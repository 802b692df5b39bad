import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import { insertInto, statement, updateIn, upsertInto } from '../../database/statement.ts';
import type { OrderStatus } from './order.ts';
import type { OrderRange } from './order-ranges.ts';

/** Times are -1 for none. `data` is JSON. */
export interface OrderRow {
  merchant_id: number;
  order_id: number;
  external_id: string;
  status: OrderStatus;
  created_at: number;
  updated_at: number;
  paid_at: number;
  fulfillment_due_date: number;
  overdue_at: number | null;
  announced_due_date: number;
  product_id: number;
  /** Null if the order was canceled. */
  seller_fees: number | null;
  revision: number;
  data: string;
}

/** Without what `data` has too. */
export type StoredOrder = Omit<OrderRow, 'merchant_id' | 'product_id' | 'seller_fees'>;

/** What calls of merchants change. */
const stateColumns = [
  'status',
  'updated_at',
  'overdue_at',
  'revision',
  'data',
] as const satisfies (keyof OrderRow)[];

const changingColumns = [
  'created_at',
  'paid_at',
  'fulfillment_due_date',
  ...stateColumns,
] as const satisfies (keyof OrderRow)[];

export const orderColumns = ['order_id', 'external_id', 'announced_due_date', ...changingColumns].join(', ');

/** For `lookUp`. */
export const findOrdersByIds = statement<Lookup<number>, StoredOrder>(
  `SELECT ${orderColumns} FROM orders WHERE merchant_id = :merchantId AND order_id IN (${namesPlaceholder})`,
);

/** For `lookUp`. */
export const findOrdersByExternalIds = statement<Lookup<string>, StoredOrder>(
  `SELECT ${orderColumns} FROM orders
   WHERE merchant_id = :merchantId AND external_id IN (${namesPlaceholder})`,
);

export const insertOrder = insertInto<OrderRow>('orders', [
  'merchant_id',
  'order_id',
  'external_id',
  'announced_due_date',
  'product_id',
  'seller_fees',
  ...changingColumns,
]);

export const updateOrder = updateIn<Omit<OrderRow, 'external_id' | 'announced_due_date' | 'product_id'>>(
  'orders',
  ['merchant_id', 'order_id'],
  ['seller_fees', ...changingColumns],
);

/** Changes fewer indexes: SQLite writes each index of a column that is set, also to the same value. */
export const updateOrderState = updateIn<
  Pick<OrderRow, 'merchant_id' | 'order_id' | (typeof stateColumns)[number]>
>('orders', ['merchant_id', 'order_id'], stateColumns);

/** Without a row, the merchant has no orders. */
export interface OrderCounters {
  revision: number;
  moved_revision: number;
  last_order_id: number;
  /** Not later than `overdue_at` of any order; null if no order has one. */
  next_overdue_at: number | null;
}

export const findOrderCounters = statement<{ merchantId: number }, OrderCounters>(
  `SELECT revision, moved_revision, last_order_id, next_overdue_at FROM order_counters
   WHERE merchant_id = :merchantId`,
);

/** Marks the orders as changed since the last event that announced changes. */
export const setOrderCounters = statement<{ merchantId: number } & OrderCounters, never>(
  `INSERT INTO order_counters (merchant_id, revision, moved_revision, last_order_id, next_overdue_at)
   VALUES (:merchantId, :revision, :moved_revision, :last_order_id, :next_overdue_at)
   ON CONFLICT (merchant_id) DO UPDATE SET revision = excluded.revision,
     moved_revision = excluded.moved_revision, last_order_id = excluded.last_order_id,
     next_overdue_at = excluded.next_overdue_at, unannounced = 1`,
);

interface OrderCount {
  merchant_id: number;
  status: OrderStatus;
  orders: number;
}

export const addToOrderCount = upsertInto<OrderCount>(
  'order_counts',
  ['merchant_id', 'status'],
  ['orders'],
  'DO UPDATE SET orders = order_counts.orders + excluded.orders',
);

export const listOrderCounts = statement<{ merchantId: number }, Omit<OrderCount, 'merchant_id'>>(
  'SELECT status, orders FROM order_counts WHERE merchant_id = :merchantId',
);

export const addToOrderRange = upsertInto<OrderRange & { merchant_id: number; orders: number }>(
  'order_ranges',
  ['merchant_id', 'field', 'status', 'number'],
  ['orders'],
  'DO UPDATE SET orders = order_ranges.orders + excluded.orders',
);

/** `data` is encrypted. `closed_at` is null while the order is open. */
export interface CustomerRow {
  merchant_id: number;
  order_id: number;
  key: string;
  data: Uint8Array;
  closed_at: number | null;
}

/** For `lookUp`. */
export const findCustomers = statement<Lookup<number>, Omit<CustomerRow, 'merchant_id'>>(
  `SELECT order_id, key, data, closed_at FROM order_customers
   WHERE merchant_id = :merchantId AND order_id IN (${namesPlaceholder})`,
);

/** The row may exist, also if the key of its data was destroyed. */
export const putCustomer = upsertInto<CustomerRow>(
  'order_customers',
  ['merchant_id', 'order_id'],
  ['key', 'data', 'closed_at'],
  'DO UPDATE SET key = excluded.key, data = excluded.data, closed_at = excluded.closed_at',
);

export const setClosedAt = updateIn<Pick<CustomerRow, 'merchant_id' | 'order_id' | 'closed_at'>>(
  'order_customers',
  ['merchant_id', 'order_id'],
  ['closed_at'],
);

/** `word` begins with `id:`, or with `name:` if it is a keyed hash of a word of the customer's name. */
export interface WordRow {
  merchant_id: number;
  word: string;
  order_id: number;
}

/** Deletes the words of an order's customer. */
export const deleteNameWords = statement<{ merchantId: number; orderId: number }, never>(
  `DELETE FROM order_words WHERE merchant_id = :merchantId AND order_id = :orderId AND word LIKE 'name:%'`,
);

export const insertWord = upsertInto<WordRow>(
  'order_words',
  ['merchant_id', 'word', 'order_id'],
  [],
  'DO NOTHING',
);
