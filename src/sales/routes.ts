import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import { sendJson } from '../http/responses/respond.ts';
import { monthlySales } from './monthly-sales.ts';
import { salesReference } from './sales-reference.ts';

/** `GET /performance/sales.json` (specification, 4.3). */
export function salesRoutes(app: FastifyInstance, database: Database, services: EndpointServices): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/performance/sales.json',
    scope: 'read',
    parameters: {},
    statuses: [200, 304],
    reference: salesReference,
    handle: async ({ request, reply, caller }) => {
      await sendJson(request, reply, JSON.stringify(await monthlySales({ database }, caller.merchantId)));
    },
  });
}
