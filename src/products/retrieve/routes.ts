import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { errors } from '../../errors/errors.ts';
import { type EndpointServices, registerEndpoint } from '../../http/endpoint/register.ts';
import { sendJson, sendRecord } from '../../http/responses/respond.ts';
import type { RecordSources } from '../record/read-record.ts';
import { productsTag } from '../write/references.ts';
import { productFieldDescriptions } from './describe-fields.ts';
import { retrieveParameters, retrieveReference, schemaReference } from './references.ts';
import { retrieveProduct } from './retrieve-product.ts';

/** The calls that read one product and the fields (contract for writing, “Products and variations”). */
export function productRetrieveRoutes(
  app: FastifyInstance,
  services: EndpointServices & RecordSources & { database: Database },
): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/products/retrieve.json',
    scope: 'read',
    parameters: retrieveParameters,
    statuses: [200, 304, 404],
    reference: retrieveReference,
    handle: async ({ request, reply, caller, input: { identifier, internal_id: internalId } }) => {
      if ((identifier === undefined) === (internalId === undefined)) {
        const reason = 'send exactly one of identifier and internal_id';
        throw errors.invalid_parameters([{ field: 'identifier', reason }]);
      }
      const product = identifier === undefined ? { internalId: internalId ?? 0 } : { identifier };
      const record = await retrieveProduct(services, caller.merchantId, product);
      if (record === undefined) throw errors.product_not_found(identifier ?? String(internalId));
      await sendRecord(request, reply, record);
    },
  });
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/products/schema.json',
    scope: 'read',
    parameters: {},
    statuses: [200, 304],
    reference: schemaReference('describeProducts', productsTag, 'products'),
    handle: ({ request, reply }) => sendJson(request, reply, JSON.stringify(productFieldDescriptions)),
  });
}
