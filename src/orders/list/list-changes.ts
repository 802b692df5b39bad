import type { Database, Reader } from '../../database/database.ts';
import { findCatalogState, missingMerchant } from '../../database/merchant-queries.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { mapInSlices } from '../../shared/map-in-slices.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { decodeChangesCursor, encodeChangesCursor, requireSameHistory } from '../../sync/changes-cursor.ts';
import { findOrderCounters } from '../record/queries.ts';
import type { RenderOrders } from '../record/show-orders.ts';
import { orderOf } from '../record/stored-order.ts';
import { listOrdersChangedAfter } from './queries.ts';

export interface OrderChanges {
  /** The orders, as the elements of a JSON array. */
  json: string;
  /** The position for the next request. */
  cursor: string;
  /** Whether there are more changes already. */
  more: boolean;
}

/** Renders the response of a call that follows changes. */
export function renderOrderChanges({ json, cursor, more }: OrderChanges): RenderedJson {
  const end = JSON.stringify({ cursor, more }).slice(1);
  return new RenderedJson(Buffer.from(`{"results":[${json}],${end}`));
}

export const CHANGED_ORDERS = 'changed orders';
/** Reading more takes too long for the event loop. */
const MAX_ON_LOOP = 250;

/**
 * Lists orders in the order of their last changes. A client that continues at the cursor sees every order in
 * its newest state: transactions lock the merchant to raise the revision of its orders. Many orders are
 * rendered in the merchant's turn for long reads, so that several such requests do not share the event loop.
 * @throws {DomainError} `invalid_parameters` for another list's cursor, `cursor_expired` after a restore
 */
export async function ordersChangedSince(
  { database, offLoop }: { database: Database; offLoop: OffLoopReads },
  { merchantId, perPage }: { merchantId: number; perPage: number },
  changedSince: string,
  render: RenderOrders,
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
  const read = async (reader: Reader): Promise<OrderChanges> => {
    const rows = await reader.all(listOrdersChangedAfter, from);
    const listed = rows.slice(0, perPage);
    const last = listed.at(-1);
    const end = last === undefined ? { revision, key } : { revision: last.revision, key: last.order_id };
    return {
      json: await render(reader, await mapInSlices(listed, orderOf)),
      cursor: encodeChangesCursor(list, head.epoch, end),
      more: rows.length > perPage,
    };
  };
  return perPage <= MAX_ON_LOOP ? await read(database) : await offLoop.snapshot(merchantId, read);
}
