import type { Success } from '../../http/endpoint/declaration.ts';
import { orNull, record } from '../../http/schema.ts';
import type { NamedMerchant } from '../../merchants/name-merchants.ts';
import { exampleOrder } from '../../orders/record/example-order.ts';
import type { OrderRecord } from '../../orders/record/order-record.ts';
import { orderSchema } from '../../orders/record/order-schema.ts';
import { exampleNamedMerchant, namedMerchantSchema } from '../merchants/named-merchant-schema.ts';
import { currencySchema } from '../products/product-list-schema.ts';

/** What the list shows of an order: nothing of its customer. */
const listedFields = [
  'order_id',
  'external_id',
  'merchant_order_id',
  'status',
  'hold_reason',
  'product_name',
  'product_identifier',
  'variation_identifier',
  'product_quantity',
  'shipped_quantity',
  'disbursement_amount',
  'refund_amount',
  'fulfillment_due_date',
  'created_at',
  'paid_at',
  'updated_at',
  'redacted_at',
] as const satisfies (keyof OrderRecord)[];
type ListedField = (typeof listedFields)[number];

export interface ListedOrder extends Pick<OrderRecord, ListedField> {
  merchant: NamedMerchant;
  currency: string;
}

export interface MerchantOrderPage {
  results: ListedOrder[];
  next: string | null;
}

const listedOrderSchema = record<ListedOrder>(
  'ListedOrder',
  'An order of a merchant, without anything of its customer.',
  { merchant: namedMerchantSchema, currency: currencySchema, ...propertiesOfListed() },
);

function propertiesOfListed() {
  const { properties = {} } = orderSchema;
  return picked(properties as Record<ListedField, NonNullable<(typeof properties)[string]>>);
}

export function listedOrder(
  owner: Pick<ListedOrder, 'merchant' | 'currency'>,
  order: OrderRecord,
): ListedOrder {
  return { ...owner, ...picked(order) };
}

function picked<Values extends Record<ListedField, unknown>>(values: Values): Pick<Values, ListedField> {
  return Object.fromEntries(listedFields.map((name) => [name, values[name]])) as Pick<Values, ListedField>;
}

const example = listedOrder({ merchant: exampleNamedMerchant, currency: 'EUR' }, exampleOrder);

export const orderPage: Success = {
  description: 'A page of orders.',
  schema: record<MerchantOrderPage>('MerchantOrderPage', 'Orders of all merchants.', {
    results: { type: 'array', items: listedOrderSchema },
    next: orNull({
      type: 'string',
      description: 'The value of `after` for the next page; null on the last one.',
    }),
  }),
  examples: {
    page: { summary: 'The last page', value: { results: [example], next: null } satisfies MerchantOrderPage },
  },
  isPrivate: true,
};
