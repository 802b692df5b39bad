import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { errors } from '../../errors/errors.ts';
import { fieldsHeader, recordFieldsOf, VARY_BY_FIELDS } from '../../http/endpoint/record-fields.ts';
import { type EndpointServices, registerEndpoint } from '../../http/endpoint/register.ts';
import { int32 } from '../../http/parameters/types.ts';
import { sendRecord } from '../../http/responses/respond.ts';
import { exampleProduct } from '../record/example-product.ts';
import { lookedUpIdentifier, productIdentifier } from '../record/product-parameters.ts';
import { productSchema, productsTag } from '../record/product-schema.ts';
import type { RecordSources } from '../record/read-record.ts';
import { productFieldDescriptions } from './describe-fields.ts';
import { fieldsEndpoint } from './fields-endpoint.ts';
import { retrieveProduct } from './retrieve-product.ts';

/** The calls that read one product and the fields (contract for writing, “Products and variations”). */
export function productRetrieveEndpoints(
  app: FastifyInstance,
  services: EndpointServices & RecordSources & { database: Database },
): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/products/retrieve.json',
    name: 'retrieveProduct',
    tag: productsTag,
    summary: 'Retrieve a product',
    description:
      'Returns the merchant’s product with the given `identifier` or `internal_id`. Calls that write it accept its ' +
      '`ETag` as `If-Match`.',
    scope: 'read',
    parameters: {
      identifier: { type: lookedUpIdentifier, ...productIdentifier },
      internal_id: { type: int32(1), description: 'The product’s `internal_id`, instead of its identifier.' },
    },
    headers: fieldsHeader,
    statuses: [200, 304, 404],
    success: {
      description: 'The product.',
      schema: productSchema,
      examples: { product: { summary: 'A product with variations', value: exampleProduct } },
    },
    handle: async ({ request, reply, caller, input: { identifier, internal_id: internalId } }) => {
      if ((identifier === undefined) === (internalId === undefined)) {
        const reason = 'send exactly one of identifier and internal_id';
        throw errors.invalid_parameters([{ field: 'identifier', reason }]);
      }
      const fields = recordFieldsOf(request, caller);
      const named = identifier === undefined ? { internalId: internalId ?? 0 } : { identifier };
      const product = { ...named, fields };
      const record = await retrieveProduct(services, caller.merchantId, product);
      if (record === undefined) throw errors.product_not_found(identifier ?? String(internalId));
      await sendRecord(request, reply, record, { vary: VARY_BY_FIELDS });
    },
  });
  fieldsEndpoint(app, services, { records: 'products', tag: productsTag, fields: productFieldDescriptions });
}
