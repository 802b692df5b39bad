import { type Order, type OrderData, sellerFeesOf } from './order.ts';
import type { OrderRow, StoredOrder } from './queries.ts';

const NONE = -1;

export function orderOf({
  data,
  paid_at,
  fulfillment_due_date,
  overdue_at: _,
  announced_due_date: __,
  ...columns
}: StoredOrder): Order {
  // Only `orderRow` writes it.
  const stored = JSON.parse(data) as OrderData;
  return {
    ...stored,
    ...columns,
    paid_at: paid_at === NONE ? null : paid_at,
    fulfillment_due_date: fulfillment_due_date === NONE ? null : fulfillment_due_date,
  };
}

/** `announced` is the due date for which an event has already said that the order is overdue. */
export function orderRow(merchantId: number, order: Order, announced = NONE): OrderRow {
  const { order_id, external_id, status, created_at, updated_at, revision, ...rest } = order;
  const { paid_at, fulfillment_due_date, ...data } = rest;
  const mayBecomeOverdue = status === 'paid' && fulfillment_due_date !== announced;
  return {
    merchant_id: merchantId,
    order_id,
    external_id,
    status,
    created_at,
    updated_at,
    paid_at: paid_at ?? NONE,
    fulfillment_due_date: fulfillment_due_date ?? NONE,
    overdue_at: mayBecomeOverdue ? fulfillment_due_date : null,
    announced_due_date: announced,
    product_id: order.product_internal_id,
    seller_fees: status === 'canceled' ? null : sellerFeesOf(order),
    revision,
    data: JSON.stringify(data satisfies OrderData),
  };
}
