import type { FastifyInstance } from 'fastify';
import type { Call } from '../../http/endpoint/register.ts';
import { registerWrite, type WriteServices } from '../../http/endpoint/register-write.ts';
import type { ParameterDefinitions } from '../../http/parameters/bind.ts';
import { sendRecord } from '../../http/responses/respond.ts';
import { type Product, renderProduct } from '../record/product.ts';
import type { WriteScope, WriteSettings } from './change-product.ts';
import { createParameters, identifierType, updateParameters } from './parameters.ts';
import { createProduct, setProductState, updateProduct } from './products.ts';
import { fieldReferences, productIdentifier, writeReference } from './references.ts';

const actions = {
  enable: {
    name: 'enableProduct',
    summary: 'Enable a product',
    description: 'Makes a disabled product available again. Repeating it changes nothing.',
  },
  disable: {
    name: 'disableProduct',
    summary: 'Disable a product',
    description: 'Takes a product out of sale until it is enabled. Repeating it changes nothing.',
  },
  delete: {
    name: 'deleteProduct',
    summary: 'Delete a product',
    description:
      'Marks a product as deleted. It keeps its identifier, with which it can be created again. Repeating it changes ' +
      'nothing.',
  },
} as const;

/** The calls that write products (contract for writing, “Products and variations”). */
export function productWriteRoutes(
  app: FastifyInstance,
  settings: WriteSettings,
  services: WriteServices,
): void {
  const render = async (product: Promise<Product>): Promise<string> => renderProduct(await product);
  registerWrite(app, services, {
    path: '/products.json',
    scope: 'write',
    parameters: createParameters,
    statuses: [200, 409, 412],
    reference: writeReference<typeof createParameters>(
      'createProduct',
      {
        summary: 'Create a product',
        description:
          'Creates a product with up to 10,000 variations. With the identifier of a deleted product, that product ' +
          'returns with the new values.',
      },
      fieldReferences(createParameters),
    ),
    write: (connection, call) =>
      render(createProduct(connection, scopeOf(call, settings, services), call.input)),
    send: sendRecord,
  });
  registerWrite(app, services, {
    path: '/products/update.json',
    scope: 'write',
    parameters: updateParameters,
    statuses: [200, 404, 409, 412],
    reference: writeReference<typeof updateParameters>(
      'updateProduct',
      {
        summary: 'Update a product',
        description:
          'Changes the fields that are sent. Listed variations are added or changed, and others stay as they are. Name ' +
          'the product by `identifier` or by `internal_id`.',
      },
      fieldReferences(updateParameters),
    ),
    write: (connection, call) =>
      render(updateProduct(connection, scopeOf(call, settings, services), call.input)),
    send: sendRecord,
  });
  for (const action of ['enable', 'disable', 'delete'] as const) {
    const { name, ...texts } = actions[action];
    registerWrite(app, services, {
      path: `/products/${action}.json`,
      scope: 'write',
      parameters: { identifier: { type: identifierType, required: true } },
      statuses: [200, 404, 409, 412],
      reference: writeReference<{ identifier: { type: typeof identifierType; required: true } }>(
        name,
        texts,
        {
          identifier: productIdentifier,
        },
      ),
      write: (connection, call) =>
        render(
          setProductState(connection, scopeOf(call, settings, services), {
            identifier: call.input.identifier,
            action,
          }),
        ),
      send: sendRecord,
    });
  }
}

/** Returns whose products a call writes, and under which conditions. */
export function scopeOf<Definitions extends ParameterDefinitions>(
  { request, caller: { merchantId } }: Call<Definitions>,
  settings: WriteSettings,
  { now }: Pick<WriteServices, 'now'>,
): WriteScope {
  return { ...settings, merchantId, now: now(), ifMatch: request.headers['if-match'] };
}
