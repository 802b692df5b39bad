import { record } from '../http/schema.ts';
import { exampleProduct, exampleVariation } from '../products/record/example-product.ts';
import { productProperties, variationProperties } from '../products/record/product-schema.ts';
import type { RetrievedVariation } from './retrieve-variation.ts';

/** A variation as the API returns it on its own (contract, “Variation”). */
const schema = record<RetrievedVariation>(
  'RetrievedVariation',
  'A variation and the product that it belongs to.',
  {
    product_identifier: productProperties.identifier,
    product_internal_id: productProperties.internal_id,
    ...variationProperties,
  },
);

const value: RetrievedVariation = {
  product_identifier: exampleProduct.identifier,
  product_internal_id: exampleProduct.internal_id,
  ...exampleVariation,
};

/** The response of a call that returns one variation, without its description. */
export const variationSuccess = {
  schema,
  examples: { variation: { summary: 'One size of a product', value } },
};

export const variationsTag = { name: 'Variations', description: 'Sizes and colors of products.' };
