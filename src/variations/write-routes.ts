import type { FastifyInstance } from 'fastify';
import type { EndpointReference, ParameterReference } from '../http/endpoint/reference.ts';
import { registerWrite, type WriteServices } from '../http/endpoint/register-write.ts';
import type { ParameterDefinitions } from '../http/parameters/bind.ts';
import { int32 } from '../http/parameters/types.ts';
import { sendJson } from '../http/responses/respond.ts';
import { textUpTo } from '../imports/value-readers.ts';
import { fieldReaders } from '../products/files/read-fields.ts';
import { MAX_COUNT, variationFields } from '../products/record/product.ts';
import { variationProperties } from '../products/record/product-schema.ts';
import type { WriteSettings } from '../products/write/change-product.ts';
import { fieldParameter } from '../products/write/field-parameter.ts';
import { identifierType } from '../products/write/parameters.ts';
import { productIdentifier, writeHeaders } from '../products/write/references.ts';
import { scopeOf } from '../products/write/routes.ts';
import { exampleVariationByItself, retrievedSchema, variationsTag } from './retrieve-reference.ts';
import type { RetrievedVariation } from './retrieve-variation.ts';
import { createVariation, setVariationState, updateVariation } from './write-variation.ts';

const count = fieldParameter('count', fieldReaders.count, variationProperties.quantity);
const text = (name: 'size' | 'color') =>
  fieldParameter('text', textUpTo(variationFields[name].maxLength), variationProperties[name]);

const identifier = { type: identifierType, required: true } as const;
const details = {
  quantity: { type: count, null: 'clears' },
  size: { type: text('size'), null: 'clears' },
  color: { type: text('color'), null: 'clears' },
} as const;
const createParameters = { product_identifier: identifier, identifier, ...details } as const;
const updateParameters = {
  identifier,
  ...details,
  quantity_change: { type: int32(-MAX_COUNT) },
  quantity_was: { type: int32(0) },
} as const;
const actionParameters = { identifier } as const;

const identifierReference = { description: 'The unique ID of the variation.', example: 'VASE-7-S' };
const detailReferences = {
  quantity: { description: 'The units in stock.', example: 12 },
  size: { description: 'The size. It is fixed when the variation is created.' },
  color: { description: 'The color. It is fixed when the variation is created.' },
};

const actions = {
  enable: {
    name: 'enableVariation',
    summary: 'Enable a variation',
    does: 'Makes a disabled variation available.',
  },
  disable: {
    name: 'disableVariation',
    summary: 'Disable a variation',
    does: 'Takes a variation out of sale.',
  },
  delete: { name: 'deleteVariation', summary: 'Delete a variation', does: 'Marks a variation as deleted.' },
} as const;

/** The calls that write variations (contract for writing, “Products and variations”). */
export function variationWriteRoutes(
  app: FastifyInstance,
  settings: WriteSettings,
  services: WriteServices,
): void {
  const render = async (variation: Promise<RetrievedVariation>): Promise<string> =>
    JSON.stringify(await variation);
  registerWrite(app, services, {
    path: '/variations.json',
    scope: 'write',
    parameters: createParameters,
    statuses: [200, 404, 409, 412],
    reference: reference<typeof createParameters>(
      'createVariation',
      'Create a variation',
      'Adds a variation to a product. A deleted one with the identifier returns with the new values.',
      { product_identifier: productIdentifier, identifier: identifierReference, ...detailReferences },
    ),
    write: (connection, call) =>
      render(createVariation(connection, scopeOf(call, settings, services), call.input)),
    send: sendJson,
  });
  registerWrite(app, services, {
    path: '/variations/update.json',
    scope: 'write',
    parameters: updateParameters,
    statuses: [200, 404, 409, 412],
    reference: reference<typeof updateParameters>(
      'updateVariation',
      'Change the stock of a variation',
      'Sets the stock with `quantity`, or changes it by `quantity_change`. If the result would be below 0, or ' +
        '`quantity_was` is not the current quantity, the message contains the current quantity, and nothing changes.',
      {
        identifier: identifierReference,
        ...detailReferences,
        quantity_change: { description: 'The units to add; negative to subtract.' },
        quantity_was: { description: 'The quantity that the change is based on.' },
      },
    ),
    write: (connection, call) =>
      render(updateVariation(connection, scopeOf(call, settings, services), call.input)),
    send: sendJson,
  });
  for (const action of ['enable', 'disable', 'delete'] as const) {
    const { name, summary, does } = actions[action];
    registerWrite(app, services, {
      path: `/variations/${action}.json`,
      scope: 'write',
      parameters: actionParameters,
      statuses: [200, 404, 409, 412],
      reference: reference<typeof actionParameters>(name, summary, `${does} Repeating it changes nothing.`, {
        identifier: identifierReference,
      }),
      write: (connection, call) =>
        render(
          setVariationState(connection, scopeOf(call, settings, services), {
            identifier: call.input.identifier,
            action,
          }),
        ),
      send: sendJson,
    });
  }
}

function reference<Definitions extends ParameterDefinitions>(
  name: string,
  summary: string,
  description: string,
  parameters: { readonly [Name in keyof Definitions]: ParameterReference },
): EndpointReference<Definitions> {
  const success = {
    description: 'The variation after the write.',
    schema: retrievedSchema,
    examples: { variation: { summary: 'One size of a product', value: exampleVariationByItself } },
  };
  return { name, tag: variationsTag, summary, description, parameters, headers: writeHeaders, success };
}
