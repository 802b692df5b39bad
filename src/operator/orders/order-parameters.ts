import type { ValueReader } from '../../files/value-readers.ts';
import type { ParameterDefinition } from '../../http/parameters/bind.ts';
import { boolean, oneOf, type ParameterType, text } from '../../http/parameters/types.ts';
import type { Schema } from '../../http/schema.ts';
import { idInPath, MAX_PACKAGE_ID, MAX_REFUND_ID } from '../../orders/order-parameters.ts';
import { draftFields, externalIdRule, isExternalId } from '../../orders/push/draft-readers.ts';
import { draftSchemas, exampleStreamedOrder } from '../../orders/push/draft-schema.ts';
import { exampleOrder } from '../../orders/record/example-order.ts';
import { packageStates } from '../../orders/record/order.ts';
import { InvalidValue } from '../../shared/invalid-value.ts';
import { merchantInPath } from '../merchants/merchant-parameters.ts';

const MAX_REASON = 255;
const MAX_ID = 100;

const externalOrderId: ParameterType<string> = {
  expected: externalIdRule,
  schema: { type: 'string', minLength: 1, maxLength: MAX_ID },
  read: ({ kind, text: id }) => ((kind === 'text' || kind === 'string') && isExternalId(id) ? id : undefined),
};

export const orderInPath = {
  ...merchantInPath,
  order: {
    type: externalOrderId,
    description: 'The `external_id` of the order: the operator’s own ID.',
    example: exampleOrder.external_id,
  },
};

export const packageInPath = {
  ...orderInPath,
  package: {
    type: idInPath(MAX_PACKAGE_ID),
    description: 'The `package_id` of the package.',
    example: exampleOrder.packages[0]?.package_id ?? '',
  },
};

export const refundInPath = {
  ...orderInPath,
  refund: {
    type: idInPath(MAX_REFUND_ID),
    description: 'The `refund_id` of the refund.',
    example: 'refund-1',
  },
};

const { external_id: _, ...statedFields } = draftFields;
const examples: Readonly<Record<string, unknown>> = exampleStreamedOrder;

/** The fields of an order that the operator states, as in a stream. */
export const pushParameters: Record<string, ParameterDefinition> = Object.fromEntries(
  Object.entries(statedFields).map(([name, reader]): [string, ParameterDefinition] => {
    const { description = '', ...schema } = draftSchemas[name as keyof typeof statedFields];
    const example = examples[name];
    const shown = example !== undefined && { example };
    return [name, { type: typeOf(reader, schema), ...nullOf(reader), description, ...shown }];
  }),
);

export const retrieveParameters = {
  test: {
    type: boolean,
    description: 'Whether to look in the merchant’s test data.',
    default: false,
  },
  hide_customer: {
    type: boolean,
    description: 'Whether to leave out the customer’s data.',
    default: false,
  },
} as const;

export const stateParameters = {
  state: {
    type: oneOf(['held', 'released', 'canceled']),
    required: true,
    description: 'What to do with the order.',
    example: 'held',
  },
  reason: {
    type: text(MAX_REASON),
    description: 'Why the order is held or canceled. Required unless it is released.',
    example: 'address check',
  },
} as const;

export const packageParameters = {
  state: {
    type: oneOf(packageStates.filter((state) => state !== 'shipped')),
    required: true,
    description: 'What the carrier reports.',
    example: 'in_transit',
  },
} as const;

export const refundParameters = {
  state: {
    type: oneOf(['settled', 'failed']),
    required: true,
    description: 'What became of the refund.',
    example: 'failed',
  },
  failure: {
    type: text(MAX_REASON),
    description: 'Why the refund failed. Required if it did.',
    example: 'the card has expired',
  },
} as const;

/** What null means, as in a stream: it clears the field, is refused, or counts as missing. */
function nullOf(reader: ValueReader<unknown>): Pick<ParameterDefinition, 'null'> {
  const read = reader.fromJson(null);
  if (read instanceof InvalidValue) return { null: 'refused' };
  return read === null ? { null: 'clears' } : {};
}

/** Reads a JSON value as a stream does. */
function typeOf(reader: ValueReader<unknown>, schema: Schema): ParameterType<unknown> {
  return {
    expected: 'a value as in an order',
    schema,
    isNested: true,
    read: ({ kind, text: sent }) =>
      reader.fromJson(kind === 'text' || kind === 'string' ? sent : JSON.parse(sent)),
  };
}
