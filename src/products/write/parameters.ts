import type { BoundParameters, ParameterDefinition } from '../../http/parameters/bind.ts';
import type { RawParameter } from '../../http/parameters/raw-parameters.ts';
import {
  clearable,
  INT32_MIN,
  ignored,
  type ParameterType,
  wholeNumber,
} from '../../http/parameters/types.ts';
import type { Schema } from '../../http/schema.ts';
import { fieldReaders, readersOf } from '../files/read-fields.ts';
import { exampleProduct } from '../record/example-product.ts';
import {
  type Field,
  type Product,
  productFields,
  type Variation,
  variationFields,
} from '../record/product.ts';
import { productIdentifier } from '../record/product-parameters.ts';
import { fieldParameter, unsupportedFlagParameter, unsupportedParameter } from './field-parameter.ts';
import { originalParameters } from './original-parameters.ts';
import { FIXED, productParameterSchemas, READ_ONLY, variationParameterSchemas } from './parameter-schemas.ts';

/** Fields of other versions of the API that have no meaning here. */
export const unsupportedNames = [
  'minimum_alerts_needed',
  'buy_one_get_one_available',
  'blacklisted_at',
  'in_review_at',
  'approved_at',
  'refused_at',
  'held_at',
  'admin_hold_responded_at',
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
    description: string;
    example?: string | number;
  };
};

const entryParameters = {
  identifier: {
    type: fieldParameter('identifier', fieldReaders.identifier, variationParameterSchemas.identifier),
    required: true,
  },
  ...fieldParameters<typeof variationFields, Variation>(variationFields, variationParameterSchemas),
} as const;

const fields = fieldParameters<typeof productFields, Product>(
  productFields,
  productParameterSchemas,
  exampleProduct,
);

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

function olderNameOf<Name extends keyof typeof fields>(name: Name) {
  return {
    type: fields[name].type,
    null: 'clears' as const,
    description: `The older name of \`${name}\`, in the merchant’s currency.`,
  };
}

const sharedParameters = {
  ...fields,
  variations: {
    type: variationsType,
    entries: entryParameters,
    description: productParameterSchemas.variations.description ?? '',
  },
  starting_bid: olderNameOf(aliases.starting_bid),
  success_fee_bid: olderNameOf(aliases.success_fee_bid),
  ...originalParameters,
  ...(Object.fromEntries(unsupportedNames.map((name) => [name, unsupportedParameter])) as Record<
    (typeof unsupportedNames)[number],
    typeof unsupportedParameter
  >),
  buy_one_get_one_available: unsupportedFlagParameter,
} as const;

const { null: _, ...status } = fields.status;
const { null: __, ...title } = fields.title;

const { type: quantityType } = fields.available_quantity;

/** What is wrong with a quantity that is NaN. */
export const NO_QUANTITY = `expected ${quantityType.expected}`;

/** The whole record, most of it optional. */
export const createParameters = {
  identifier: { type: identifierType, required: true, ...productIdentifier },
  ...sharedParameters,
  // Published clients copy a product together with its internal id.
  internal_id: { type: ignored, description: 'Ignored: the service assigns it.' },
  status,
  title: { ...title, required: true },
  available_quantity: {
    ...fields.available_quantity,
    // Whether an unreadable quantity matters is known once the variations are read: it is NaN until then.
    type: { ...quantityType, read: (sent: RawParameter): number => numberOrNaN(quantityType.read(sent)) },
    description: 'The units in stock. Ignored where there are variations, whose quantities it sums.',
  },
} as const;

/** The product's identifier or internal id, and what to change. */
export const updateParameters = {
  identifier: {
    ...productIdentifier,
    type: identifierType,
    description: `${productIdentifier.description} Or send \`internal_id\`.`,
  },
  ...sharedParameters,
  internal_id: {
    type: wholeNumber(1),
    description:
      'The product’s `internal_id`, instead of `identifier`. Next to `identifier`, it is read-only.',
  },
} as const;

export const stockParameters = {
  quantity: { ...entryParameters.quantity, description: 'The units in stock.', example: 12 },
  size: { ...entryParameters.size, description: `The size. ${FIXED}` },
  color: { ...entryParameters.color, description: `The color. ${FIXED}` },
  quantity_change: { type: wholeNumber(INT32_MIN), description: 'The units to add; negative to subtract.' },
  quantity_was: {
    type: wholeNumber(0),
    description: 'The units in stock that the change is based on. The call fails if there are others.',
  },
} as const;

function numberOrNaN(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

const readOnly = { description: READ_ONLY };

/** The fields of a variation by itself that writes accept only with their current values. */
export const readOnlyVariationParameters = {
  product_internal_id: { ...clearable(wholeNumber(1)), ...readOnly },
  internal_id: { ...entryParameters.internal_id, ...readOnly },
  created_at: { ...entryParameters.created_at, ...readOnly },
  disabled_at: { ...entryParameters.disabled_at, ...readOnly },
  deleted_at: { ...entryParameters.deleted_at, ...readOnly },
} as const;

export type ProductInput = Omit<BoundParameters<typeof updateParameters>, 'internal_id'> & {
  internal_id?: number | null | undefined;
};

function fieldParameters<Fields extends Record<string, Field>, Shape>(
  fields: Fields,
  properties: Record<keyof Fields, Schema>,
  examples: Partial<Record<keyof Fields, unknown>> = {},
): ParametersOf<Fields, Shape> {
  const readers = readersOf(fields);
  const definitions = Object.entries(fields).flatMap(
    ([name, { kind, owner }]): [string, ParameterDefinition][] => {
      if (kind === 'identifier' || kind === 'variations') return [];
      // A merchant may send a rating back as it was read, and stored ratings may be above the best one.
      const reader = kind === 'rating' ? fieldReaders.amount : readers.get(name);
      const schema = properties[name as keyof Fields];
      const type = reader == null ? { ...wholeNumber(1), schema } : fieldParameter(kind, reader, schema);
      const example = owner === 'merchant' ? examples[name as keyof Fields] : undefined;
      const isShown = typeof example === 'string' || typeof example === 'number';
      const { description = '' } = schema;
      return [[name, { type, null: 'clears', description, ...(isShown && { example }) }]];
    },
  );
  return Object.fromEntries(definitions) as ParametersOf<Fields, Shape>;
}
