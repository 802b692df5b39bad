import type { TransactionContext, WriteContext } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import type { Order, PackageState } from '../record/order.ts';
import { OrderBatch, type OrderChange } from '../record/order-batch.ts';
import { restock } from './change-orders.ts';
import { type OrderState, setOrderState, setPackageState } from './operate.ts';
import { settleRefund } from './refund.ts';

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

/** @throws {DomainError} `order_not_found`, `refund_not_found`, `invalid_parameters` */
export async function reportRefund(
  context: WriteContext,
  {
    external_id,
    ...input
  }: NamedOrder & { refund_id: string; state: 'settled' | 'failed'; failure: string | null },
): Promise<Order> {
  const { order } = await changeNamed(context, external_id, (before) =>
    settleRefund(before, input, context.now),
  );
  return order;
}

/** Changes the order that has an external ID. @throws {DomainError} `order_not_found` */
export async function changeNamed(
  context: TransactionContext,
  externalId: string,
  change: (order: Order) => OrderChange | null,
): Promise<{ order: Order; change: OrderChange | null }> {
  const batch = await OrderBatch.open(context, { externalIds: [externalId] });
  const before = batch.orderOfExternalId(externalId);
  if (before === undefined) throw errors.order_not_found(externalId);
  const changed = change(before);
  if (changed === null) return { order: before, change: null };
  batch.put(changed);
  await batch.write();
  return { order: batch.order(before.order_id) ?? before, change: changed };
}
