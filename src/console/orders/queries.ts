import { statement } from '../../database/database.ts';

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
