import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { findCatalogState, missingMerchant } from '../../database/merchant-queries.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { int32, text } from '../../http/parameters/types.ts';
import { HttpError } from '../../http/responses/errors.ts';
import type { ProductLister } from '../../products/list/list-products.ts';
import { listParameters, pageRequestOf } from '../../products/list/parameters.ts';
import { type ProductIssues, productIssues } from '../../products/moderation/moderate-product.ts';
import { issuesParameters } from '../../products/moderation/reference.ts';
import { findRecord } from '../../products/record/queries.ts';
import { readWithRecord } from '../../products/record/read-record.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { CategoryPage, ProductCounts } from '../console-api.ts';
import { registerConsoleEndpoint } from '../endpoint.ts';
import { countProducts } from './count-products.ts';
import { listCategoryPage } from './list-categories.ts';

const { pagination: _, ...parameters } = listParameters;

const MAX_CATEGORY_LENGTH = 2_000;
/** Searching for longer texts would block other requests for too long. */
const MAX_QUERY_LENGTH = 200;
const DEFAULT_CATEGORIES = 50;

/** Registers the endpoints for the catalog. Lists are the same as the API's. */
export function consoleProductRoutes(
  app: FastifyInstance,
  { database, lister, offLoop }: { database: Database; lister: ProductLister; offLoop: OffLoopReads },
): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/products',
    parameters,
    statuses: [200],
    handle: async ({ session: { merchant }, input }) => {
      const state = await database.first(findCatalogState, { merchantId: merchant.id });
      if (state === undefined) throw missingMerchant(merchant.id);
      const request = pageRequestOf(merchant.id, { ...input, pagination: true });
      return (await lister.list(request, state.revision)).body;
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/products/counts',
    parameters: {},
    statuses: [200],
    handle: async ({ session: { merchant } }) =>
      RenderedJson.of<ProductCounts>(await countProducts({ database }, merchant.id)),
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
    handle: async ({ session: { merchant }, input: { limit = DEFAULT_CATEGORIES, ...request } }) =>
      RenderedJson.of<CategoryPage>(await listCategoryPage({ database }, merchant.id, { ...request, limit })),
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/products/issues',
    parameters: issuesParameters,
    statuses: [200, 404],
    handle: async ({ session: { merchant }, input: { identifier } }) => {
      const issues = await productIssues(database, { merchantId: merchant.id, identifier });
      if (issues === undefined) throw new HttpError(404, 'There is no product with this unique ID.');
      return RenderedJson.of<ProductIssues>(issues);
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/products/:id',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ session: { merchant }, id }) => {
      const row = /^\d{1,15}$/.test(id)
        ? await readWithRecord({ database, offLoop }, merchant.id, (reader, maxBytes) =>
            reader.first(findRecord, { merchantId: merchant.id, internalId: Number(id), maxBytes }),
          )
        : undefined;
      if (row === undefined) throw new HttpError(404, `There is no product with the internal id ${id}.`);
      return new RenderedJson(Buffer.from(row.record));
    },
  });
}
