import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { testSideOf } from '../../database/sides.ts';
import { errors } from '../../errors/errors.ts';
import { boolean } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { readModerated } from '../../products/of-all/read-moderated.ts';
import { type OperatorEndpointServices, registerOperatorEndpoint } from '../endpoint/register.ts';
import { requireMerchant } from '../merchants/merchant-parameters.ts';
import { productInPath } from '../moderation/decision-parameters.ts';
import { catalogTag } from '../tags.ts';
import { type MerchantProduct, productSuccess } from './product-schema.ts';

/** `GET /merchants/{external_id}/products/{identifier}`. */
export function operatorProductEndpoint(
  app: FastifyInstance,
  services: OperatorEndpointServices & { database: Database },
): void {
  const { database } = services;
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/merchants/{external_id}/products/{identifier}',
    pathParameters: productInPath,
    name: 'retrieveProduct',
    tag: catalogTag,
    summary: 'Retrieve a product',
    description: 'Returns the product with its variations, and what was decided about it.',
    scope: 'catalog',
    parameters: {
      test: {
        type: boolean,
        description: 'Whether to look in the merchant’s test data.',
        default: false,
      },
    },
    statuses: [200, 304, 404],
    success: productSuccess,
    handle: async ({ request, reply, path, input: { test = false } }) => {
      const { id, external_id, name, currency } = await requireMerchant(database, path);
      const { identifier } = path;
      const found = await readModerated(database, { merchantId: test ? testSideOf(id) : id, identifier });
      if (found === undefined) throw errors.product_not_found(identifier);
      const shown: MerchantProduct = { merchant: { external_id, name }, currency, test, ...found };
      await sendJson(request, reply, JSON.stringify(shown));
    },
  });
}
