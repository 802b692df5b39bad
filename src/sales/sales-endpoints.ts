import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import { type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import { pathOf } from '../http/gate/request-target.ts';
import { prepareResponse, sendJson, sendResponse } from '../http/responses/respond.ts';
import { RenderedJson } from '../shared/rendered-json.ts';
import { monthlySales } from './monthly-sales.ts';
import { productSales } from './product-sales.ts';
import { MAX_PAGE_SIZE, productSalesParameters } from './sales-parameters.ts';
import {
  exampleMonths,
  exampleProductSales,
  monthlySalesSchema,
  performanceTag,
  productSalesSchema,
} from './sales-schema.ts';

export interface SalesSources {
  database: Database;
  offLoop: OffLoopReads;
  now: () => number;
}

/** The calls that read sales (specification, 4.3). */
export function salesEndpoints(app: FastifyInstance, services: SalesSources & EndpointServices): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/performance/sales.json',
    name: 'listMonthlySales',
    tag: performanceTag,
    summary: 'Read monthly sales',
    description: 'Returns a record for each month that has schedules, oldest first.',
    scope: 'read',
    parameters: {},
    statuses: [200, 304],
    success: {
      description: 'The monthly records.',
      schema: { type: 'array', items: monthlySalesSchema },
      examples: { months: { summary: 'Two months', value: exampleMonths } },
    },
    handle: async ({ request, reply, caller }) => {
      await sendJson(request, reply, JSON.stringify(await monthlySales(services, caller.merchantId)));
    },
  });
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/performance/auctions.json',
    name: 'listProductSales',
    tag: performanceTag,
    summary: 'Read sales by product',
    description:
      'Returns a record for each product that has schedules in the period, the highest revenue first, then by ' +
      '`identifier`. Periods are whole days in the merchant’s time zone: `last_week` is the seven days before today, ' +
      '`last_30_days` the thirty days before today.',
    scope: 'read',
    parameters: productSalesParameters,
    statuses: [200, 304],
    success: {
      description: 'The page: an array of records.',
      schema: { type: 'array', items: productSalesSchema },
      examples: { products: { summary: 'Two products', value: exampleProductSales } },
      linked: true,
    },
    handle: async ({ request, reply, caller, input }) => {
      const { duration, page = 1, per_page: perPage = MAX_PAGE_SIZE } = input;
      const { results, total } = await productSales(services, caller.merchantId, { duration, page, perPage });
      const link = pageLinks(pathOf(request.url), { duration, page, perPage }, total);
      const body = RenderedJson.of(results);
      sendResponse(request, reply, await prepareResponse(body, request.headers['accept-encoding'], { link }));
    },
  });
}

/** Relative links (RFC 8288) to the previous and the next page, without the token; null for none. */
function pageLinks(
  path: string,
  { duration, page, perPage }: { duration: string; page: number; perPage: number },
  total: number,
): string | null {
  const last = Math.max(1, Math.ceil(total / perPage));
  const targets: [string, number][] = [];
  if (page > 1) targets.push(['prev', Math.min(page - 1, last)]);
  if (page < last) targets.push(['next', page + 1]);
  const links = targets.map(([relation, target]) => {
    const query = new URLSearchParams({ duration, page: String(target), per_page: String(perPage) });
    return `<${path}?${query}>; rel="${relation}"`;
  });
  return links.length === 0 ? null : links.join(', ');
}
