import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { errors } from '../../errors/errors.ts';
import { type EndpointServices, registerEndpoint } from '../../http/endpoint/register.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { lookedUpIdentifier, productIdentifier } from '../record/product-parameters.ts';
import { productsTag } from '../record/product-schema.ts';
import { issuesSuccess } from './issues-schema.ts';
import { productIssues } from './moderate-product.ts';

export const issuesParameters = {
  identifier: { type: lookedUpIdentifier, required: true, ...productIdentifier },
} as const;

/** `GET /products/issues.json`. */
export function productIssuesEndpoint(
  app: FastifyInstance,
  services: EndpointServices & { database: Database },
): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/products/issues.json',
    name: 'listProductIssues',
    tag: productsTag,
    summary: 'List the issues of a product',
    description:
      'Returns the marketplace operator’s decision about a product, the reasons for it, and which images don’t work.',
    scope: 'read',
    parameters: issuesParameters,
    statuses: [200, 304, 404],
    success: issuesSuccess,
    handle: async ({ request, reply, caller: { merchantId }, input: { identifier } }) => {
      const issues = await productIssues(services.database, { merchantId, identifier });
      if (issues === undefined) throw errors.product_not_found(identifier);
      await sendJson(request, reply, JSON.stringify(issues));
    },
  });
}
