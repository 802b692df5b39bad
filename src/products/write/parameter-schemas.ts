import { orNull, type Schema } from '../../http/schema.ts';
import { CATEGORY_PATTERN, MAX_CATEGORY } from '../files/read-fields.ts';
import { WEB_URL } from '../record/check-record.ts';
import { conditions, type Field, MAX_COUNT, productFields, variationFields } from '../record/product.ts';
import { productProperties, variationProperties } from '../record/product-schema.ts';
import { MAX_RECORD_BYTES } from '../record/record-size.ts';

export const READ_ONLY = 'Read-only: accepted with its current value.';
const URL = WEB_URL.slice(1, -1);
/** Files of shops have blank ones too. */
const URLS = String.raw`^(?:${URL}|\s*)(?:\|(?:${URL}|\s*))*$`;
export const FIXED = 'It cannot change after creation.';

export const productParameterSchemas = {
  ...schemasOf(productFields, productProperties, (name) =>
    productFields[name].owner === 'merchant' ? undefined : READ_ONLY,
  ),
  category: {
    ...limitsOf(productFields.category),
    type: ['string', 'null'],
    description:
      'Category levels, separated by `|`, as in `Home | Garden`. A category whose levels are separated by `>`, such as ' +
      '`Home > Garden`, is refused unless the product has it already.',
  },
  title: {
    type: 'string',
    maxLength: productFields.title.maxLength,
    description: 'The title that customers see, such as `Stoneware vase`. It cannot be cleared.',
  },
  description: {
    type: ['string', 'null'],
    maxLength: productFields.description.maxLength,
    description: `The description that customers read. A record has at most ${MAX_RECORD_BYTES} bytes without its variations.`,
  },
  condition: {
    type: ['string', 'null'],
    maxLength: productFields.condition.maxLength,
    description: `The condition: ${conditions.join(', ')}, or the product’s current one.`,
  },
  primary_image: {
    type: ['string', 'null'],
    maxLength: productFields.primary_image.maxLength,
    pattern: WEB_URL,
    description: 'The URL of the main image, which starts with `https://` or `http://`.',
  },
  extra_images: {
    type: ['string', 'null'],
    maxLength: productFields.extra_images.maxLength,
    pattern: URLS,
    description: 'URLs of more images, separated by `|`. Each starts with `https://` or `http://`.',
  },
  available_quantity: {
    ...productProperties.available_quantity,
    maximum: MAX_COUNT,
    description: `The units in stock, at most ${MAX_COUNT}. Where there are variations, it is the sum of the quantities of those that are neither disabled nor deleted, and read-only.`,
  },
} as const satisfies Record<keyof typeof productFields, Schema>;

const variationSchemas = schemasOf(variationFields, variationProperties, (name) => {
  if (name === 'size' || name === 'color') return FIXED;
  return name === 'identifier' || name === 'quantity' ? undefined : READ_ONLY;
});
export const variationParameterSchemas = {
  ...variationSchemas,
  // A new variation has none.
  internal_id: orNull(variationSchemas.internal_id),
};

function schemasOf<Fields extends Readonly<Record<string, Field>>>(
  fields: Fields,
  properties: Record<keyof Fields, Schema>,
  noteOn: (name: keyof Fields) => string | undefined,
): Record<keyof Fields, Schema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { description = '', ...schema } = properties[name as keyof Fields];
      const text = [description, noteOn(name) ?? ''].filter((part) => part !== '').join(' ');
      return [name, { ...schema, ...limitsOf(field), ...(text !== '' && { description: text }) }];
    }),
  ) as Record<keyof Fields, Schema>;
}

/** Returns the limits of new values. Stored ones may exceed them. */
function limitsOf(field: Field): Schema {
  if (field.kind === 'text') return { maxLength: field.maxLength };
  if (field.kind === 'assigned') return { format: 'int32', maximum: MAX_COUNT };
  return field.kind === 'category' ? { maxLength: MAX_CATEGORY, pattern: CATEGORY_PATTERN } : {};
}
