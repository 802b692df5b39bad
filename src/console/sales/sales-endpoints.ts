import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { monthIn } from '../../merchants/time-zone.ts';
import { monthlySales } from '../../sales/monthly-sales.ts';
import { productSales } from '../../sales/product-sales.ts';
import { productSalesParameters, schedulesParameters } from '../../sales/sales-parameters.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { MonthToDate, ProductSalesPage } from '../catalog-api.ts';
import { monthToDate } from '../overview/month-to-date.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';

const DEFAULT_PAGE_SIZE = 50;

interface SalesServices {
  database: Database;
  offLoop: OffLoopReads;
  now: () => number;
}

/** Registers what the API's calls for sales do not return. */
export function consoleSalesEndpoints(app: FastifyInstance, services: SalesServices): void {
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
}
