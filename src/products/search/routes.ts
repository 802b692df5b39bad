import type { FastifyInstance } from 'fastify';
import { type EndpointServices, registerEndpoint } from '../../http/endpoint/register.ts';
import { pathOf } from '../../http/gate/request-target.ts';
import { pageLinks } from '../../http/pages/pages.ts';
import { prepareResponse, sendResponse, sendSpooledResponse } from '../../http/responses/respond.ts';
import { SpoolFile } from '../../shared/spool-file.ts';
import { searchParameters, searchRequestOf } from './parameters.ts';
import { searchReference } from './reference.ts';
import { type SearchServices, searchProducts } from './search-products.ts';

/** `GET /products/search.json` (contract for writing, “Products and variations”). */
export function productSearchRoutes(app: FastifyInstance, services: EndpointServices & SearchServices): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/products/search.json',
    scope: 'read',
    parameters: searchParameters,
    statuses: [200, 304],
    reference: searchReference,
    handle: async ({ request, reply, caller, input }) => {
      const { total, etag, body } = await searchProducts(services, searchRequestOf(caller.merchantId, input));
      const link = pageLinks(pathOf(request.url), input, { total });
      if (body instanceof SpoolFile) return sendSpooledResponse(request, reply, { etag, file: body }, link);
      sendResponse(request, reply, await prepareResponse(body, request.headers['accept-encoding'], link));
    },
  });
}
