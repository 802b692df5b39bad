import { statement } from '../../database/statement.ts';
import { orderColumns, type StoredOrder } from '../../orders/record/queries.ts';

/** Counts orders to ship that are due from a time on and before another one, up to `limit`. */
export const countDue = statement<
  { merchantId: number; from: number; before: number; limit: number },
  { orders: number }
>(
  `SELECT count(*) AS orders FROM (
     SELECT order_id FROM orders
     WHERE merchant_id = :merchantId AND status = 'paid'
       AND fulfillment_due_date >= :from AND fulfillment_due_date < :before
     LIMIT CAST(:limit AS bigint)) AS due`,
);

/**
 * Lists orders to ship, earliest due first, after the place of an order. Without an end of the due dates:
 * with one, SQLite would use an index without the status.
 */
export const listDueAfter = statement<
  { merchantId: number; dueAfter: number; orderId: number; limit: number },
  StoredOrder
>(
  `SELECT ${orderColumns} FROM orders
   WHERE merchant_id = :merchantId AND status = 'paid'
     AND (fulfillment_due_date, order_id) > (:dueAfter, :orderId)
   ORDER BY fulfillment_due_date, order_id LIMIT :limit`,
);
