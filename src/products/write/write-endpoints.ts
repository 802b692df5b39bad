import type { FastifyInstance } from 'fastify';
import { sendRecord } from '../../http/responses/respond.ts';
import { exampleProduct } from '../record/example-product.ts';
import { productIdentifier } from '../record/product-parameters.ts';
import { productSchema, productsTag } from '../record/product-schema.ts';
import { createParameters, updateParameters } from './parameters.ts';
import { createProduct, setProductState, updateProduct } from './products.ts';
import { type RecordWriteServices, RecordWrites } from './register-record-writes.ts';

/** The calls that write products (contract for writing, “Products and variations”). */
export function productWriteEndpoints(app: FastifyInstance, services: RecordWriteServices): void {
  const calls = new RecordWrites(app, services, {
    tag: productsTag,
    success: {
      description: 'The product after the write.',
      schema: productSchema,
      examples: { product: { summary: 'A product with variations', value: exampleProduct } },
    },
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
    isNeverMissing: true,
    toInput: (input) => input,
    change: createProduct,
  });
  calls.register({
    path: '/products/update.json',
    name: 'updateProduct',
    summary: 'Update a product',
    description:
      'Changes the fields that are sent. Listed variations are added or changed, and others stay as they are. Name ' +
      'the product by `identifier` or by `internal_id`.',
    parameters: updateParameters,
    toInput: (input) => input,
    change: updateProduct,
  });
  const descriptions = {
    enable: 'Makes a disabled product available again.',
    disable: 'Takes a product out of sale until it is enabled.',
    delete: 'Marks a product as deleted. It keeps its identifier, with which it can be created again.',
  };
  calls.registerActions('products', { identifier: productIdentifier, descriptions }, setProductState);
}
