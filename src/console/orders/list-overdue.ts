import type { Database } from '../../database/database.ts';
import { orderRecord } from '../../orders/record/order-record.ts';
import { orderOf } from '../../orders/record/stored-order.ts';
import type { OverdueOrders } from '../order-api.ts';
import { listDueAfter } from './queries.ts';

/** The place of an order in the list. */
export interface DuePlace {
  due: number;
  orderId: number;
}

const FIRST: DuePlace = { due: -1, orderId: Number.MAX_SAFE_INTEGER };
const PLACE = /^(\d{1,15})-([1-9]\d{0,9})$/;

/** Lists the orders to ship whose due date has passed, earliest due first. */
export async function listOverdueOrders(
  { database, now }: { database: Pick<Database, 'all'>; now: () => number },
  merchantId: number,
  { after: { due, orderId } = FIRST, limit }: { after: DuePlace | undefined; limit: number },
): Promise<OverdueOrders> {
  const time = now();
  const rows = await database.all(listDueAfter, {
    merchantId,
    dueAfter: due,
    orderId,
    limit: limit + 1,
  });
  const late = rows.filter((row) => row.fulfillment_due_date < time);
  const listed = late.slice(0, limit);
  const last = listed.at(-1);
  return {
    orders: listed.map((row) => orderRecord(orderOf(row), undefined)),
    next: late.length > limit && last !== undefined ? `${last.fulfillment_due_date}-${last.order_id}` : null,
  };
}

/** Reads `next` of an earlier part. Returns undefined if it is none. */
export function readPlace(text: string): DuePlace | undefined {
  const [, due, orderId] = PLACE.exec(text) ?? [];
  return due === undefined || orderId === undefined
    ? undefined
    : { due: Number(due), orderId: Number(orderId) };
}
