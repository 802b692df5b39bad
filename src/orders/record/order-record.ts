import { formatTime } from '../../shared/timestamps.ts';
import {
  amountOf,
  availableRefunds,
  type Order,
  type OrderStatus,
  type PackageState,
  type RefundType,
  sellerFeesOf,
  shippedQuantity,
} from './order.ts';

/** The fields of an order that only callers with the scope `customers` see. */
export interface CustomerData {
  customer_name: string | null;
  address1: string | null;
  address2: string | null;
  city: string | null;
  postal_code: string | null;
}

export const NO_CUSTOMER: CustomerData = {
  customer_name: null,
  address1: null,
  address2: null,
  city: null,
  postal_code: null,
};

interface PackageRecord {
  package_id: string;
  carrier: string;
  tracking_number: string;
  tracking_url: string | null;
  quantity: number;
  shipped_at: string;
  state: PackageState;
}

interface RefundRecord {
  refund_id: string;
  type: RefundType;
  reason: string;
  fees: string[];
  amount: number;
  state: 'requested' | 'settled' | 'failed';
  failure: string | null;
}

/** An order as the API shows it, in wire order. Amounts are in the major unit, for example dollars. */
export interface OrderRecord extends CustomerData {
  order_id: number;
  status: OrderStatus;
  carrier: string | null;
  tracking_number: string | null;
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
  available_refunds: Record<string, number>;
  refund_amount: number;
  disbursement_amount: number | null;
  seller_fees_amount: number;
  seller_fees: { type: string; amount: number }[];
  upsells: { type_description: string; amount: number; description: string | null }[];
  related_order_ids: number[];
  annotation: string | null;
  fulfillment_due_date: string | null;
  created_at: string;
  paid_at: string | null;
  updated_at: string;
  refunded_at: string | null;
  canceled_at: string | null;
  external_id: string;
  merchant_order_id: string | null;
  acknowledged_at: string | null;
  can_fulfill: boolean;
  can_cancel: boolean;
  can_refund: boolean;
  shipped_quantity: number;
  packages: PackageRecord[];
  refunds: RefundRecord[];
  hold_reason: string | null;
  placement_id: string | null;
  redacted_at: string | null;
  customer_hidden: boolean;
}

/**
 * The record of an order (contract for orders, “Record”). Without the customer's data, whose fields are then
 * null, `customer_hidden` is true, also if there is none or it was erased.
 */
export function orderRecord(order: Order, customer: CustomerData | undefined): OrderRecord {
  const left = availableRefunds(order);
  const [first] = order.packages;
  const shipped = shippedQuantity(order);
  const isWritable = order.status === 'paid' || order.status === 'shipped';
  return {
    order_id: order.order_id,
    status: order.status,
    carrier: first?.carrier ?? null,
    tracking_number: first?.tracking_number ?? null,
    service_type: order.service_type,
    fulfillment_partner: order.fulfillment_partner,
    product_name: order.product_name,
    product_identifier: order.product_identifier,
    product_internal_id: order.product_internal_id,
    variation_identifier: order.variation_identifier,
    variation_internal_id: order.variation_internal_id,
    product_quantity: order.product_quantity,
    customer_id: order.customer_id,
    customer_name: customer?.customer_name ?? null,
    address1: customer?.address1 ?? null,
    address2: customer?.address2 ?? null,
    city: customer?.city ?? null,
    state: order.state,
    postal_code: customer?.postal_code ?? null,
    country: order.country,
    available_refunds: Object.fromEntries(Object.entries(left).map(([name, amount]) => [name, amount / 100])),
    refund_amount: settledAmount(order) / 100,
    disbursement_amount: order.disbursement_amount === null ? null : order.disbursement_amount / 100,
    seller_fees_amount: sellerFeesOf(order) / 100,
    seller_fees: order.seller_fees.map(({ type, amount }) => ({ type, amount: amount / 100 })),
    upsells: order.upsells.map((upsell) => ({ ...upsell, amount: upsell.amount / 100 })),
    related_order_ids: order.related_order_ids,
    annotation: order.annotation,
    fulfillment_due_date: timeOf(order.fulfillment_due_date),
    created_at: formatTime(order.created_at),
    paid_at: timeOf(order.paid_at),
    updated_at: formatTime(order.updated_at),
    refunded_at: timeOf(order.refunded_at),
    canceled_at: timeOf(order.canceled_at),
    external_id: order.external_id,
    merchant_order_id: order.merchant_order_id,
    acknowledged_at: timeOf(order.acknowledged_at),
    can_fulfill: order.status === 'paid' && shipped < order.product_quantity,
    can_cancel: order.status === 'paid' && shipped === 0,
    can_refund: isWritable && Object.keys(left).length > 0,
    shipped_quantity: shipped,
    packages: order.packages.map((each) => ({
      package_id: each.package_id,
      carrier: each.carrier,
      tracking_number: each.tracking_number,
      tracking_url: each.tracking_url,
      quantity: each.quantity,
      shipped_at: formatTime(each.shipped_at),
      state: each.state,
    })),
    refunds: order.refunds.map((refund) => ({
      refund_id: refund.refund_id,
      type: refund.type,
      reason: refund.reason,
      fees: Object.keys(refund.fees),
      amount: amountOf(refund) / 100,
      state: refund.state,
      failure: refund.failure,
    })),
    hold_reason: order.hold_reason,
    placement_id: order.placement_id,
    redacted_at: timeOf(order.redacted_at),
    customer_hidden: customer === undefined,
  };
}

function settledAmount({ refunds }: Order): number {
  let sum = 0;
  for (const refund of refunds) if (refund.state === 'settled') sum += amountOf(refund);
  return sum;
}

function timeOf(time: number | null): string | null {
  return time === null ? null : formatTime(time);
}
