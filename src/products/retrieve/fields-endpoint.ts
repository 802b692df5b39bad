import type { FastifyInstance } from 'fastify';
import type { Tag } from '../../http/endpoint/declaration.ts';
import { type EndpointServices, registerEndpoint } from '../../http/endpoint/register.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { record } from '../../http/schema.ts';
import { type FieldDescription, productFieldDescriptions } from './describe-fields.ts';

const names = { products: 'describeProducts', variations: 'describeVariations', orders: 'describeOrders' };

const fieldSchema = record<FieldDescription>('FieldDescription', 'A field of a record.', {
  field: { type: 'string', description: 'The name in records and parameters.' },
  name: { type: 'string', description: 'The name for people.' },
  required: { type: 'boolean', description: 'Whether a new record must have it.' },
  readonly: { type: 'boolean', description: 'Whether only the service or the operator sets it.' },
  description: { type: 'string', description: 'What the field is, for people.' },
});

/** `GET /products/schema.json`, and the same of variations and orders. */
export function fieldsEndpoint(
  app: FastifyInstance,
  services: EndpointServices,
  { records, tag, fields }: { records: keyof typeof names; tag: Tag; fields: FieldDescription[] },
): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: `/${records}/schema.json`,
    name: names[records],
    tag,
    summary: `Describe the fields of ${records}`,
    description: `Returns the fields of ${records} in the order of records.`,
    scope: records === 'orders' ? 'orders' : 'read',
    parameters: {},
    statuses: [200, 304],
    success: {
      description: 'The fields.',
      schema: { type: 'array', items: fieldSchema },
      examples: { fields: { summary: 'Two fields', value: productFieldDescriptions.slice(0, 2) } },
    },
    handle: ({ request, reply }) => sendJson(request, reply, JSON.stringify(fields)),
  });
}
