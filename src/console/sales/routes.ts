import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { errors } from '../../errors/errors.ts';
import { monthIn } from '../../merchants/time-zone.ts';
import { type ScheduleList, schedulesOfMonth, schedulesOfProduct } from '../../sales/list-schedules.ts';
import { monthlySales } from '../../sales/monthly-sales.ts';
import { productSales } from '../../sales/product-sales.ts';
import { productSalesParameters } from '../../sales/product-sales-reference.ts';
import { schedulesParameters } from '../../sales/schedules-reference.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { MonthToDate, ProductSalesPage, SalesView } from '../console-api.ts';
import { registerConsoleEndpoint } from '../endpoint.ts';
import { monthToDate } from '../overview/month-to-date.ts';

const DEFAULT_PAGE_SIZE = 50;

interface Services {
  database: Database;
  offLoop: OffLoopReads;
  now: () => number;
}

/** Registers the endpoints for sales, which return the API's records. */
export function consoleSalesRoutes(app: FastifyInstance, services: Services): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/sales',
    parameters: {},
    statuses: [200],
    handle: async ({ caller: { merchant } }) =>
      RenderedJson.of<SalesView>({
        months: await monthlySales(services, merchant.id),
        this_month: monthIn(merchant.time_zone)(services.now()),
      }),
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/sales/month-to-date',
    parameters: { month: { ...schedulesParameters.month, required: true } },
    statuses: [200],
    handle: async ({ caller: { merchant }, input: { month } }) => {
      const months = await monthlySales(services, merchant.id);
      const thisMonth = monthIn(merchant.time_zone)(services.now());
      const sales = await monthToDate(services, merchant.id, { months, month, thisMonth });
      return RenderedJson.of<MonthToDate>({ sales });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/sales/products',
    parameters: productSalesParameters,
    statuses: [200],
    handle: async ({ caller, input: { duration, page = 1, per_page: perPage = DEFAULT_PAGE_SIZE } }) => {
      const { merchant } = caller;
      const { results, total } = await productSales(services, merchant.id, { duration, page, perPage });
      return RenderedJson.of<ProductSalesPage>({
        products: results,
        page,
        per_page: perPage,
        total_entries: total,
      });
    },
  });
  const { month, product_identifier, after, per_page } = schedulesParameters;
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/sales/schedules',
    parameters: { month, product_identifier, after, per_page },
    statuses: [200, 404],
    handle: async ({ caller: { merchant }, input }) => {
      const { month, product_identifier: product, after, per_page: perPage = DEFAULT_PAGE_SIZE } = input;
      if ((month === undefined) === (product === undefined))
        throw errors.invalid_parameters([
          { field: 'month', reason: 'send either month or product_identifier' },
        ]);
      const request = { merchantId: merchant.id, perPage, after };
      const list =
        month === undefined
          ? await schedulesOfProduct(services, request, product ?? '')
          : await schedulesOfMonth(services, request, month);
      if (list === undefined) throw errors.product_not_found(product ?? '');
      return RenderedJson.of<ScheduleList>(list);
    },
  });
}
