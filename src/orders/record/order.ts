/** The statuses of an order (contract for orders, part C). Merchants ship only in `paid`. */
export const orderStatuses = [
  'unpaid',
  'processing_payment',
  'pending_verification',
  'pending_consolidation_decision',
  'paid',
  'shipped',
  'refunded',
  'canceled',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const packageStates = ['shipped', 'accepted', 'in_transit', 'delivered', 'untrackable'] as const;
export type PackageState = (typeof packageStates)[number];

export interface Package {
  package_id: string;
  carrier: string;
  tracking_number: string;
  tracking_url: string | null;
  /** Not part of its record: the order's is the first package's, if that has one. */
  service_type: string | null;
  quantity: number;
  shipped_at: number;
  /** `shipped` until the first scan of the carrier. */
  state: PackageState;
}

export const refundTypes = ['full', 'partial'] as const;
export type RefundType = (typeof refundTypes)[number];

export interface Refund {
  refund_id: string;
  type: RefundType;
  reason: string;
  explanation: string | null;
  /** The amount of each fee that it returns. */
  fees: Record<string, number>;
  requested_at: number;
  state: 'requested' | 'settled' | 'failed';
  failure: string | null;
  /** The status of the order before a full refund, which a failure restores; null for a partial refund. */
  status_before: OrderStatus | null;
  /** The units that it gave back to the stock. */
  restocked: number;
}

export interface SellerFee {
  type: string;
  amount: number;
}

export interface OrderUpsell {
  type_description: string;
  amount: number;
  description: string | null;
}

/** Something that happened to an order and that no other field says. */
export interface HistoryEntry {
  at: number;
  type: 'package.updated' | 'order.held' | 'order.released' | 'refund.settled' | 'refund.failed';
  /** The ID of the package or the refund. */
  id: string | null;
  /** The state of the package, or why the order was held. */
  detail: string | null;
}

/** What is stored of an order as JSON. Names and identifiers stay as they were sold. */
export interface OrderData {
  service_type: string | null;
  fulfillment_partner: string | null;
  product_name: string;
  product_identifier: string;
  product_internal_id: number;
  variation_identifier: string | null;
  variation_internal_id: number | null;
  product_quantity: number;
  customer_id: string | null;
  state: string | null;
  country: string | null;
  /** What the buyer paid, by the name of the fee. */
  fees: Record<string, number>;
  disbursement_amount: number | null;
  seller_fees: SellerFee[];
  upsells: OrderUpsell[];
  related_order_ids: number[];
  annotation: string | null;
  refunded_at: number | null;
  canceled_at: number | null;
  merchant_order_id: string | null;
  acknowledged_at: number | null;
  packages: Package[];
  refunds: Refund[];
  hold_reason: string | null;
  /** The status that the release of a held order restores; null if the order is not held. */
  status_before_hold: OrderStatus | null;
  placement_id: string | null;
  redacted_at: number | null;
  /** The units that the order has taken from the stock and not given back. */
  reserved: number;
  /** Oldest first. */
  history: HistoryEntry[];
}

/**
 * One line of a purchase: a product or variation with a quantity. Amounts are in hundredths of the currency's
 * major unit, such as cents, and times in milliseconds since 1970.
 */
export interface Order extends OrderData {
  order_id: number;
  external_id: string;
  status: OrderStatus;
  created_at: number;
  updated_at: number;
  paid_at: number | null;
  fulfillment_due_date: number | null;
  /** The revision of the merchant's orders at the last change. */
  revision: number;
}

export const MAX_ORDER_ID = 2 ** 31 - 1;
/** Of an order, so that a page of orders fits in memory. */
export const MAX_PACKAGES = 100;
/** Of an order. A full refund is possible in addition. */
export const MAX_PARTIAL_REFUNDS = 100;

export function shippedQuantity({ packages }: Pick<Order, 'packages'>): number {
  return packages.reduce((sum, { quantity }) => sum + quantity, 0);
}

/**
 * Returns what is left to refund of each fee, without fees of which nothing is left.
 * @throws {Error} if more was refunded than paid, which no change allows
 */
export function availableRefunds({ order_id, fees, refunds }: Pick<Order, 'order_id' | 'fees' | 'refunds'>) {
  const left: Record<string, number> = {};
  for (const [name, amount] of Object.entries(fees)) {
    let rest = amount;
    for (const refund of refunds) if (refund.state !== 'failed') rest -= feeOf(refund.fees, name);
    if (rest < 0) throw new Error(`order ${order_id}: more was refunded of ${name} than paid`);
    if (rest > 0) left[name] = rest;
  }
  return left;
}

/** The amount of a fee; 0 if there is none with this name, which may be a name such as `constructor`. */
export function feeOf(fees: Readonly<Record<string, number>>, name: string): number {
  return Object.hasOwn(fees, name) ? (fees[name] ?? 0) : 0;
}

/** The sum of what the marketplace charges for the order. */
export function sellerFeesOf({ seller_fees }: Pick<Order, 'seller_fees'>): number {
  return seller_fees.reduce((sum, { amount }) => sum + amount, 0);
}

export function amountOf({ fees }: Pick<Refund, 'fees'>): number {
  return Object.values(fees).reduce((sum, amount) => sum + amount, 0);
}

export function isFullyShipped(order: Pick<Order, 'packages' | 'product_quantity'>): boolean {
  return shippedQuantity(order) === order.product_quantity;
}
