import type { FastifyInstance } from 'fastify';
import { fieldsHeader, recordFieldsOf, VARY_BY_FIELDS } from '../../http/endpoint/record-fields.ts';
import { type EndpointServices, registerEndpoint } from '../../http/endpoint/register.ts';
import { pathOf } from '../../http/gate/request-target.ts';
import { pageLinks } from '../../http/pages/pages.ts';
import { prepareResponse, sendResponse, sendSpooledResponse } from '../../http/responses/respond.ts';
import { SpoolFile } from '../../shared/spool-file.ts';
import { pageOfProducts } from '../list/list-schema.ts';
import { productsTag } from '../record/product-schema.ts';
import { searchParameters, searchRequestOf } from './parameters.ts';
import { type SearchServices, searchProducts } from './search-products.ts';

/** `GET /products/search.json` (contract for writing, “Products and variations”). */
export function productSearchEndpoint(
  app: FastifyInstance,
  services: EndpointServices & SearchServices,
): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/products/search.json',
    name: 'searchProducts',
    tag: productsTag,
    summary: 'Search products',
    description:
      'Finds the merchant’s products for which each word of the query begins a word of the title, or an identifier of the ' +
      'product or of one of its variations. Case and accents do not matter. `campaign_name` selects the products of a ' +
      'campaign, with or without a query. Newest products come first. Deleted products ' +
      'are found only with `status=deleted`.',
    scope: 'read',
    parameters: searchParameters,
    headers: fieldsHeader,
    statuses: [200, 304],
    success: pageOfProducts,
    handle: async ({ request, reply, caller, input }) => {
      const fields = recordFieldsOf(request, caller);
      const search = { ...searchRequestOf(caller.merchantId, input), fields };
      const { total, etag, body } = await searchProducts(services, search);
      const further = { link: pageLinks(pathOf(request.url), input, { total }), vary: VARY_BY_FIELDS };
      if (body instanceof SpoolFile)
        return sendSpooledResponse(request, reply, { etag, file: body }, further);
      sendResponse(request, reply, await prepareResponse(body, request.headers['accept-encoding'], further));
    },
  });
}
