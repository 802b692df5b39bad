import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import { statement } from '../../database/statement.ts';
import type { OrderChangeRow } from '../../orders/history/queries.ts';
import { type ByActor, byActor } from './queries.ts';

export interface ChangePlace {
  at: number;
  orderId: number;
  revision: number;
  part: number;
}

/** What tells a call from others: within a transaction, who made it and the ID of its request. */
export interface MadeOrderCall extends Pick<OrderChangeRow, 'at' | 'revision' | 'actor_kind' | 'actor_name'> {
  /** Empty if it has none. */
  request_id: string;
}

const callColumns = "at, revision, actor_kind, actor_name, coalesce(request_id, '') AS request_id";
const isOfField = (row: string): string => `(:field = '' OR ${row}.changes LIKE :field)`;

export type MadeOrderCallRow = MadeOrderCall & Pick<OrderChangeRow, 'order_id' | 'part'>;

/**
 * Of each call, its change of the lowest order that matches. A subquery that returns a value is not planned
 * as a join with all changes of the merchant.
 */
export const listOrderCalls = statement<
  {
    merchantId: number;
    endAt: number;
    endOrder: number;
    endRevision: number;
    endPart: number;
  } & ChangePlace &
    ByActor & { field: string; limit: number },
  MadeOrderCallRow
>(
  `SELECT c.order_id, c.part, c.at, c.revision, c.actor_kind, c.actor_name,
     coalesce(c.request_id, '') AS request_id
   FROM order_changes c
   WHERE c.merchant_id = :merchantId AND c.at <= :at
     AND (c.at, c.order_id, c.revision, c.part) < (:at, :orderId, :revision, :part)
     AND c.at >= :endAt AND (c.at, c.order_id, c.revision, c.part) >= (:endAt, :endOrder, :endRevision, :endPart)
     AND ${byActor('c.actor_kind', 'c.actor_name')} AND ${isOfField('c')}
     AND (
       SELECT other.part FROM order_changes other
       WHERE other.merchant_id = :merchantId AND other.at = c.at AND other.revision = c.revision
         AND other.actor_kind = c.actor_kind AND other.actor_name = c.actor_name
         AND coalesce(other.request_id, '') = coalesce(c.request_id, '')
         AND (other.order_id, other.part) < (c.order_id, c.part) AND ${isOfField('other')}
       LIMIT 1) IS NULL
   ORDER BY c.at DESC, c.order_id DESC, c.revision DESC, c.part DESC LIMIT :limit`,
);

/** The change after the first `skipped` ones. */
export const findOrderChangeAfter = statement<
  { merchantId: number; from: number; skipped: number } & ChangePlace,
  Pick<OrderChangeRow, 'at' | 'order_id' | 'revision' | 'part'>
>(
  `SELECT at, order_id, revision, part FROM order_changes
   WHERE merchant_id = :merchantId AND at <= :at
     AND (at, order_id, revision, part) < (:at, :orderId, :revision, :part) AND at >= :from
   ORDER BY at DESC, order_id DESC, revision DESC, part DESC LIMIT 1 OFFSET :skipped`,
);

/** The calls of these times, with how many orders each has, and how many of them it has created. */
export const sumOrderCalls = statement<Lookup<number>, MadeOrderCall & { orders: number; created: number }>(
  `SELECT ${callColumns}, CAST(count(DISTINCT order_id) AS bigint) AS orders,
     CAST(sum(CASE WHEN changes = '' THEN 1 ELSE 0 END) AS bigint) AS created
   FROM order_changes WHERE merchant_id = :merchantId AND at IN (${namesPlaceholder})
   GROUP BY at, revision, actor_kind, actor_name, coalesce(request_id, '')`,
);

/** The changes of these times, in their order. */
export const listOrderChangesAt = statement<
  Lookup<number>,
  MadeOrderCallRow & Pick<OrderChangeRow, 'changes'>
>(
  `SELECT order_id, part, ${callColumns}, changes FROM order_changes
   WHERE merchant_id = :merchantId AND at IN (${namesPlaceholder}) ORDER BY order_id, revision, part`,
);

export const listOrdersOfCall = statement<
  { merchantId: number; limit: number } & MadeOrderCall,
  { order_id: number }
>(
  `SELECT DISTINCT order_id FROM order_changes
   WHERE merchant_id = :merchantId AND at = :at AND revision = :revision AND actor_kind = :actor_kind
     AND actor_name = :actor_name AND coalesce(request_id, '') = :request_id
   ORDER BY order_id LIMIT :limit`,
);
