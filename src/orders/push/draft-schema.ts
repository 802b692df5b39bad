import { orNull, type Schema } from '../../http/schema.ts';
import { InvalidValue } from '../../shared/invalid-value.ts';
import { exampleOrder } from '../record/example-order.ts';
import { orderSchema } from '../record/order-schema.ts';
import { draftFields } from './draft-readers.ts';

type DraftField = keyof typeof draftFields;

const descriptions: Partial<Record<DraftField, string>> = {
  order_id: 'The ID that the merchant sees; assigned if a new order has none.',
  status:
    'A push moves an order forward only, so that an old push can be repeated: `paid` does not become `unpaid`. A new ' +
    'order without a status is `paid`. Send `shipped`, `refunded` or `canceled` for an order that already is.',
  product_identifier: 'The product that was sold. Required for a new order, and fixed afterwards.',
  variation_identifier: 'The variation that was sold. Fixed once the order exists.',
  product_name: 'The title under which it was sold; by default, the title of the product.',
  product_quantity: 'The units that were sold, 1 by default. Fixed once the order exists.',
  available_refunds: 'What the customer paid, by the name of the fee, such as `buyer_fee`.',
  carrier:
    'A name or a code of `metadata/carriers`, in any case, or the name of another carrier. Required for an order that is ' +
    'sent as `shipped`, unless its packages have all units.',
  tracking_number: 'Required for an order that is sent as `shipped`, unless its packages have all units.',
  stock:
    'Whether a new order takes its units from the stock; `none` by default. If there are too few, the order is on hold ' +
    'with the reason `oversold`.',
};
const stock: Schema = { type: 'string', enum: ['reserve', 'none'] };

/** The schemas of what the operator states of an order, with descriptions. */
export const draftSchemas = Object.fromEntries(
  Object.keys(draftFields).map((name) => {
    const { description: known, ...schema } =
      name === 'stock' ? stock : (orderSchema.properties?.[name] ?? {});
    const description = descriptions[name as DraftField] ?? known ?? `The order’s \`${name}\`.`;
    const isNullable = !(draftFields[name as DraftField].fromJson(null) instanceof InvalidValue);
    return [name, { ...(isNullable ? orNull(schema) : schema), description }];
  }),
) as Record<DraftField, Schema>;

/** A line of a stream of orders. */
export const streamedOrderSchema: Schema = {
  title: 'StreamedOrder',
  description: 'An order as the operator states it.',
  type: 'object',
  properties: draftSchemas,
  required: ['external_id'],
};

export const exampleStreamedOrder = {
  external_id: exampleOrder.external_id,
  product_identifier: exampleOrder.product_identifier,
  variation_identifier: exampleOrder.variation_identifier,
  product_quantity: exampleOrder.product_quantity,
  customer_name: 'A. Customer',
  address1: '1 Example Street',
  city: 'Springfield',
  state: exampleOrder.state,
  postal_code: '90210',
  country: exampleOrder.country,
  available_refunds: exampleOrder.available_refunds,
  fulfillment_due_date: exampleOrder.fulfillment_due_date,
  stock: 'reserve',
};
