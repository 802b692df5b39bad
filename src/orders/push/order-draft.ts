import type { OrderStatus, OrderUpsell, SellerFee } from '../record/order.ts';
import type { CustomerData } from '../record/order-record.ts';

/**
 * An order as the operator states it, in a call, a stream or a file. Undefined keeps a stored order's value.
 * Amounts are in hundredths of the currency's major unit, and times in milliseconds since 1970.
 */
export interface OrderDraft extends Partial<CustomerData> {
  /** The ID or the name of the merchant; null if the row names none. */
  merchant: string | null;
  external_id: string;
  /** Only a new order has a choice. */
  order_id?: number | null | undefined;
  status?: OrderStatus | undefined;
  product_identifier?: string | undefined;
  variation_identifier?: string | null | undefined;
  product_name?: string | null | undefined;
  product_quantity?: number | null | undefined;
  customer_id?: string | null | undefined;
  state?: string | null | undefined;
  country?: string | null | undefined;
  /** What the buyer paid: the fees that can be refunded. */
  available_refunds?: Record<string, number> | undefined;
  disbursement_amount?: number | null | undefined;
  seller_fees?: SellerFee[] | undefined;
  upsells?: OrderUpsell[] | undefined;
  related_order_ids?: number[] | undefined;
  service_type?: string | null | undefined;
  fulfillment_partner?: string | null | undefined;
  fulfillment_due_date?: number | null | undefined;
  created_at?: number | null | undefined;
  paid_at?: number | null | undefined;
  placement_id?: string | null | undefined;
  /** For an order that is stated to be shipped. */
  carrier?: string | null | undefined;
  tracking_number?: string | null | undefined;
  /** Whether `available_refunds` lacks what was refunded, as in an export. A stored order keeps its fees. */
  has_refunds?: boolean | undefined;
  /** Whether a new order takes its units from the stock. */
  stock?: 'reserve' | 'none' | undefined;
}

export const customerFields = ['customer_name', 'address1', 'address2', 'city', 'postal_code'] as const;

/** Whether it states something of the customer. */
export function hasCustomer(draft: OrderDraft): boolean {
  return customerFields.some((name) => draft[name] !== undefined);
}
