import type { EndpointReference } from '../../http/endpoint/reference.ts';
import type { NoParameters } from '../../http/parameters/bind.ts';
import { int32, text } from '../../http/parameters/types.ts';
import { record } from '../../http/schema.ts';
import { exampleProduct } from '../record/example-product.ts';
import { productSchema } from '../record/product-schema.ts';
import { productIdentifier, productsTag } from '../write/references.ts';
import { type FieldDescription, productFieldDescriptions } from './describe-fields.ts';

/** Longer than any identifier, so that an invalid one gets the same response as an unknown one. */
export const lookedUpIdentifier = text(1_000);

export const retrieveParameters = {
  identifier: { type: lookedUpIdentifier },
  internal_id: { type: int32(1) },
} as const;

export const retrieveReference: EndpointReference<typeof retrieveParameters> = {
  name: 'retrieveProduct',
  tag: productsTag,
  summary: 'Retrieve a product',
  description:
    'Returns the merchant’s product with the given `identifier` or `internal_id`. Calls that write it accept its ' +
    '`ETag` as `If-Match`.',
  parameters: {
    identifier: productIdentifier,
    internal_id: { description: 'The product’s `internal_id`, instead of its identifier.' },
  },
  success: {
    description: 'The product.',
    schema: productSchema,
    examples: { product: { summary: 'A product with variations', value: exampleProduct } },
  },
};

const fieldSchema = record<FieldDescription>('FieldDescription', 'A field of a record.', {
  field: { type: 'string', description: 'The name in records and parameters.' },
  name: { type: 'string', description: 'The name for people.' },
  required: { type: 'boolean', description: 'Whether a new record must have it.' },
  readonly: { type: 'boolean', description: 'Whether only the service or the operator sets it.' },
  description: { type: 'string' },
});

export function schemaReference(
  name: string,
  tag: EndpointReference['tag'],
  records: string,
): EndpointReference<NoParameters> {
  return {
    name,
    tag,
    summary: `Describe the fields of ${records}`,
    description: `Returns the fields of ${records} in the order of records.`,
    parameters: {},
    success: {
      description: 'The fields.',
      schema: { type: 'array', items: fieldSchema },
      examples: { fields: { summary: 'Two fields', value: productFieldDescriptions.slice(0, 2) } },
    },
  };
}
