import { orNull, quantity, record, type Schema, time } from '../../http/endpoint/schema.ts';
import {
  type Field,
  type FieldKind,
  LONGEST_IDENTIFIER,
  MOST_COUNTED,
  type Product,
  productFields,
  productStatuses,
  type Variation,
  variationFields,
} from './product.ts';

const identifier: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: LONGEST_IDENTIFIER,
  pattern: String.raw`^[\p{L}\p{N} _-]+$`,
};
const valueSchemas: Record<Exclude<FieldKind, 'variations'>, Schema> = {
  identifier,
  assigned: { type: 'integer', minimum: 1 },
  status: { type: 'string', enum: productStatuses },
  category: orNull({ type: 'string' }),
  text: orNull({ type: 'string' }),
  amount: orNull(quantity),
  rating: orNull(quantity),
  count: orNull({ type: 'integer', format: 'int32', minimum: 0, maximum: MOST_COUNTED }),
  sum: orNull({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  time: orNull(time),
};

const variationDescriptions: Partial<Record<keyof Variation, string>> = {
  identifier: 'Its unique ID.',
  internal_id: 'Assigned by the service.',
  quantity: 'Units on sale.',
};

/** The schemas of a variation’s fields, in wire order. */
export const variationProperties = propertiesOf(variationFields, variationDescriptions);

const variationSchema = record<Variation>(
  'Variation',
  'A variation of a product, such as one size of it.',
  variationProperties,
);

const productDescriptions: Partial<Record<keyof Product, string>> = {
  identifier: 'Its unique ID within the merchant, the `unique_id` of the sorts.',
  internal_id: 'Assigned by the service; decides between products that sort alike.',
  status: 'The one state that it is in.',
  category: 'Its levels with ` | ` between them.',
  available_quantity: 'The sum over the variations that are neither disabled nor deleted.',
  cost_basis: 'The `target_price` of the sorts.',
  scheduling_fee_bid: 'What is bid for scheduling it, the `sfb` of the sorts.',
  max_daily_schedules: 'How often a day it may be scheduled into an auction.',
  extra_images: 'URLs with `|` between them.',
  ratings_average: 'The `ratings` of the sorts.',
  sales_count: 'The `sales` of the sorts.',
  updated_at: 'When somebody edited it last; a sale does not count.',
};

/** The schemas of a product’s fields, in wire order. */
export const productProperties = propertiesOf(productFields, productDescriptions);

/** A product as the API shows it (contract, “Product”). */
export const productSchema = record<Product>(
  'Product',
  'A product. Amounts are in the currency’s unit.',
  productProperties,
);

function propertiesOf<Fields extends Record<string, Field>>(
  fields: Fields,
  descriptions: Partial<Record<keyof Fields, string>>,
): Record<keyof Fields, Schema> {
  const properties = Object.entries(fields).map(([name, { kind }]) => {
    const schema = kind === 'variations' ? { type: 'array', items: variationSchema } : valueSchemas[kind];
    const description = descriptions[name];
    return [name, description === undefined ? schema : { ...schema, description }];
  });
  return Object.fromEntries(properties) as Record<keyof Fields, Schema>;
}
