import type { FastifyInstance } from 'fastify';
import { sendJson } from '../http/responses/respond.ts';
import { type RecordWriteServices, RecordWrites } from '../products/write/register-record-writes.ts';
import { requireVariationQuantities } from '../products/write/stock-scope.ts';
import {
  createVariationParameters,
  updateVariationParameters,
  variationIdentifier,
} from './variation-parameters.ts';
import { variationSuccess, variationsTag } from './variation-schema.ts';
import { createVariation, setVariationState, updateVariation } from './write-variation.ts';

/** The calls that write variations (contract for writing, “Products and variations”). */
export function variationWriteEndpoints(app: FastifyInstance, services: RecordWriteServices): void {
  const calls = new RecordWrites(app, services, {
    tag: variationsTag,
    success: { description: 'The variation after the write.', ...variationSuccess },
    hasFields: false,
    send: sendJson,
  });
  calls.register({
    path: '/variations.json',
    name: 'createVariation',
    summary: 'Create a variation',
    description:
      'Adds a variation to a product. A deleted one with the identifier returns with the new values.',
    parameters: createVariationParameters,
    toInput: (input) => input,
    change: createVariation,
  });
  calls.register({
    path: '/variations/update.json',
    name: 'updateVariation',
    summary: 'Change the stock of a variation',
    description:
      'Sets the stock with `quantity`, or changes it by `quantity_change`. If the result would be below 0, or ' +
      '`quantity_was` is not the current quantity, the message contains the current quantity, and nothing changes. A key ' +
      'with the scope `stock` may not send `size`, `color` or times.',
    parameters: updateVariationParameters,
    requireQuantities: requireVariationQuantities,
    toInput: (input) => input,
    change: updateVariation,
  });
  const descriptions = {
    enable: 'Makes a disabled variation available.',
    disable: 'Takes a variation out of sale.',
    delete: 'Marks a variation as deleted.',
  };
  calls.registerActions('variations', { identifier: variationIdentifier, descriptions }, setVariationState);
}
