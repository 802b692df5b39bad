import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import { statement } from '../../database/statement.ts';
import type { OrderStatus } from '../record/order.ts';

/** The order of the results: newest first. */
export const listOrdersWithWord = statement<
  { merchantId: number; word: string; limit: number },
  { order_id: number }
>(
  `SELECT order_id FROM order_words WHERE merchant_id = :merchantId AND word = :word
   ORDER BY order_id DESC LIMIT CAST(:limit AS bigint)`,
);

/** The first word after another one, and before the end of a range. */
export const findNextWord = statement<{ merchantId: number; after: string; end: string }, { word: string }>(
  `SELECT word FROM order_words WHERE merchant_id = :merchantId AND word > :after AND word < :end
   ORDER BY word LIMIT 1`,
);

/** Orders whose external ID is in a range, including its beginning. */
export const listOrdersFromExternalId = statement<
  { merchantId: number; from: string; end: string; limit: number },
  { order_id: number }
>(
  `SELECT order_id FROM orders WHERE merchant_id = :merchantId AND external_id >= :from AND external_id < :end
   ORDER BY external_id LIMIT CAST(:limit AS bigint)`,
);

/** For `lookUp`. */
export const findStatuses = statement<
  Lookup<number>,
  { order_id: number; status: OrderStatus; created_at: number }
>(
  `SELECT order_id, status, created_at FROM orders
   WHERE merchant_id = :merchantId AND order_id IN (${namesPlaceholder})`,
);
