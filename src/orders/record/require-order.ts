import type { Reader } from '../../database/database.ts';
import { errors } from '../../errors/errors.ts';
import type { Order } from './order.ts';
import { findOrdersByIds } from './queries.ts';
import { orderOf } from './stored-order.ts';

/** Returns the order with this ID. @throws {DomainError} `order_not_found` */
export async function requireOrder(
  database: Pick<Reader, 'first'>,
  merchantId: number,
  id: number,
): Promise<Order> {
  const row = await database.first(findOrdersByIds.short ?? findOrdersByIds, { merchantId, names: [id] });
  if (row === undefined) throw errors.order_not_found(String(id));
  return orderOf(row);
}
