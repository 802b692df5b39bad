import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { errors } from '../../errors/errors.ts';
import { type EndpointServices, registerEndpoint } from '../../http/endpoint/register.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { productIssues } from './moderate-product.ts';
import { issuesParameters, issuesReference } from './reference.ts';

export function productIssueRoutes(
  app: FastifyInstance,
  services: EndpointServices & { database: Database },
): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/products/issues.json',
    scope: 'read',
    parameters: issuesParameters,
    statuses: [200, 304, 404],
    reference: issuesReference,
    handle: async ({ request, reply, caller: { merchantId }, input: { identifier } }) => {
      const issues = await productIssues(services.database, { merchantId, identifier });
      if (issues === undefined) throw errors.product_not_found(identifier);
      await sendJson(request, reply, JSON.stringify(issues));
    },
  });
}
