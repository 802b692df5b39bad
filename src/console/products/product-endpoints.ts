import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { findCatalogState, missingMerchant } from '../../database/merchant-queries.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { int32, listOf, text } from '../../http/parameters/types.ts';
import type { ProductLister } from '../../products/list/list-products.ts';
import { listParameters, pageRequestOf } from '../../products/list/parameters.ts';
import { filterParameters } from '../../products/search/filter-parameters.ts';
import { type SearchServices, searchProducts } from '../../products/search/search-products.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { CategoryPage, ProductCounts, ProductNames } from '../catalog-api.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';
import { countMatches, countProducts } from './count-products.ts';
import { listCategoryPage } from './list-categories.ts';
import { nameProducts } from './name-products.ts';
import { matchOf, matchParameters } from './selection-parameters.ts';

const { pagination: _, ...ofList } = listParameters;
const { category: __, ...ofSearch } = filterParameters;
const { status: ___, ...matched } = matchParameters;
const { query: searched, images } = matched;
const parameters = { ...ofList, ...ofSearch, query: searched, images };

const MAX_CATEGORY_LENGTH = 2_000;
/** Searching for longer texts would block other requests. */
const MAX_QUERY_LENGTH = 200;
const DEFAULT_CATEGORIES = 50;

const identifiers = listOf('product identifiers', 20, {
  schema: { type: 'string' },
  read: (identifier) => (identifier === '' ? undefined : identifier),
});

/** Shared with the API. */
interface ProductServices extends SearchServices {
  database: Database;
  lister: ProductLister;
  offLoop: OffLoopReads;
}

/** Registers the endpoints that list the catalog. Lists are the API's without deleted products. */
export function consoleProductEndpoints(app: FastifyInstance, services: ProductServices): void {
  const { database, lister, offLoop } = services;
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/products',
    parameters,
    statuses: [200],
    handle: async ({ caller: { merchant }, input }) => {
      const { query, images: _, ...list } = input;
      const request = pageRequestOf(merchant.id, { ...list, pagination: true });
      const { filters, failingImages } = matchOf({ ...input, category: undefined });
      const isSearch = query !== undefined || filters.length > 0 || failingImages;
      if (isSearch || (input.status === undefined && (await hasDeleted(database, merchant.id)))) {
        const { page, perPage, summary } = request;
        const { sort } = request.listing;
        const search = { merchantId: merchant.id, status: input.status, ...matchOf(input) };
        return (await searchProducts(services, { search, sort, page, perPage, summary })).body;
      }
      const state = await database.first(findCatalogState, { merchantId: merchant.id });
      if (state === undefined) throw missingMerchant(merchant.id);
      return (await lister.list(request, state.revision)).body;
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/products/counts',
    parameters: matched,
    statuses: [200],
    handle: async ({ caller: { merchant }, input }) => {
      const match = matchOf(input);
      const { words, filters, failingImages } = match;
      const counts =
        words === undefined && filters.length === 0 && !failingImages
          ? await countProducts({ database }, merchant.id)
          : await countMatches({ offLoop }, { merchantId: merchant.id, ...match });
      return RenderedJson.of<ProductCounts>(counts);
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/products/names',
    parameters: { identifiers: { type: identifiers, required: true } },
    statuses: [200],
    handle: async ({ caller: { merchantId }, input }) => {
      const products = await nameProducts(database, merchantId, input.identifiers);
      return RenderedJson.of<ProductNames>({ products });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/products/categories',
    parameters: {
      query: { type: text(MAX_QUERY_LENGTH) },
      parent: { type: text(MAX_CATEGORY_LENGTH) },
      after: { type: text(MAX_CATEGORY_LENGTH) },
      limit: { type: int32(1, 100) },
    },
    statuses: [200],
    handle: async ({ caller: { merchant }, input: { limit = DEFAULT_CATEGORIES, ...request } }) =>
      RenderedJson.of<CategoryPage>(await listCategoryPage({ database }, merchant.id, { ...request, limit })),
  });
}

/** Only a list of that status shows deleted products. */
async function hasDeleted(database: Database, merchantId: number): Promise<boolean> {
  const { by_status: counts } = await countProducts({ database }, merchantId);
  return counts.deleted > 0;
}
