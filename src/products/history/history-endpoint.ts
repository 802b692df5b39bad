import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { type EndpointServices, registerEndpoint } from '../../http/endpoint/register.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { lookedUpIdentifier, productIdentifier } from '../record/product-parameters.ts';
import { productsTag } from '../record/product-schema.ts';
import { DEFAULT_CHANGES, historyPage } from './history-parameters.ts';
import { historySuccess } from './history-schema.ts';
import { listHistory } from './list-history.ts';

/** `GET /products/history.json`. */
export function productHistoryEndpoint(
  app: FastifyInstance,
  services: EndpointServices & { database: Database },
): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/products/history.json',
    name: 'listProductHistory',
    tag: productsTag,
    summary: 'List the changes of a product',
    description:
      'Lists what changed in a product and its variations, newest first: the fields with their values before and after, ' +
      'when, who did it, and by which call or import. The last entry is the creation of the product. Sales, ratings ' +
      'and counts that follow from schedules are not listed. Entries are deleted after a time that the marketplace’s ' +
      'operator sets, usually 90 days.',
    scope: 'read',
    parameters: {
      identifier: { type: lookedUpIdentifier, required: true, ...productIdentifier },
      ...historyPage,
      per_page: {
        ...historyPage.per_page,
        description: `${historyPage.per_page.description} Large changes come in smaller pages.`,
      },
    },
    statuses: [200, 304, 404],
    success: historySuccess,
    handle: async ({ request, reply, caller: { merchantId }, input }) => {
      const { identifier, per_page: perPage = DEFAULT_CHANGES, after } = input;
      const list = await listHistory(services.database, { merchantId, identifier }, { perPage, after });
      await sendJson(request, reply, JSON.stringify(list));
    },
  });
}
