import { text } from '../../http/parameters/types.ts';
import { exampleProduct } from './example-product.ts';
import { identifierRule } from './field-descriptions.ts';

/** Longer than any identifier, so that an invalid one gets the same response as an unknown one. */
export const lookedUpIdentifier = text(1_000);

/** What the documentation says of a parameter that names a product. */
export const productIdentifier = {
  description: `The unique ID of the product. ${identifierRule}`,
  example: exampleProduct.identifier,
};
