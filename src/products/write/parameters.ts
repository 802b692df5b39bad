import type { BoundParameters, ParameterDefinition } from '../../http/parameters/bind.ts';
import { clearable, INT32_MIN, type ParameterType, wholeNumber } from '../../http/parameters/types.ts';
import type { Schema } from '../../http/schema.ts';
import { fieldReaders, readersOf } from '../files/read-fields.ts';
import {
  type Field,
  type Product,
  productFields,
  type Variation,
  variationFields,
} from '../record/product.ts';
import { fieldParameter, ignored, unsupported, unsupportedFlag } from './field-parameter.ts';
import { productParameterSchemas, variationParameterSchemas } from './parameter-schemas.ts';

/** Fields of other versions of the API that have no meaning here. */
export const unsupportedNames = [
  'slug',
  'all_images',
  'upsells',
  'minimum_alerts_needed',
  'success_fee_bid_enabled',
  'buy_one_get_one_available',
  'blacklisted_at',
  'catalog_only_at',
  'in_review_at',
  'approved_at',
  'refused_at',
  'held_at',
  'admin_banned_at',
  'admin_hold_at',
  'admin_hold_responded_at',
  'admin_reason',
  'health_status',
  'health_reason',
  'desirability_score',
] as const;

/** Older names of fields. */
export const aliases = {
  starting_bid: 'minimum_bid_amount',
  success_fee_bid: 'scheduling_fee_bid',
} as const satisfies Record<string, keyof Product>;

type ParametersOf<Fields, Shape> = {
  [Name in Exclude<keyof Fields, 'identifier' | 'variations'> & keyof Shape & string]: {
    type: ParameterType<NonNullable<Shape[Name]>>;
    null: 'clears';
  };
};

const entryParameters = {
  identifier: {
    type: fieldParameter('identifier', fieldReaders.identifier, variationParameterSchemas.identifier),
    required: true,
  },
  ...fieldParameters<typeof variationFields, Variation>(variationFields, variationParameterSchemas),
} as const;

const fields = fieldParameters<typeof productFields, Product>(productFields, productParameterSchemas);

const variationsType: ParameterType<never> = {
  expected: 'a list of variations, or an object of variations by identifier',
  schema: {
    type: 'array',
    items: {
      title: 'VariationChange',
      description: 'A variation to add or change. Fields that are missing keep their values.',
      type: 'object',
      properties: variationParameterSchemas,
      required: ['identifier'],
      additionalProperties: false,
    },
  },
  read: () => undefined,
};

export const identifierType: ParameterType<string> = fieldParameter(
  'identifier',
  fieldReaders.identifier,
  productParameterSchemas.identifier,
);

/** Where it selects nothing, it is accepted with its current value. */
export const readOnlyInternalId = fields.internal_id;

const sharedParameters = {
  ...fields,
  variations: { type: variationsType, entries: entryParameters },
  starting_bid: fields.minimum_bid_amount,
  success_fee_bid: fields.scheduling_fee_bid,
  ...(Object.fromEntries(unsupportedNames.map((name) => [name, { type: unsupported }])) as Record<
    (typeof unsupportedNames)[number],
    { type: ParameterType<never> }
  >),
  buy_one_get_one_available: { type: unsupportedFlag },
} as const;

/** The whole record, most of it optional. */
export const createParameters = {
  identifier: { type: identifierType, required: true },
  ...sharedParameters,
  // Published clients copy a product together with its internal id.
  internal_id: { type: ignored },
  status: { type: fields.status.type },
  title: { type: fields.title.type, required: true },
} as const;

/** The product's identifier or internal id, and what to change. */
export const updateParameters = {
  identifier: { type: identifierType },
  ...sharedParameters,
  internal_id: { type: wholeNumber(1) },
} as const;

export const stockParameters = {
  quantity: entryParameters.quantity,
  size: entryParameters.size,
  color: entryParameters.color,
  quantity_change: { type: wholeNumber(INT32_MIN) },
  quantity_was: { type: wholeNumber(0) },
} as const;

/** The fields of a variation by itself that writes accept only with their current values. */
export const readOnlyVariationParameters = {
  product_internal_id: clearable(wholeNumber(1)),
  internal_id: entryParameters.internal_id,
  created_at: entryParameters.created_at,
  disabled_at: entryParameters.disabled_at,
  deleted_at: entryParameters.deleted_at,
} as const;

export type ProductInput = Omit<BoundParameters<typeof updateParameters>, 'internal_id'> & {
  internal_id?: number | null | undefined;
};

function fieldParameters<Fields extends Record<string, Field>, Shape>(
  fields: Fields,
  properties: Record<keyof Fields, Schema>,
): ParametersOf<Fields, Shape> {
  const readers = readersOf(fields);
  const definitions = Object.entries(fields).flatMap(([name, { kind }]): [string, ParameterDefinition][] => {
    if (kind === 'identifier' || kind === 'variations') return [];
    // A merchant may send a rating back as it was read, and stored ratings may be above the best one.
    const reader = kind === 'rating' ? fieldReaders.amount : readers.get(name);
    const schema = properties[name as keyof Fields];
    const type = reader == null ? { ...wholeNumber(1), schema } : fieldParameter(kind, reader, schema);
    return [[name, { type, null: 'clears' }]];
  });
  return Object.fromEntries(definitions) as ParametersOf<Fields, Shape>;
}
