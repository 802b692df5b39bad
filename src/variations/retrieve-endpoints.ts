import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { errors } from '../errors/errors.ts';
import { type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import { sendJson } from '../http/responses/respond.ts';
import { lookedUpIdentifier } from '../products/record/product-parameters.ts';
import type { RecordSources } from '../products/record/read-record.ts';
import { variationFieldDescriptions } from '../products/retrieve/describe-fields.ts';
import { fieldsEndpoint } from '../products/retrieve/fields-endpoint.ts';
import { retrieveVariation } from './retrieve-variation.ts';
import { variationSuccess, variationsTag } from './variation-schema.ts';

/** `GET /variations/retrieve.json` (specification, 4.4) and `GET /variations/schema.json`. */
export function variationRetrieveEndpoints(
  app: FastifyInstance,
  services: EndpointServices & RecordSources & { database: Database },
): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/variations/retrieve.json',
    name: 'retrieveVariation',
    tag: variationsTag,
    summary: 'Retrieve a variation',
    description: 'Returns the merchant’s variation with the given unique ID.',
    scope: 'read',
    parameters: {
      identifier: {
        type: lookedUpIdentifier,
        required: true,
        description: 'The unique ID of the variation.',
        example: 'VASE-7-S',
      },
    },
    statuses: [200, 304, 404],
    success: { description: 'The variation.', ...variationSuccess },
    handle: async ({ request, reply, caller, input: { identifier } }) => {
      const variation = await retrieveVariation(services, caller.merchantId, identifier);
      if (variation === undefined) throw errors.variation_not_found(identifier);
      await sendJson(request, reply, variation);
    },
  });
  fieldsEndpoint(app, services, {
    records: 'variations',
    tag: variationsTag,
    fields: variationFieldDescriptions,
  });
}
