import type { Success } from '../../http/endpoint/declaration.ts';
import { exampleSummary, pageSchemas, schemaOfChanges } from '../../http/pages/page-schema.ts';
import { exampleProduct } from '../record/example-product.ts';
import { productSchema } from '../record/product-schema.ts';

/** The response to `changed_since`. */
export const changesSchema = schemaOfChanges('ProductChanges', { items: 'Products', schema: productSchema });

export const exampleChanges = {
  results: [exampleProduct],
  cursor: 'ZkpTMnFJZ3ZbMSwiY2hhbmdlcyIsMTc2Mzg1MDAwMDAwMCwxNzYzODUwMDAwMDAwMDAwLDUxXQ',
  more: false,
};

const page = pageSchemas('PaginationSummary', { items: 'products', one: 'product', schema: productSchema });

export const pageOfProducts: Success = {
  description: 'The page: an array of products, or the pagination summary if `pagination` is true.',
  schema: { oneOf: page },
  examples: {
    products: { summary: 'Products', value: [exampleProduct] },
    summary: { summary: 'With `pagination=true`', value: exampleSummary(exampleProduct) },
  },
  linked: true,
};

export const pageOrChanges: Success = {
  description:
    'The page: an array of products, the pagination summary if `pagination` is true, or changes if ' +
    '`changed_since` is sent.',
  schema: { oneOf: [...page, changesSchema] },
  examples: {
    ...pageOfProducts.examples,
    changes: { summary: 'With `changed_since`', value: exampleChanges },
  },
  linked: true,
};
