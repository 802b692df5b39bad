import {
  type FindRecord,
  type NewestPlace,
  ofSide,
  type RecordOfPlace,
  recordWithPage,
} from '../../database/lists-of-all.ts';
import { type Lookup, namesPlaceholder } from '../../database/look-up.ts';
import type { Mode } from '../../database/sides.ts';
import { type Statement, statement } from '../../database/statement.ts';
import type { OrderStatus } from '../record/order.ts';
import type { StoredOrder } from '../record/queries.ts';

type NewestStatement = Statement<
  NewestPlace & { status: OrderStatus; since: number; limit: number },
  NewestPlace
>;

const placeColumns = 'merchant_id AS "merchantId", order_id AS id, created_at AS "createdAt"';

function listNewest(side: Mode): NewestStatement {
  return statement(
    `SELECT ${placeColumns} FROM orders
     WHERE ${ofSide[side]} AND status = :status AND created_at >= :since
       AND (created_at, merchant_id, order_id) < (:createdAt, :merchantId, :id)
     ORDER BY created_at DESC, merchant_id DESC, order_id DESC LIMIT CAST(:limit AS bigint)`,
    { everyNode: true },
  );
}

/** Lists the orders of a status of all merchants, newest first. */
export const listNewestOfAll: Readonly<Record<Mode, NewestStatement>> = {
  live: listNewest('live'),
  test: listNewest('test'),
};

type OfMerchantStatement = Statement<
  NewestPlace & { status: string; since: number; limit: number },
  NewestPlace
>;

function listOfMerchant(hasStatus: boolean): OfMerchantStatement {
  return statement(
    `SELECT ${placeColumns} FROM orders
     WHERE merchant_id = :merchantId AND created_at >= :since AND status ${hasStatus ? '=' : '<>'} :status
       AND (created_at, order_id) < (:createdAt, :id)
     ORDER BY created_at DESC, order_id DESC LIMIT CAST(:limit AS bigint)`,
    { offLoop: true },
  );
}

/** Lists one merchant's orders, newest first. Those of a rare status are found among all, in an index. */
export const listNewestOfMerchant = {
  ofStatus: listOfMerchant(true),
  /** With the status ''. */
  ofAny: listOfMerchant(false),
};

/** For `lookUp`. */
export const findListed = statement<Lookup<number>, RecordOfPlace & Omit<StoredOrder, 'order_id' | 'data'>>(
  `SELECT merchant_id, order_id AS id, external_id, announced_due_date, status, created_at, updated_at,
     paid_at, fulfillment_due_date, overdue_at, revision, ${recordWithPage('data')}
   FROM orders WHERE merchant_id = :merchantId AND order_id IN (${namesPlaceholder})`,
);

/** Reads the data of an order, of any size. */
export const findLargeOrder: FindRecord = statement(
  'SELECT data AS record FROM orders WHERE merchant_id = :merchantId AND order_id = :id',
);

interface Ranges {
  /** Of words (`identifierWord`). */
  word: string;
  wordEnd: string;
  /** Of external IDs as they were sent, and in upper case. */
  from: string;
  end: string;
  upperFrom: string;
  upperEnd: string;
  /** 0 for none. */
  orderId: number;
}

/** `after` and `until` are excluded. */
type MerchantsWithOrder = Ranges & { after: number; until: number; limit: number };

/**
 * Lists merchants that have an order with an ID or a word. Looks into the indexes of one merchant after the
 * other until there are enough.
 */
export const listMerchantsWithOrder = statement<MerchantsWithOrder, { merchant_id: number }>(
  `SELECT merchant_id FROM order_counters
   WHERE merchant_id > :after AND merchant_id < :until AND (
     ${exists('order_words', 'found.word >= :word AND found.word < :wordEnd')}
     OR ${exists('orders', 'found.external_id >= :from AND found.external_id < :end')}
     OR ${exists('orders', 'found.external_id >= :upperFrom AND found.external_id < :upperEnd')}
     OR ${exists('orders', 'found.order_id = :orderId')}
   )
   ORDER BY merchant_id LIMIT CAST(:limit AS bigint)`,
  { everyNode: true, offLoop: true },
);

/** The second comparison keeps PostgreSQL from reading the range of all merchants into a hash table first. */
function exists(table: string, condition: string): string {
  return `EXISTS (SELECT 1 FROM ${table} AS found WHERE found.merchant_id = order_counters.merchant_id
    AND found.merchant_id <= order_counters.merchant_id AND ${condition})`;
}
