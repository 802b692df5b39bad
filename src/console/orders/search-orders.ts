import type { Database } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import type { OrderStatus } from '../../orders/record/order.ts';
import { orderRecord } from '../../orders/record/order-record.ts';
import { findOrdersByIds } from '../../orders/record/queries.ts';
import { orderOf } from '../../orders/record/stored-order.ts';
import { type FoundOrders, findOrders } from '../../orders/search/find-orders.ts';
import type { OrderSearchPart } from '../order-api.ts';
import { totals } from './count-orders.ts';

interface Search {
  merchantId: number;
  text: string;
  /** Whether names of customers are searched too. */
  byName: boolean;
  status: OrderStatus | undefined;
  /** Only orders with lower IDs. */
  before: number | undefined;
  limit: number;
}

/** @throws as `findOrders` */
export async function searchOrders(
  services: Parameters<typeof findOrders>[0] & { database: Pick<Database, 'all'> },
  { merchantId, text, byName, status, before = Number.MAX_SAFE_INTEGER, limit }: Search,
): Promise<OrderSearchPart> {
  const found = await findOrders(services, { merchantId, text, byName });
  const matching = found.orders.filter(
    (each) => each.order_id < before && (status === undefined || each.status === status),
  );
  const ids = matching.slice(0, limit).map(({ order_id }) => order_id);
  const rows = await lookUp(services.database, findOrdersByIds, merchantId, ids);
  return {
    orders: rows
      .sort((one, other) => other.order_id - one.order_id)
      .map((row) => orderRecord(orderOf(row), undefined)),
    next: matching.length > limit ? (ids.at(-1) ?? null) : null,
    counts: countByStatus(found),
    complete: found.isComplete,
  };
}

function countByStatus({ orders }: FoundOrders): OrderSearchPart['counts'] {
  const counts = new Map<string, number>();
  for (const { status } of orders) counts.set(status, (counts.get(status) ?? 0) + 1);
  return totals(counts);
}
