import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { sendJson } from '../http/answer.ts';
import { type Gatekeepers, registerEndpoint } from '../http/endpoint.ts';
import { monthlySales } from './monthly-sales.ts';
import { salesReference } from './sales-reference.ts';

/** `GET /performance/sales.json` (specification, 4.3). */
export function salesRoutes(app: FastifyInstance, database: Database, gatekeepers: Gatekeepers): void {
  registerEndpoint(app, gatekeepers, {
    method: 'GET',
    path: '/performance/sales.json',
    parameters: {},
    statuses: [200, 304],
    reference: salesReference,
    handle: async ({ request, reply, caller }) => {
      await sendJson(request, reply, JSON.stringify(await monthlySales({ database }, caller.merchantId)));
    },
  });
}
