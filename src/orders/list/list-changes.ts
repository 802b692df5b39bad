import type { Database } from '../../database/database.ts';
import { findCatalogState, missingMerchant } from '../../database/merchant-queries.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { mapInSlices } from '../../shared/map-in-slices.ts';
import { decodeChangesCursor, encodeChangesCursor, requireSameHistory } from '../../sync/changes-cursor.ts';
import type { Order } from '../record/order.ts';
import { findOrderCounters } from '../record/queries.ts';
import { orderOf } from '../record/stored-order.ts';
import { listOrdersChangedAfter } from './queries.ts';

export interface OrderChanges {
  orders: Order[];
  /** The position for the next request. */
  cursor: string;
  /** Whether there are more changes already. */
  more: boolean;
}

export const CHANGED_ORDERS = 'changed orders';
/** Reading more takes too long for the event loop. */
const MAX_ON_LOOP = 250;

/**
 * Lists orders in the order of their last changes. A client that continues at the cursor sees every order in
 * its newest state: transactions lock the merchant to raise the revision of its orders.
 * @throws {DomainError} `invalid_parameters` for another list's cursor, `cursor_expired` after a restore
 */
export async function ordersChangedSince(
  { database, offLoop }: { database: Database; offLoop: OffLoopReads },
  { merchantId, perPage }: { merchantId: number; perPage: number },
  changedSince: string,
): Promise<OrderChanges> {
  const list = { merchantId, listing: CHANGED_ORDERS };
  const cursor = decodeChangesCursor(changedSince, list, 'integer');
  const [head, counters] = await Promise.all([
    database.first(findCatalogState, { merchantId }),
    database.first(findOrderCounters, { merchantId }),
  ]);
  if (head === undefined) throw missingMerchant(merchantId);
  requireSameHistory(cursor, { epoch: head.epoch, revision: counters?.revision ?? 0 });
  const { revision, key } = cursor ?? { revision: 0, key: 0 };
  const from = { merchantId, revision, id: Number(key), limit: perPage + 1 };
  const rows =
    perPage <= MAX_ON_LOOP
      ? await database.all(listOrdersChangedAfter, from)
      : await offLoop.snapshot(merchantId, (reader) => reader.all(listOrdersChangedAfter, from));
  const listed = rows.slice(0, perPage);
  const last = listed.at(-1);
  const end = last === undefined ? { revision, key } : { revision: last.revision, key: last.order_id };
  return {
    orders: await mapInSlices(listed, orderOf),
    cursor: encodeChangesCursor(list, head.epoch, end),
    more: rows.length > perPage,
  };
}
