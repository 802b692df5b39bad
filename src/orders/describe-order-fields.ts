import { type FieldDescription, nameOf } from '../products/retrieve/describe-fields.ts';
import { orderSchema } from './record/order-schema.ts';

/** Fields that a merchant changes with a call. */
const changeable = ['carrier', 'tracking_number', 'service_type', 'annotation', 'merchant_order_id'];

/** The fields of an order, in wire order. */
export const orderFieldDescriptions: FieldDescription[] = Object.entries(orderSchema.properties ?? {}).map(
  ([field, { description }]) => ({
    field,
    name: nameOf(field),
    required: false,
    readonly: !changeable.includes(field),
    description: description ?? `${nameOf(field)}.`,
  }),
);
