import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { DEFAULT_LIMIT, pageParameters } from '../../http/parameters/page.ts';
import { boolean, oneOf } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import {
  listProductsOfAllMerchants,
  searchProductsOfAllMerchants,
} from '../../products/of-all/list-products-of-all-merchants.ts';
import { productStatuses } from '../../products/record/product.ts';
import { searchText } from '../../products/search/parameters.ts';
import { type OperatorEndpointServices, registerOperatorEndpoint } from '../endpoint/register.ts';
import { externalId } from '../merchants/merchant-parameters.ts';
import { readPageOfAll } from '../merchants/read-page-of-all.ts';
import { sideOf } from '../merchants/side-of-merchant.ts';
import { catalogTag } from '../tags.ts';
import { listedProduct, type MerchantProductPage, productPage } from './product-list-schema.ts';

/** `GET /products`: the products of all merchants. */
export function productListEndpoint(
  app: FastifyInstance,
  services: OperatorEndpointServices & { database: Database; offLoop: OffLoopReads },
): void {
  const { database } = services;
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/products',
    name: 'listProducts',
    tag: catalogTag,
    summary: 'List the products of all merchants',
    description:
      'Lists products of all merchants, newest first. With `query`, finds what a search of a merchant finds: products for ' +
      'which each word begins a word of the title, or an identifier of the product or of one of its variations. What is ' +
      'found is in the order of the merchants, and within each merchant newest first. A page of a search may have ' +
      'fewer products than `limit`, even none, although others follow: continue until `next` is null.',
    scope: 'catalog',
    pathParameters: {},
    parameters: {
      query: {
        type: searchText,
        description: 'The beginnings of words, separated by spaces.',
        example: 'clay pot',
      },
      merchant: {
        type: externalId,
        description: 'Only products of the merchant with this ID of the operator’s.',
        example: 'seller-4711',
      },
      status: {
        type: oneOf(productStatuses),
        description: 'Only products with this status; by default, all except deleted ones.',
      },
      test: {
        type: boolean,
        description: 'Whether to list test data instead of live data.',
        default: false,
      },
      ...pageParameters('products'),
    },
    statuses: [200, 304],
    success: productPage,
    handle: async ({ request, reply, input }) => {
      const { query, status, after, limit = DEFAULT_LIMIT } = input;
      const { side, merchantId } = await sideOf(database, input);
      const filter = { side, merchantId, status, limit };
      const page: MerchantProductPage = await readPageOfAll(
        database,
        { items: 'products', side, selected: [merchantId, status], query, after },
        {
          newest: (place) => listProductsOfAllMerchants(services, filter, place),
          search: (words, place) =>
            searchProductsOfAllMerchants(services, { ...filter, query: words }, place),
        },
        (owner, found) => listedProduct(owner, found),
      );
      await sendJson(request, reply, JSON.stringify(page));
    },
  });
}
