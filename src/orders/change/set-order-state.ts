import { errors } from '../../errors/errors.ts';
import { type Order, type PackageState, shippedQuantity } from '../record/order.ts';
import type { OrderChange } from '../record/order-batch.ts';
import { type ChangeOrder, eventData, refuse } from './change-order.ts';
import { cancelAnyway } from './refund.ts';

/** What the operator may do to an order, in addition to stating its fields. */
export type OrderState = 'held' | 'released' | 'canceled';

/** Holds, releases or cancels an order. */
export const setOrderState: ChangeOrder<{ state: OrderState; reason: string }> = (
  order,
  { state, reason },
  now,
) => {
  const { order_id, status } = order;
  if (state === 'canceled') {
    if (status === 'canceled') return null;
    if (status === 'shipped' || status === 'refunded' || shippedQuantity(order) > 0)
      throw refuse(
        'state',
        `the order ${order_id} is ${status === 'paid' ? 'partly shipped' : status}; refund it instead`,
      );
    return cancelAnyway(order, { reason }, now);
  }
  if (state === 'released') {
    if (order.status_before_hold === null) return null;
    const after = { ...order, status: order.status_before_hold, status_before_hold: null, hold_reason: null };
    return { order: after, events: [{ type: 'order.released', data: eventData(after) }] };
  }
  if (order.hold_reason === reason) return null;
  if (status === 'shipped' || status === 'refunded' || status === 'canceled')
    throw refuse('state', `the order ${order_id} is ${status} and cannot be held`);
  return hold(order, reason);
};

/** Why the service itself holds an order. */
export const OVERSOLD = 'oversold';

/**
 * A held order is `pending_verification`, so clients that only know statuses do not ship it either. The event
 * does not have the operator's words, which may name the customer.
 */
export function hold(order: Order, reason: string): OrderChange {
  const held: Order = {
    ...order,
    status: 'pending_verification',
    status_before_hold: order.status_before_hold ?? order.status,
    hold_reason: reason,
  };
  const known = reason === OVERSOLD ? reason : null;
  return { order: held, events: [{ type: 'order.held', data: { ...eventData(held), hold_reason: known } }] };
}

/** The operator reports a scan of the carrier. @throws {DomainError} `package_not_found` */
export const setPackageState: ChangeOrder<{ package_id: string; state: PackageState }> = (
  order,
  { package_id, state },
) => {
  const before = order.packages.find((each) => each.package_id === package_id);
  if (before === undefined) throw errors.package_not_found(package_id);
  if (before.state === state) return null;
  const packages = order.packages.map((each) => (each === before ? { ...each, state } : each));
  const after = { ...order, packages };
  return {
    order: after,
    events: [{ type: 'package.updated', data: { ...eventData(after), package_id, state } }],
  };
};
