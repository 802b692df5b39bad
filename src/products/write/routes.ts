import type { FastifyInstance } from 'fastify';
import { sendRecord } from '../../http/responses/respond.ts';
import { type Product, renderProduct } from '../record/product.ts';
import { createParameters, updateParameters } from './parameters.ts';
import { createProduct, setProductState, updateProduct } from './products.ts';
import { fieldReferences, productIdentifier, productsTag, writtenProduct } from './references.ts';
import { type RecordWriteServices, RecordWrites } from './register-record-writes.ts';

/** The calls that write products (contract for writing, “Products and variations”). */
export function productWriteRoutes(app: FastifyInstance, services: RecordWriteServices): void {
  const calls = new RecordWrites<Product>(app, services, {
    tag: productsTag,
    success: writtenProduct,
    render: renderProduct,
    send: sendRecord,
  });
  calls.register({
    path: '/products.json',
    name: 'createProduct',
    summary: 'Create a product',
    description:
      'Creates a product with up to 10,000 variations. With the identifier of a deleted product, that product ' +
      'returns with the new values.',
    parameters: createParameters,
    references: {
      ...fieldReferences(createParameters),
      internal_id: { description: 'Ignored: the service assigns it.' },
      available_quantity: {
        description: 'The units in stock. Ignored where there are variations, whose quantities it sums.',
      },
    },
    isNeverMissing: true,
    write: createProduct,
  });
  calls.register({
    path: '/products/update.json',
    name: 'updateProduct',
    summary: 'Update a product',
    description:
      'Changes the fields that are sent. Listed variations are added or changed, and others stay as they are. Name ' +
      'the product by `identifier` or by `internal_id`.',
    parameters: updateParameters,
    references: {
      ...fieldReferences(updateParameters),
      identifier: {
        ...productIdentifier,
        description: `${productIdentifier.description} Or send \`internal_id\`.`,
      },
    },
    write: updateProduct,
  });
  const descriptions = {
    enable: 'Makes a disabled product available again.',
    disable: 'Takes a product out of sale until it is enabled.',
    delete: 'Marks a product as deleted. It keeps its identifier, with which it can be created again.',
  };
  calls.registerActions('products', { identifier: productIdentifier, descriptions }, setProductState);
}
