import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import { errors } from '../errors/errors.ts';
import { type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import { pathOf } from '../http/gate/request-target.ts';
import type { BoundParameters } from '../http/parameters/bind.ts';
import { prepareResponse, sendJson, sendResponse } from '../http/responses/respond.ts';
import { RenderedJson } from '../shared/rendered-json.ts';
import {
  type ScheduleList,
  schedulesChangedSince,
  schedulesOfMonth,
  schedulesOfProduct,
} from './list-schedules.ts';
import { monthlySales } from './monthly-sales.ts';
import { productSales } from './product-sales.ts';
import { MAX_PAGE_SIZE, productSalesParameters, productSalesReference } from './product-sales-reference.ts';
import { salesReference } from './sales-reference.ts';
import { DEFAULT_PAGE_SIZE, schedulesParameters, schedulesReference } from './schedules-reference.ts';

interface SalesSources {
  database: Database;
  offLoop: OffLoopReads;
  now: () => number;
}

/** The calls that read sales (specification, 4.3; contract for writing, “Staying in sync”). */
export function salesRoutes(app: FastifyInstance, services: SalesSources & EndpointServices): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/performance/sales.json',
    scope: 'read',
    parameters: {},
    statuses: [200, 304],
    reference: salesReference,
    handle: async ({ request, reply, caller }) => {
      await sendJson(request, reply, JSON.stringify(await monthlySales(services, caller.merchantId)));
    },
  });
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/performance/auctions.json',
    scope: 'read',
    parameters: productSalesParameters,
    statuses: [200, 304],
    reference: productSalesReference,
    handle: async ({ request, reply, caller, input }) => {
      const { duration, page = 1, per_page: perPage = MAX_PAGE_SIZE } = input;
      const { results, total } = await productSales(services, caller.merchantId, { duration, page, perPage });
      const link = pageLinks(pathOf(request.url), { duration, page, perPage }, total);
      const body = RenderedJson.of(results);
      sendResponse(request, reply, await prepareResponse(body, request.headers['accept-encoding'], link));
    },
  });
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/schedules.json',
    scope: 'read',
    parameters: schedulesParameters,
    statuses: [200, 304, 404, 410],
    reference: schedulesReference,
    handle: async ({ request, reply, caller, input }) => {
      const list = await listSchedules(services, caller.merchantId, input);
      await sendJson(request, reply, JSON.stringify(list));
    },
  });
}

/** Returns the list that the parameters select. @throws {DomainError} */
async function listSchedules(
  sources: SalesSources,
  merchantId: number,
  input: BoundParameters<typeof schedulesParameters>,
): Promise<ScheduleList> {
  const { changed_since: changedSince, month, product_identifier: identifier, after } = input;
  const request = { merchantId, perPage: input.per_page ?? DEFAULT_PAGE_SIZE, after };
  const selectors = [changedSince, month, identifier].filter((value) => value !== undefined);
  if (selectors.length !== 1) {
    const reason = 'expected exactly one of changed_since, month and product_identifier';
    throw errors.invalid_parameters([{ field: 'changed_since', reason }]);
  }
  if (changedSince !== undefined) {
    if (after === undefined) return await schedulesChangedSince(sources, request, changedSince);
    const reason =
      'expected only with month or product_identifier; with changed_since, send the cursor there';
    throw errors.invalid_parameters([{ field: 'after', reason }]);
  }
  if (month !== undefined) return await schedulesOfMonth(sources, request, month);
  const list = await schedulesOfProduct(sources, request, identifier ?? '');
  if (list === undefined) throw errors.product_not_found(identifier ?? '');
  return list;
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
