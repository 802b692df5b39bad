import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { JsonBody } from '../../http/answer.ts';
import { HttpError } from '../../http/errors.ts';
import { listParameters, pageRequestOf } from '../../products/list-parameters.ts';
import type { ProductLister } from '../../products/list-products.ts';
import { findRecord, findRevision } from '../../products/queries.ts';
import type { ProductCounts } from '../console-api.ts';
import { json, registerConsoleEndpoint } from '../endpoint.ts';
import { countProducts } from './count-products.ts';

const { pagination: _, ...parameters } = listParameters;

/** The catalog, as the API lists it. */
export function consoleProductRoutes(
  app: FastifyInstance,
  { database, lister }: { database: Database; lister: ProductLister },
): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/products',
    parameters,
    statuses: [200],
    handle: async ({ session: { merchant }, input }) => {
      const { revision = 0 } = (await database.first(findRevision, [merchant.id])) ?? {};
      const request = pageRequestOf(merchant.id, { ...input, pagination: true });
      return (await lister.list(request, revision)).body;
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/products/counts',
    parameters: {},
    statuses: [200],
    handle: async ({ session: { merchant } }) =>
      json<ProductCounts>(await countProducts({ database }, merchant.id)),
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/products/:id',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ session: { merchant }, id }) => {
      const row = /^\d{1,15}$/.test(id)
        ? await database.first(findRecord, [merchant.id, Number(id)])
        : undefined;
      if (row === undefined) throw new HttpError(404, `There is no product with the internal id ${id}.`);
      return new JsonBody(Buffer.from(row.record));
    },
  });
}
