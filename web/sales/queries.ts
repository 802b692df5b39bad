import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { MonthToDate, ProductNames, ProductSalesPage } from '../../src/console/catalog-api.ts';
import { call } from '../server/call.ts';
import { request } from '../server/request.ts';
import { stringifySearch } from '../server/search-params.ts';

/** What the page's URL has. */
export interface SalesSearch {
  /** The number of months that are shown; all by default. */
  months?: string;
  duration?: string;
  page?: string;
  /** The month or the product whose schedules are listed. */
  month?: string;
  product?: string;
  /** With a product, the days of the schedules. */
  from?: string;
  to?: string;
}

export const salesQuery = queryOptions({
  queryKey: ['sales'],
  queryFn: ({ signal }) => call('listMonthlySales', {}, { signal }),
});

/** An earlier month up to the current day of the month. */
export const monthToDateQuery = (month: string) =>
  queryOptions({
    queryKey: ['sales', 'month-to-date', month],
    queryFn: ({ signal }) =>
      request<MonthToDate>(`sales/month-to-date${stringifySearch({ month })}`, { signal }),
  });

export const DEFAULT_DURATION = 'last_30_days';

/** A page of products with schedules in a period, the highest revenue first. */
export const productSalesQuery = ({ duration = DEFAULT_DURATION, page }: SalesSearch) =>
  queryOptions({
    queryKey: ['sales', 'products', duration, page],
    queryFn: ({ signal }) =>
      request<ProductSalesPage>(`sales/products${stringifySearch({ duration, page, per_page: 10 })}`, {
        signal,
      }),
    placeholderData: keepPreviousData,
  });

const TOP_PRODUCTS = 5;

/** The first products of the same list for the last 30 days, with their names. */
export const topProductsQuery = queryOptions({
  queryKey: ['sales', 'top-products'],
  queryFn: async ({ signal }) => {
    const parameters = { duration: DEFAULT_DURATION, per_page: TOP_PRODUCTS };
    const path = `sales/products${stringifySearch(parameters)}`;
    const { products: sales } = await request<ProductSalesPage>(path, { signal });
    const identifiers = sales.map(({ identifier }) => identifier).join(',');
    const names =
      identifiers === ''
        ? []
        : (await request<ProductNames>(`products/names${stringifySearch({ identifiers })}`, { signal }))
            .products;
    const byIdentifier = new Map(names.map((name) => [name.identifier, name]));
    return sales.map((each) => ({ ...each, product: byIdentifier.get(each.identifier) }));
  },
  staleTime: 5 * 60_000,
});

/** Parts of the list of a month's or a product's schedules. */
export const schedulesQuery = ({ month, product, from, to }: SalesSearch) =>
  infiniteQueryOptions({
    queryKey: ['sales', 'schedules', month, product, from, to],
    queryFn: ({ pageParam, signal }) => {
      const after = pageParam ?? undefined;
      const parameters = { month, product_identifier: product, from, to, after, per_page: 100 };
      return call('listSchedules', parameters, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ more, cursor }) => (more ? cursor : null),
  });
