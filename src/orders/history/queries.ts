import type { ChangeAuthor } from '../../audit/change-author.ts';
import { statement, upsertInto } from '../../database/statement.ts';

/** One change of an order. */
export interface OrderChangeRow extends ChangeAuthor {
  merchant_id: number;
  order_id: number;
  /** The revision of the merchant's orders after it. */
  revision: number;
  /** Counts from 0. Calls that arrive together, and lines of a batch or an import, share a revision. */
  part: number;
  /** JSON of an `OrderDiff`; '' for the creation. */
  changes: string;
}

/** Part of the statement that writes the orders. No row with the key can exist. */
export const insertOrderChange = upsertInto<OrderChangeRow>(
  'order_changes',
  ['merchant_id', 'order_id', 'revision', 'part'],
  ['at', 'actor_kind', 'actor_name', 'request_id', 'import_id', 'changes'],
  'DO NOTHING',
);

/** The changes of an order before a position, newest first. */
export const listOrderChanges = statement<
  { merchantId: number; orderId: number; revision: number; part: number; limit: number },
  Omit<OrderChangeRow, 'merchant_id' | 'order_id'>
>(
  `SELECT revision, part, at, actor_kind, actor_name, request_id, import_id, changes FROM order_changes
   WHERE merchant_id = :merchantId AND order_id = :orderId AND (revision, part) < (:revision, :part)
   ORDER BY revision DESC, part DESC LIMIT :limit`,
);

/** The time of the old change that has `offset` older ones of its merchant. */
export const findOldOrderChange = statement<
  { merchantId: number; before: number; offset: number },
  { at: number }
>(
  `SELECT at FROM order_changes WHERE merchant_id = :merchantId AND at < :before
   ORDER BY at LIMIT 1 OFFSET :offset`,
);

export const deleteOrderChanges = statement<{ merchantId: number; upTo: number }, never>(
  'DELETE FROM order_changes WHERE merchant_id = :merchantId AND at <= :upTo',
);
