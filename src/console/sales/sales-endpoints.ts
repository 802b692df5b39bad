import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { dayRange, requireOrderedDays } from '../../http/parameters/day-range.ts';
import { int32, oneOf } from '../../http/parameters/types.ts';
import { productSorts } from '../../sales/product-queries.ts';
import { productSales } from '../../sales/product-sales.ts';
import { comparisons, units } from '../../sales/report.ts';
import { productSalesParameters, requirePeriod } from '../../sales/sales-parameters.ts';
import { salesReport } from '../../sales/sales-report.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { ProductSalesPage, SalesReport } from '../catalog-api.ts';
import { describeProducts } from '../products/name-products.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';

const DEFAULT_PAGE_SIZE = 50;
/** The records of all products on a page are read. */
const MAX_PAGE_SIZE = 100;

interface SalesServices {
  database: Database;
  offLoop: OffLoopReads;
  now: () => number;
}

/** Registers what the API's calls for sales do not return. */
export function consoleSalesEndpoints(app: FastifyInstance, services: SalesServices): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/sales/report',
    parameters: {
      from: dayRange.from,
      to: { ...dayRange.to, required: true },
      unit: { type: oneOf(units), required: true },
      compare: { type: oneOf(comparisons) },
    },
    statuses: [200],
    handle: async ({ caller: { merchant }, input: { from, to, unit, compare: comparison } }) => {
      requireOrderedDays({ from, to });
      const request = { from, to, unit, comparison };
      return RenderedJson.of<SalesReport>(await salesReport(services, merchant, request));
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/sales/products',
    parameters: {
      ...dayRange,
      duration: { type: productSalesParameters.duration.type },
      sort: { type: oneOf(productSorts) },
      page: productSalesParameters.page,
      per_page: { type: int32(1, MAX_PAGE_SIZE) },
    },
    statuses: [200],
    handle: async ({ caller: { merchant }, input }) => {
      const { sort, page = 1, per_page: perPage = DEFAULT_PAGE_SIZE } = input;
      const request = { ...requirePeriod(input), sort, page, perPage };
      const { results, total } = await productSales(services, merchant.id, request);
      const identifiers = results.map(({ identifier }) => identifier);
      const described = await describeProducts(services.database, merchant.id, identifiers);
      const products = new Map(described.map((product) => [product.identifier, product]));
      return RenderedJson.of<ProductSalesPage>({
        products: results.map((sales) => ({ ...sales, product: products.get(sales.identifier) ?? null })),
        page,
        per_page: perPage,
        total_entries: total,
      });
    },
  });
}
