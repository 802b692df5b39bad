import type { FastifyInstance } from 'fastify';
import { VARY_BY_FIELDS } from '../../http/endpoint/record-fields.ts';
import { sendRecord } from '../../http/responses/respond.ts';
import { exampleProduct } from '../record/example-product.ts';
import { productIdentifier } from '../record/product-parameters.ts';
import { productSchema, productsTag } from '../record/product-schema.ts';
import { createParameters, identifierType, updateParameters } from './parameters.ts';
import { createProduct, setProductState, updateProduct } from './products.ts';
import { type RecordWriteServices, RecordWrites } from './register-record-writes.ts';
import { requireProductQuantities } from './stock-scope.ts';

/** The calls that write products (contract for writing, “Products and variations”). */
export function productWriteEndpoints(app: FastifyInstance, services: RecordWriteServices): void {
  const calls = new RecordWrites(app, services, {
    tag: productsTag,
    success: {
      description: 'The product after the write.',
      schema: productSchema,
      examples: { product: { summary: 'A product with variations', value: exampleProduct } },
    },
    hasFields: true,
    send: (request, reply, json) => sendRecord(request, reply, json, { vary: VARY_BY_FIELDS }),
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
      'the product by `identifier` or by `internal_id`. A key with the scope `stock` can only change the quantities of ' +
      'the product and of the variations that it has.',
    parameters: updateParameters,
    requireQuantities: requireProductQuantities,
    toInput: (input, { onlyQuantities }) => (onlyQuantities ? { ...input, onlyQuantities } : input),
    change: updateProduct,
  });
  calls.register({
    path: '/products/enable_catalog_only.json',
    name: 'enableProductCatalogOnly',
    summary: 'Sell a product only from the catalog',
    description:
      'Sets `catalog_only_at`: the product is sold from the catalog, and never placed in auctions. If it is disabled, ' +
      'this enables it. `products/enable` clears `catalog_only_at`. Repeating it changes nothing.',
    parameters: { identifier: { type: identifierType, required: true, ...productIdentifier } },
    toInput: ({ identifier }) => ({ identifier, action: 'enable_catalog_only' as const }),
    change: setProductState,
  });
  const descriptions = {
    enable:
      'Makes a product available again that is disabled or sold only from the catalog, without limits to where it is sold.',
    disable: 'Takes a product out of sale until it is enabled.',
    delete: 'Marks a product as deleted. It keeps its identifier, with which it can be created again.',
  };
  calls.registerActions('products', { identifier: productIdentifier, descriptions }, setProductState);
}
