import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { monthlySales } from '../../sales/monthly-sales.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { SalesView } from '../console-api.ts';
import { registerConsoleEndpoint } from '../endpoint.ts';

/** Registers `GET /sales`, which returns the same records as the API. */
export function consoleSalesRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/sales',
    parameters: {},
    statuses: [200],
    handle: async ({ session: { merchant } }) =>
      RenderedJson.of<SalesView>({ months: await monthlySales({ database }, merchant.id) }),
  });
}
