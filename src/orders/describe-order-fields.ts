import { type FieldDescription, nameOf } from '../products/retrieve/describe-fields.ts';
import { orderSchema } from './record/order-schema.ts';

/** Fields that a merchant changes with a call. */
const changeable = ['carrier', 'tracking_number', 'service_type', 'annotation', 'merchant_order_id'];

/** The original API's names for people; other fields have names of their own words. */
const names: Readonly<Record<string, string>> = {
  product_identifier: 'Product Unique ID',
  variation_identifier: 'Variation Unique ID (SKU)',
  address1: 'Address 1',
  address2: 'Address 2',
  related_order_ids: 'Related order IDs',
};

/** The fields of an order, in wire order. */
export const orderFieldDescriptions: FieldDescription[] = Object.entries(orderSchema.properties ?? {}).map(
  ([field, { description }]) => {
    const name = names[field] ?? nameOf(field);
    const readonly = !changeable.includes(field);
    return { field, name, required: false, readonly, description: description ?? `${name}.` };
  },
);
