import type { Dialect } from '../../database/database.ts';
import { type Statement, statement } from '../../database/statement.ts';

export const deleteCustomer = statement<{ merchantId: number; orderId: number }, never>(
  'DELETE FROM order_customers WHERE merchant_id = :merchantId AND order_id = :orderId',
);

/** Reads every node of a cluster: only the process that numbers events runs it. */
export const listMerchantsToErase = statement<{ before: number; limit: number }, { merchant_id: number }>(
  `SELECT DISTINCT merchant_id FROM order_customers WHERE closed_at < :before
   LIMIT CAST(:limit AS bigint)`,
  { everyNode: true },
);

export const listOrdersToErase = statement<
  { merchantId: number; before: number; limit: number },
  { order_id: number }
>(
  `SELECT order_id FROM order_customers WHERE merchant_id = :merchantId AND closed_at < :before
   ORDER BY closed_at LIMIT CAST(:limit AS bigint)`,
);

/** The names of all keys in use. It reads every node of a cluster. */
export const listCustomerKeys = statement<unknown, { name: string }>(
  'SELECT DISTINCT key AS name FROM order_customers',
  { everyNode: true },
);

/** The names of all keys that were in use when keys were last destroyed, or before. */
export const listFormerKeys = statement<unknown, { name: string }>('SELECT name FROM customer_keys');

export const insertFormerKey = statement<{ name: string }, never>(
  'INSERT INTO customer_keys (name) VALUES (:name) ON CONFLICT (name) DO NOTHING',
);

/** In milliseconds since 1970. */
export function readClock({ clock }: Pick<Dialect, 'clock'>): Statement<unknown, { now: number }> {
  return statement(`SELECT ${clock} / 1000 AS now`);
}

/** Names of keys begin with their month. Reads every node: only the process that numbers events runs it. */
export const listMerchantsWithOldKeys = statement<
  { after: number; month: string; limit: number },
  { merchant_id: number }
>(
  `SELECT DISTINCT merchant_id FROM order_customers WHERE merchant_id > :after AND key < :month
   ORDER BY merchant_id LIMIT CAST(:limit AS bigint)`,
  { everyNode: true },
);

export const listWithOldKeys = statement<
  { merchantId: number; after: number; month: string; limit: number },
  { order_id: number; closed_at: number | null }
>(
  `SELECT order_id, closed_at FROM order_customers
   WHERE merchant_id = :merchantId AND order_id > :after AND key < :month
   ORDER BY order_id LIMIT CAST(:limit AS bigint)`,
);
