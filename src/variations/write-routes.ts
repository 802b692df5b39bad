import type { FastifyInstance } from 'fastify';
import { sendJson } from '../http/responses/respond.ts';
import { identifierRule } from '../products/record/field-descriptions.ts';
import {
  identifierType,
  readOnlyVariationParameters,
  stockParameters,
} from '../products/write/parameters.ts';
import { productIdentifier, stockReferences } from '../products/write/references.ts';
import { type RecordWriteServices, RecordWrites } from '../products/write/register-record-writes.ts';
import { exampleVariationByItself, retrievedSchema, variationsTag } from './retrieve-reference.ts';
import type { RetrievedVariation } from './retrieve-variation.ts';
import { createVariation, setVariationState, updateVariation } from './write-variation.ts';

const identifier = { type: identifierType, required: true } as const;
const { quantity, size, color } = stockParameters;
export const createVariationParameters = {
  product_identifier: identifier,
  identifier,
  quantity,
  size,
  color,
  ...readOnlyVariationParameters,
} as const;
const updateParameters = {
  product_identifier: { type: identifierType, null: 'clears' },
  identifier,
  ...stockParameters,
  ...readOnlyVariationParameters,
} as const;

const identifierReference = {
  description: `The unique ID of the variation. ${identifierRule}`,
  example: 'VASE-7-S',
};
const detailReferences = {
  quantity: stockReferences.quantity,
  size: { description: 'The size. It cannot change after creation.' },
  color: { description: 'The color. It cannot change after creation.' },
};
const readOnly = { description: 'Read-only: accepted with its current value.' };
const readOnlyReferences = {
  product_internal_id: readOnly,
  internal_id: readOnly,
  created_at: readOnly,
  disabled_at: readOnly,
  deleted_at: readOnly,
};

/** The calls that write variations (contract for writing, “Products and variations”). */
export function variationWriteRoutes(app: FastifyInstance, services: RecordWriteServices): void {
  const calls = new RecordWrites<RetrievedVariation>(app, services, {
    tag: variationsTag,
    success: {
      description: 'The variation after the write.',
      schema: retrievedSchema,
      examples: { variation: { summary: 'One size of a product', value: exampleVariationByItself } },
    },
    render: JSON.stringify,
    send: sendJson,
  });
  calls.register({
    path: '/variations.json',
    name: 'createVariation',
    summary: 'Create a variation',
    description:
      'Adds a variation to a product. A deleted one with the identifier returns with the new values.',
    parameters: createVariationParameters,
    references: {
      product_identifier: productIdentifier,
      identifier: identifierReference,
      ...detailReferences,
      ...readOnlyReferences,
    },
    write: createVariation,
  });
  calls.register({
    path: '/variations/update.json',
    name: 'updateVariation',
    summary: 'Change the stock of a variation',
    description:
      'Sets the stock with `quantity`, or changes it by `quantity_change`. If the result would be below 0, or ' +
      '`quantity_was` is not the current quantity, the message contains the current quantity, and nothing changes.',
    parameters: updateParameters,
    references: {
      product_identifier: { description: `${readOnly.description} ${identifierRule}` },
      identifier: identifierReference,
      ...detailReferences,
      ...readOnlyReferences,
      ...stockReferences,
    },
    write: updateVariation,
  });
  const descriptions = {
    enable: 'Makes a disabled variation available.',
    disable: 'Takes a variation out of sale.',
    delete: 'Marks a variation as deleted.',
  };
  calls.registerActions('variations', { identifier: identifierReference, descriptions }, setVariationState);
}
