import { idempotencyKeyReference } from '../../http/endpoint/idempotency.ts';
import type { HeaderReference, ParameterReference, Success } from '../../http/endpoint/reference.ts';
import type { ParameterDefinitions } from '../../http/parameters/bind.ts';
import type { Schema } from '../../http/schema.ts';
import { exampleProduct } from '../record/example-product.ts';
import { identifierRule } from '../record/field-descriptions.ts';
import { productFields } from '../record/product.ts';
import { productSchema } from '../record/product-schema.ts';
import { productParameterSchemas } from './parameter-schemas.ts';
import { aliases, unsupportedNames } from './parameters.ts';

export const productsTag = { name: 'Products', description: 'The merchant’s catalog.' };

export const writeHeaders: Readonly<Record<string, HeaderReference>> = {
  'Idempotency-Key': idempotencyKeyReference,
  'If-Match': {
    description:
      'The `ETag` of the record from `retrieve`. If the record has changed since, the response is 412 and nothing is ' +
      'written.',
    schema: { type: 'string' },
    example: '"2kXPn4hJYlq0TzS3vL0V5oQm8cE"',
  },
};

export const writtenProduct: Success = {
  description: 'The product after the write.',
  schema: productSchema,
  examples: { product: { summary: 'A product with variations', value: exampleProduct } },
};

export const productIdentifier: ParameterReference = {
  description: `The unique ID of the product. ${identifierRule}`,
  example: exampleProduct.identifier,
};

/** A parameter of other versions of the API that has no meaning here. */
export const unsupportedReference: ParameterReference = {
  description: 'Not supported: only a blank value is accepted.',
};

export const stockReferences = {
  quantity: { description: 'The units in stock.', example: 12 },
  quantity_change: { description: 'The units to add; negative to subtract.' },
  quantity_was: { description: 'The quantity that the change is based on.' },
};

export function fieldReferences<Definitions extends ParameterDefinitions>(
  definitions: Definitions,
): { readonly [Name in keyof Definitions]: ParameterReference } {
  const references = Object.keys(definitions).map((name): [string, ParameterReference] => [
    name,
    referenceOf(name),
  ]);
  return Object.fromEntries(references) as { [Name in keyof Definitions]: ParameterReference };
}

function referenceOf(name: string): ParameterReference {
  if (name in aliases)
    return { description: `The older name of \`${aliases[name as keyof typeof aliases]}\`.` };
  if (unsupportedNames.some((unsupported) => unsupported === name)) return unsupportedReference;
  if (name === 'identifier') return productIdentifier;
  const field = name as keyof typeof productFields;
  const { description = '' } = productParameterSchemas[field] as Schema;
  const example = exampleProduct[field];
  const isShown = productFields[field].owner === 'merchant' && ['string', 'number'].includes(typeof example);
  return { description, ...(isShown && { example: example as string | number }) };
}
