import type { EndpointReference } from '../http/endpoint/reference.ts';
import type { ParameterDefinitions } from '../http/parameters/bind.ts';
import { record } from '../http/schema.ts';
import { exampleProduct, exampleVariation } from '../products/record/example-product.ts';
import { productProperties, variationProperties } from '../products/record/product-schema.ts';
import type { RetrievedVariation } from './retrieve-variation.ts';

/** A variation as the API returns it on its own (contract, “Variation”). */
export const retrievedSchema = record<RetrievedVariation>(
  'RetrievedVariation',
  'A variation and the product that it belongs to.',
  {
    product_identifier: productProperties.identifier,
    product_internal_id: productProperties.internal_id,
    ...variationProperties,
  },
);

export const variationsTag = { name: 'Variations', description: 'Sizes and colors of products.' };

export const exampleVariationByItself: RetrievedVariation = {
  product_identifier: exampleProduct.identifier,
  product_internal_id: exampleProduct.internal_id,
  ...exampleVariation,
};

export const retrieveReference: EndpointReference<Pick<ParameterDefinitions, 'identifier'>> = {
  name: 'retrieveVariation',
  tag: variationsTag,
  summary: 'Retrieve a variation',
  description: 'Returns the merchant’s variation with the given unique ID.',
  parameters: {
    identifier: { description: 'The unique ID of the variation.', example: 'VASE-7-S' },
  },
  success: {
    description: 'The variation.',
    schema: retrievedSchema,
    examples: {
      variation: { summary: 'One size of a product', value: exampleVariationByItself },
    },
  },
};
