import { recordAudit } from '../../audit/record-audit.ts';
import type { WriteContext } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import type { Order, PackageState } from '../record/order.ts';
import { isClosed, OrderBatch, type OrderChange } from '../record/order-batch.ts';
import { OrderStock } from '../record/order-stock.ts';
import { restock } from './change-orders.ts';
import { settleRefund } from './refund.ts';
import { hold, type OrderState, OVERSOLD, setOrderState, setPackageState } from './set-order-state.ts';

interface NamedOrder {
  /** The operator's ID of the order. */
  external_id: string;
}

/**
 * Holds, releases or cancels an order. The transaction must have locked the merchant.
 * @throws {DomainError} `order_not_found`, `invalid_parameters`
 */
export async function setState(
  context: WriteContext & { lowInventory: number },
  { external_id, ...input }: NamedOrder & { state: OrderState; reason: string },
): Promise<Order> {
  const { order, change } = await changeNamed(context, external_id, (before) =>
    setOrderState(before, input, context.now),
  );
  if (change !== null)
    recordAudit(context, { action: `order.${input.state}`, subject: String(order.order_id) });
  const units = change?.restock ?? 0;
  if (units > 0) await restock(context, [{ order, units }]);
  return order;
}

/** @throws {DomainError} `order_not_found`, `package_not_found` */
export async function reportPackage(
  context: WriteContext,
  { external_id, ...input }: NamedOrder & { package_id: string; state: PackageState },
): Promise<Order> {
  const { order } = await changeNamed(context, external_id, (before) =>
    setPackageState(before, input, context.now),
  );
  return order;
}

/**
 * An order that is to be shipped again because its refund failed takes its units from the stock again. If
 * there are too few by now, it is held.
 * @throws {DomainError} `order_not_found`, `refund_not_found`, `invalid_parameters`
 */
export async function reportRefund(
  context: WriteContext & { lowInventory: number },
  {
    external_id,
    ...input
  }: NamedOrder & { refund_id: string; state: 'settled' | 'failed'; failure: string | null },
): Promise<Order> {
  const { order } = await changeNamed(context, external_id, async (before) => {
    const change = settleRefund(before, input, context.now);
    const isReopened = isClosed(before) && change !== null && !isClosed(change.order);
    return isReopened ? await reserveAgain(context, change, input.refund_id) : change;
  });
  return order;
}

async function reserveAgain(
  context: WriteContext & { lowInventory: number },
  change: OrderChange,
  refundId: string,
): Promise<OrderChange> {
  const { order, events } = change;
  const { restocked = 0 } = order.refunds.find(({ refund_id }) => refund_id === refundId) ?? {};
  if (restocked === 0) return change;
  const stock = await OrderStock.open(context, [order]);
  const taken = -stock.change(order, -restocked).units;
  await stock.write();
  const reserving = { ...order, reserved: order.reserved + taken };
  if (taken === restocked) return { order: reserving, events };
  const held = hold(reserving, OVERSOLD);
  return { ...held, events: [...events, ...held.events] };
}

/** Changes the order that has an external ID. @throws {DomainError} `order_not_found` */
export async function changeNamed(
  context: WriteContext,
  externalId: string,
  change: (order: Order) => OrderChange | null | Promise<OrderChange | null>,
): Promise<{ order: Order; change: OrderChange | null }> {
  const batch = await OrderBatch.open(context, { externalIds: [externalId] });
  const before = batch.orderOfExternalId(externalId);
  if (before === undefined) throw errors.order_not_found(externalId);
  const changed = await change(before);
  if (changed === null) return { order: before, change: null };
  batch.put(changed);
  await batch.write();
  return { order: batch.order(before.order_id) ?? before, change: changed };
}
