import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { errors } from '../errors/errors.ts';
import { type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import { sendJson } from '../http/responses/respond.ts';
import type { RecordSources } from '../products/record/read-record.ts';
import { variationFieldDescriptions } from '../products/retrieve/describe-fields.ts';
import { lookedUpIdentifier, schemaReference } from '../products/retrieve/references.ts';
import { retrieveReference, variationsTag } from './retrieve-reference.ts';
import { retrieveVariation } from './retrieve-variation.ts';

/** `GET /variations/retrieve.json` (specification, 4.4) and `GET /variations/schema.json`. */
export function variationRoutes(
  app: FastifyInstance,
  services: EndpointServices & RecordSources & { database: Database },
): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/variations/retrieve.json',
    scope: 'read',
    parameters: { identifier: { type: lookedUpIdentifier, required: true } },
    statuses: [200, 304, 404],
    reference: retrieveReference,
    handle: async ({ request, reply, caller, input: { identifier } }) => {
      const variation = await retrieveVariation(services, caller.merchantId, identifier);
      if (variation === undefined) throw errors.variation_not_found(identifier);
      await sendJson(request, reply, variation);
    },
  });
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/variations/schema.json',
    scope: 'read',
    parameters: {},
    statuses: [200, 304],
    reference: schemaReference('describeVariations', variationsTag, 'variations'),
    handle: ({ request, reply }) => sendJson(request, reply, JSON.stringify(variationFieldDescriptions)),
  });
}
