import type { Success } from '../../http/endpoint/declaration.ts';
import { schemaOfChanges } from '../../http/pages/page-schema.ts';
import { nonNegativeNumber, orNull, record, type Schema, time } from '../../http/schema.ts';
import { exampleOrder } from './example-order.ts';
import { MAX_ORDER_ID, orderStatuses, packageStates, refundTypes } from './order.ts';
import type { OrderRecord } from './order-record.ts';

export const ordersTag = {
  name: 'Orders',
  description: 'What the merchant has sold. An order is one product or variation with a quantity.',
};

const text = { type: 'string' } as const;
const textOrNull = orNull(text);
const timeOrNull = orNull(time);
const orderId: Schema = { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_ORDER_ID };
const quantity: Schema = { type: 'integer', format: 'int32', minimum: 0 };
const ofCustomer = (what: string): Schema => ({
  ...textOrNull,
  description: `${what}. Null without the scope \`customers\`, and once it is erased.`,
});

const packageSchema = record<OrderRecord['packages'][number]>('Package', 'A package of an order.', {
  package_id: { ...text, description: 'By default, the carrier and the tracking number.' },
  carrier: { ...text, description: 'The code of the carrier, such as `ups`, or its name.' },
  tracking_number: { ...text, description: 'The tracking number of the carrier.' },
  tracking_url: {
    ...textOrNull,
    description: 'Where the customer can follow the package; null if it is not known.',
  },
  quantity: { ...quantity, description: 'The units in the package.' },
  shipped_at: { ...time, description: 'When it was shipped.' },
  state: {
    ...text,
    enum: packageStates,
    description:
      '`shipped` until the carrier has scanned the package. After that, the merchant cannot change it.',
  },
});

const refundSchema = record<OrderRecord['refunds'][number]>('Refund', 'A refund of an order.', {
  refund_id: { ...text, description: 'Identifies the refund.' },
  type: {
    ...text,
    enum: refundTypes,
    description: '`full` returns all that was left, `partial` some of the fees.',
  },
  reason: {
    ...text,
    description: 'One of `metadata/refund_reasons`, or why the operator canceled the order.',
  },
  fees: { type: 'array', items: text, description: 'The names of the fees that it returns.' },
  amount: { ...nonNegativeNumber, description: 'What it returns, in the merchant’s currency.' },
  state: {
    ...text,
    enum: ['requested', 'settled', 'failed'],
    description: '`requested` until the operator has `settled` it, or it has `failed`.',
  },
  failure: { ...textOrNull, description: 'Why the refund failed; null if it did not.' },
});

/** An order as the API shows it (contract for orders, “Record”). */
export const orderSchema = record<OrderRecord>(
  'Order',
  'An order: one product or variation with a quantity. Amounts are in the currency’s major unit, for example dollars.',
  {
    order_id: { ...orderId, description: 'Identifies the order in other calls.' },
    status: {
      ...text,
      enum: orderStatuses,
      description:
        'Ship an order only when it is `paid`. Before that, it is `unpaid`, `processing_payment`, `pending_verification` ' +
        'or `pending_consolidation_decision`. An order on hold is `pending_verification`.',
    },
    carrier: { ...textOrNull, description: 'The carrier of the first package.' },
    tracking_number: { ...textOrNull, description: 'The tracking number of the first package.' },
    service_type: {
      ...textOrNull,
      description: 'The carrier’s service for the first package, such as `Ground`.',
    },
    fulfillment_partner: {
      ...textOrNull,
      description: 'The company that ships the order, if it is not the merchant.',
    },
    product_name: { ...text, description: 'The title of the product when it was sold.' },
    product_identifier: { ...text, description: 'The unique ID of the product.' },
    product_internal_id: { type: 'integer', minimum: 1, description: 'The `internal_id` of the product.' },
    variation_identifier: { ...textOrNull, description: 'Null if the product was sold without a variation.' },
    variation_internal_id: {
      ...orNull({ type: 'integer', minimum: 1 }),
      description: 'The `internal_id` of the variation; null without a variation.',
    },
    product_quantity: { ...quantity, minimum: 1, description: 'The units that were sold.' },
    customer_id: { ...textOrNull, description: 'The operator’s ID of the customer.' },
    customer_name: ofCustomer('The name of the customer'),
    address1: ofCustomer('The first line of the address'),
    address2: ofCustomer('The second line of the address'),
    city: ofCustomer('The city'),
    state: { ...textOrNull, description: 'The code of the state or province.' },
    postal_code: ofCustomer('The postal code'),
    country: { ...textOrNull, description: 'The ISO 3166-1 alpha-3 code of the country.' },
    available_refunds: {
      type: 'object',
      additionalProperties: nonNegativeNumber,
      description:
        'What is left to refund, in the merchant’s currency, by the name of the fee, such as `buyer_fee`.',
    },
    refund_amount: {
      ...nonNegativeNumber,
      description: 'The sum of settled refunds, in the merchant’s currency.',
    },
    disbursement_amount: {
      ...orNull({ type: 'number' }),
      description: 'What the merchant gets for the order, in the merchant’s currency; null if unknown.',
    },
    seller_fees_amount: {
      type: 'number',
      description: 'The sum of `seller_fees`, in the merchant’s currency.',
    },
    seller_fees: {
      type: 'array',
      items: record('SellerFee', 'A fee of the marketplace.', {
        type: { ...text, description: 'The name of the fee, such as `commission`.' },
        amount: { type: 'number', description: 'The fee, in the merchant’s currency.' },
      }),
    },
    upsells: {
      type: 'array',
      items: record('OrderUpsell', 'What the customer bought with the product.', {
        type_description: { ...text, description: 'What kind of offer it is, such as `accessory`.' },
        amount: { type: 'number', description: 'Its price, in the merchant’s currency.' },
        description: { ...textOrNull, description: 'What it is, in words; null if there are none.' },
      }),
    },
    related_order_ids: {
      type: 'array',
      items: orderId,
      description: 'The `order_id` of each other order of the purchase.',
    },
    annotation: { ...textOrNull, description: 'The merchant’s own note.' },
    fulfillment_due_date: { ...timeOrNull, description: 'When the order has to be shipped.' },
    created_at: { ...time, description: 'When the customer ordered.' },
    paid_at: { ...timeOrNull, description: 'When the customer paid; null before that.' },
    updated_at: { ...time, description: 'The time of the last change.' },
    refunded_at: { ...timeOrNull, description: 'When a refund was settled first; null if none was.' },
    canceled_at: { ...timeOrNull, description: 'When it was canceled; null if it was not.' },
    external_id: { ...text, description: 'The operator’s ID of the order.' },
    merchant_order_id: { ...textOrNull, description: 'The merchant’s own ID of the order.' },
    acknowledged_at: {
      ...timeOrNull,
      description: 'When the merchant’s software acknowledged it; null if it did not.',
    },
    can_fulfill: { type: 'boolean', description: 'Whether `orders/fulfill` is possible now.' },
    can_cancel: { type: 'boolean', description: 'Whether `orders/cancel` is possible now.' },
    can_refund: { type: 'boolean', description: 'Whether `orders/refund` is possible now.' },
    shipped_quantity: { ...quantity, description: 'The units in all packages.' },
    packages: { type: 'array', items: packageSchema },
    refunds: { type: 'array', items: refundSchema },
    hold_reason: { ...textOrNull, description: 'Why the order is on hold; null if it is not.' },
    placement_id: {
      ...textOrNull,
      description: 'The placement whose auction sold the product; null if there is none.',
    },
    redacted_at: { ...timeOrNull, description: 'When the customer’s data was erased; null if it was not.' },
    customer_hidden: {
      type: 'boolean',
      description:
        'Whether the customer’s data is missing because the key does not have the scope `customers`.',
    },
  },
);

/** The response of a call that returns one order. */
export function orderSuccess(description: string): Success {
  const examples = { order: { summary: 'A shipped order', value: exampleOrder } };
  return { description, schema: orderSchema, examples, isPrivate: true };
}

/** The response to `changed_since`. */
export const orderChangesSchema = schemaOfChanges('OrderChanges', { items: 'Orders', schema: orderSchema });

export const exampleOrderChanges = {
  results: [exampleOrder],
  cursor: 'ZVJ3cFF4aThbMSwiY2hhbmdlZCBvcmRlcnMiLDE3NjM4NTAwMDAwMDAsMTc2Mzg1MDAwMDAwMDAwMCw0NzExXQ',
  more: false,
};
