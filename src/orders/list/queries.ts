import { type Statement, statement } from '../../database/statement.ts';
import type { Announcement, UnannouncedChanges } from '../../event-feed/announce-changes.ts';
import { orderColumns, type StoredOrder } from '../record/queries.ts';
import { type SortName, sorts } from './sorts.ts';

/** The place of an order in a list. */
export interface Place {
  key: number;
  order_id: number;
}

/** `createdAfter` is a time before all others for lists that do not select by it. */
interface Selection {
  merchantId: number;
  status: string;
  createdAfter: number;
  productId: number;
  paidFrom: number;
  paidUntil: number;
}

/** What a list selects by in addition to the status. Each selects by what is before it too. */
const scans = ['none', 'created', 'paid', 'product'] as const;
export type Scan = (typeof scans)[number];

interface RangeStart {
  number: number;
  preceding: number;
}

type From = Selection & Place & { limit: number; offset: number };

export interface ListStatements {
  /** Orders from a place on, including the order at the place. */
  from: Statement<From, StoredOrder>;
  /** The place of the order that is `offset` orders after the first or after a place. */
  find: Statement<From, Place>;
  count: Statement<Selection, { orders: number }>;
  /** The range with the order at a position, and how many orders precede the range in the list. */
  range: Statement<{ merchantId: number; status: string; position: number }, RangeStart>;
}

export function statementsFor(sort: SortName, hasStatus: boolean, scan: Scan): ListStatements {
  const name = `${sort} ${hasStatus} ${scan}`;
  const found = listStatements.get(name);
  if (found === undefined) throw new Error(`there are no statements for ${name}`);
  return found;
}

/** By sort, whether there is a status, and what else the list selects by. */
export const listStatements: ReadonlyMap<string, ListStatements> = new Map(
  Object.keys(sorts).flatMap((sort) =>
    [false, true].flatMap((hasStatus) =>
      scans.map((scan): [string, ListStatements] => [
        `${sort} ${hasStatus} ${scan}`,
        createStatements(sort as SortName, hasStatus, scan),
      ]),
    ),
  ),
);

function createStatements(sort: SortName, hasStatus: boolean, scan: Scan): ListStatements {
  const { field, direction } = sorts[sort];
  const where = [
    'merchant_id = :merchantId',
    ...(hasStatus ? ['status = :status'] : []),
    ...(scan === 'none' ? [] : ['created_at > :createdAfter']),
    ...(scan === 'paid' || scan === 'product' ? ['paid_at >= :paidFrom AND paid_at < :paidUntil'] : []),
    ...(scan === 'product' ? ['product_id = :productId'] : []),
  ].join(' AND ');
  const operator = direction === 'ASC' ? '>=' : '<=';
  const place =
    field === 'order_id'
      ? `order_id ${operator} :order_id`
      : `(${field}, order_id) ${operator} (:key, :order_id)`;
  const order =
    field === 'order_id' ? `order_id ${direction}` : `${field} ${direction}, order_id ${direction}`;
  const tail = `FROM orders WHERE ${where} AND ${place} ORDER BY ${order} LIMIT :limit OFFSET :offset`;
  return {
    from: statement(`SELECT ${orderColumns} ${tail}`),
    find: statement(`SELECT ${field} AS key, order_id ${tail}`),
    count: statement(`SELECT count(*) AS orders FROM orders WHERE ${where}`, {
      planEachTime: scan !== 'none',
    }),
    range: createFindRange(sort, hasStatus),
  };
}

/** Ranges are only divided by the status. */
function createFindRange(sort: SortName, hasStatus: boolean): ListStatements['range'] {
  const { field, direction } = sorts[sort];
  const status = hasStatus ? 'AND status = :status' : '';
  // A range without orders begins at the position of the one after it.
  const last = direction === 'ASC' ? 'DESC' : 'ASC';
  return statement(
    `SELECT number, preceding FROM (
       SELECT number, CAST(sum(orders) OVER (ORDER BY number ${direction}) - orders AS bigint) AS preceding
       FROM (
         SELECT number, sum(orders) AS orders FROM order_ranges
         WHERE merchant_id = :merchantId AND field = '${field}' ${status} GROUP BY number
       ) AS sizes
     ) AS starts
     WHERE preceding <= :position ORDER BY number ${last} LIMIT 1`,
  );
}

export const listOrdersChangedAfter = statement<
  { merchantId: number; revision: number; id: number; limit: number },
  StoredOrder
>(
  `SELECT ${orderColumns} FROM orders
   WHERE merchant_id = :merchantId AND (revision, order_id) > (:revision, :id)
   ORDER BY revision, order_id LIMIT :limit`,
);

export const listOrdersAfter = statement<{ merchantId: number; after: number; limit: number }, StoredOrder>(
  `SELECT ${orderColumns} FROM orders WHERE merchant_id = :merchantId AND order_id > :after
   ORDER BY order_id LIMIT CAST(:limit AS bigint)`,
);

/** Reads every node of a cluster: only the process that numbers events runs it. */
export const listUnannouncedOrders = statement<{ limit: number }, Announcement & { merchant_id: number }>(
  `SELECT merchant_id, announced_at, announce_interval FROM order_counters WHERE unannounced = 1
   ORDER BY announced_at, merchant_id LIMIT CAST(:limit AS bigint)`,
  { everyNode: true },
);

export const takeUnannouncedOrders = statement<{ merchantId: number }, UnannouncedChanges>(
  `UPDATE order_counters SET unannounced = 0 WHERE merchant_id = :merchantId AND unannounced = 1
   RETURNING revision, announced_revision, announced_at, announce_interval`,
);

export const setOrdersAnnounced = statement<
  { merchantId: number; revision: number; now: number; interval: number },
  never
>(
  `UPDATE order_counters
   SET announced_revision = :revision, announced_at = :now, announce_interval = :interval
   WHERE merchant_id = :merchantId`,
);

/** Reads every node of a cluster: only the process that numbers events runs it. */
export const listMerchantsWithOverdue = statement<{ now: number; limit: number }, { merchant_id: number }>(
  `SELECT merchant_id FROM order_counters WHERE next_overdue_at < :now
   ORDER BY merchant_id LIMIT CAST(:limit AS bigint)`,
  { everyNode: true },
);

export const listOverdue = statement<{ merchantId: number; now: number; limit: number }, StoredOrder>(
  `SELECT ${orderColumns} FROM orders WHERE merchant_id = :merchantId AND overdue_at < :now
   ORDER BY overdue_at LIMIT CAST(:limit AS bigint)`,
);

export const setOverdueAnnounced = statement<{ merchantId: number; orderId: number }, never>(
  `UPDATE orders SET overdue_at = NULL, announced_due_date = fulfillment_due_date
   WHERE merchant_id = :merchantId AND order_id = :orderId`,
);

export const findNextOverdue = statement<{ merchantId: number }, { next: number | null }>(
  `SELECT min(overdue_at) AS next FROM orders WHERE merchant_id = :merchantId AND overdue_at IS NOT NULL`,
);

export const setNextOverdue = statement<{ merchantId: number; next: number | null }, never>(
  'UPDATE order_counters SET next_overdue_at = :next WHERE merchant_id = :merchantId',
);
