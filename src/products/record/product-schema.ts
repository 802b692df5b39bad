import { nonNegativeNumber, orNull, record, type Schema, time } from '../../http/schema.ts';
import { productDescriptions, variationDescriptions } from './field-descriptions.ts';
import type { ImageSizes, OriginalFields, Upsell } from './original-fields.ts';
import {
  type Field,
  type FieldKind,
  MAX_COUNT,
  MAX_IDENTIFIER,
  type Product,
  productFields,
  productStatuses,
  type Variation,
  variationFields,
} from './product.ts';

/** For character classes: all of ASCII except letters, digits, `.`, `-`, `_` and the space. */
const OTHER_ASCII = '\\x00-\\x1f!-,/:-@\\[-\\^`{-\\x7f';
const ANY = `[^${OTHER_ASCII}]`;
const NO_SPACE = `[^ ${OTHER_ASCII}]`;
const NO_DOT = `[^ .${OTHER_ASCII}]`;
/**
 * The rule for identifiers as far as a regular expression can state it without the flag `u`, which many
 * validators do not set: which ASCII characters are allowed. Excludes `.` and `..` without a lookahead, which
 * some generators of clients do not support. `identifierRule` states the whole rule.
 */
export const IDENTIFIER_PATTERN = `^(${NO_DOT}${NO_SPACE}?|\\.${NO_DOT}|${NO_SPACE}${ANY}+${NO_SPACE})$`;

const identifier: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_IDENTIFIER,
  pattern: IDENTIFIER_PATTERN,
};
const valueSchemas: Record<Exclude<FieldKind, 'variations'>, Schema> = {
  identifier,
  assigned: { type: 'integer', minimum: 1 },
  status: { type: 'string', enum: productStatuses },
  category: orNull({ type: 'string' }),
  text: orNull({ type: 'string' }),
  amount: orNull(nonNegativeNumber),
  rating: orNull(nonNegativeNumber),
  count: orNull({ type: 'integer', format: 'int32', minimum: 0, maximum: MAX_COUNT }),
  sum: orNull({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  time: orNull(time),
};

export const variationProperties = propertiesOf(variationFields, variationDescriptions);

const variationSchema = record<Variation>(
  'Variation',
  'A variation of a product, such as one size.',
  variationProperties,
);

export const productProperties = propertiesOf(productFields, productDescriptions);

export const productsTag = { name: 'Products', description: 'The merchant’s catalog.' };

const amount = orNull(nonNegativeNumber);
const url: Schema = { type: 'string', description: 'The URL of the image.' };

const imageSchema = record<ImageSizes>('ProductImage', 'An image. All sizes have the same URL.', {
  square: url,
  thumbnail: url,
  medium: url,
  large: url,
  original: url,
});

const upsellSchema = record<Upsell>('Upsell', 'An offer with a product.', {
  type_description: {
    type: 'string',
    enum: ['buy_one_get_one', 'accessory'],
    description: 'What kind of offer it is.',
  },
  amount: { ...nonNegativeNumber, description: 'Its price, in the merchant’s currency.' },
  description: {
    ...orNull({ type: 'string' }),
    description: 'What it is, in words; null if there are none.',
  },
});

/** The fields that records have for callers that ask for them. */
export const originalProperties: Record<keyof OriginalFields, Schema> = {
  starting_bid: { ...amount, description: 'The same as `minimum_bid_amount`, in the merchant’s currency.' },
  success_fee_bid: {
    ...amount,
    description: 'The same as `scheduling_fee_bid`, in the merchant’s currency.',
  },
  success_fee_bid_enabled: { type: 'boolean', description: 'Whether there is a `scheduling_fee_bid`.' },
  slug: { type: 'null', description: 'Not supported.' },
  all_images: {
    type: 'array',
    items: imageSchema,
    description: 'The `primary_image`, then the `extra_images`.',
  },
  upsells: { type: 'array', items: upsellSchema, description: 'Buy one, get one; then the accessory.' },
  admin_banned_at: { ...orNull(time), description: 'Since when the operator has banned the product.' },
  admin_hold_at: { ...orNull(time), description: 'Since when the operator has found it problematic.' },
  admin_reason: { ...orNull({ type: 'string' }), description: 'The operator’s reasons, as text.' },
};

const FIELDS_NOTE = 'Only with `Tradepost-Fields: original`.';

/** A product as the API shows it (contract, “Product”), with the fields that callers may ask for. */
export const productSchema: Schema = {
  ...record<Product>(
    'Product',
    'A product. Amounts are in the currency’s major unit, for example dollars.',
    productProperties,
  ),
  properties: {
    ...productProperties,
    ...Object.fromEntries(
      Object.entries(originalProperties).map(([name, schema]) => [
        name,
        { ...schema, description: `${schema.description} ${FIELDS_NOTE}` },
      ]),
    ),
  },
};

function propertiesOf<Fields extends Record<string, Field>>(
  fields: Fields,
  descriptions: Record<keyof Fields, string>,
): Record<keyof Fields, Schema> {
  const properties = Object.entries(fields).map(([name, { kind }]) => {
    const schema = kind === 'variations' ? { type: 'array', items: variationSchema } : valueSchemas[kind];
    return [name, { ...schema, description: descriptions[name] }];
  });
  return Object.fromEntries(properties) as Record<keyof Fields, Schema>;
}
