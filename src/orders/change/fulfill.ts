import {
  isFullyShipped,
  MAX_PACKAGES,
  type Order,
  type OrderStatus,
  type Package,
  shippedQuantity,
} from '../record/order.ts';
import { type ChangeOrder, eventData, refuse, requireWritable } from './change-order.ts';

interface FulfillInput {
  /** The code of a known carrier, or the name of another one. */
  carrier: string;
  tracking_number: string;
  service_type?: string | undefined;
  /** By default, all that is left. */
  quantity?: number | undefined;
  shipped_at?: number | undefined;
  /** By default, carrier and tracking number. */
  package_id?: string | undefined;
  tracking_url?: string | undefined;
}

/** Packages in a message. */
const MAX_LISTED = 10;

/**
 * Adds a package, or corrects one that no carrier has scanned yet. The order is shipped once its packages
 * have all units. The same package again changes nothing (contract for orders, “Calls”).
 */
export const fulfill: ChangeOrder<FulfillInput> = (order, input, now) => {
  requireWritable(order);
  const { carrier, tracking_number } = input;
  const package_id = input.package_id ?? `${carrier}:${tracking_number}`;
  const known = order.packages.find((each) => each.package_id === package_id);
  const others = order.packages.filter((each) => each !== known);
  const left = order.product_quantity - shippedQuantity({ packages: others });
  const quantity = input.quantity ?? known?.quantity ?? left;
  if (quantity > left || left === 0) throw refuse('quantity', describeLeft(order, left));
  if (known === undefined && others.length >= MAX_PACKAGES)
    throw refuse('package_id', `the order ${order.order_id} has ${MAX_PACKAGES} packages, the most possible`);
  const shipped: Package = {
    package_id,
    carrier,
    tracking_number,
    tracking_url: input.tracking_url ?? known?.tracking_url ?? null,
    service_type: input.service_type ?? known?.service_type ?? null,
    quantity,
    shipped_at: input.shipped_at ?? known?.shipped_at ?? now,
    state: known?.state ?? 'shipped',
  };
  if (known !== undefined) {
    if (isSame(known, shipped)) return null;
    if (known.state !== 'shipped') throw refuse('package_id', describeScanned(known));
  }
  const packages =
    known === undefined
      ? [...order.packages, shipped]
      : order.packages.map((each) => (each === known ? shipped : each));
  // As with the carrier and the tracking number, the order has the first package's.
  const service_type =
    packages[0] === shipped ? (input.service_type ?? order.service_type) : order.service_type;
  const after = withStatus({ ...order, packages, service_type });
  return { order: after, events: [{ type: 'order.fulfilled', data: eventData(after) }] };
};

/** Removes a package that no carrier has scanned yet; a shipped order is then paid again. */
export const unfulfill: ChangeOrder<{ package_id: string }> = (order, { package_id }) => {
  requireWritable(order);
  const known = order.packages.find((each) => each.package_id === package_id);
  if (known === undefined)
    throw refuse(
      'package_id',
      `the order ${order.order_id} has no package ${package_id}; its packages: ${idsOf(order) || 'none'}`,
    );
  if (known.state !== 'shipped') throw refuse('package_id', describeScanned(known));
  const after = withStatus({ ...order, packages: order.packages.filter((each) => each !== known) });
  return {
    order: after,
    events: [{ type: 'package.updated', data: { ...eventData(after), package_id, state: 'removed' } }],
  };
};

function withStatus(order: Order): Order {
  const status: OrderStatus = isFullyShipped(order) ? 'shipped' : 'paid';
  return { ...order, status };
}

function isSame(one: Package, other: Package): boolean {
  return (
    one.carrier === other.carrier &&
    one.tracking_number === other.tracking_number &&
    one.tracking_url === other.tracking_url &&
    one.service_type === other.service_type &&
    one.quantity === other.quantity &&
    one.shipped_at === other.shipped_at
  );
}

function describeLeft(order: Order, left: number): string {
  const shipped = order.packages.length === 0 ? '' : ` after ${idsOf(order)}`;
  return `the order ${order.order_id} has ${left} of ${order.product_quantity} units left to ship${shipped}`;
}

/** A batch can have a thousand such messages. */
function idsOf({ packages }: Order): string {
  const ids = packages.slice(0, MAX_LISTED).map(({ package_id }) => package_id);
  const more = packages.length - ids.length;
  return ids.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function describeScanned({ package_id, carrier, tracking_number, state }: Package): string {
  return `the package ${package_id} is ${state} and cannot be changed; it is ${carrier} ${tracking_number}`;
}
