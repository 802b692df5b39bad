import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ProductSalesPage, SalesReport } from '../../src/console/catalog-api.ts';
import { call } from '../server/call.ts';
import { request } from '../server/request.ts';
import { stringifySearch } from '../server/search-params.ts';
import type { ShownRange } from './ranges.ts';
import type { SalesSearch } from './search.ts';

/** The figures of a range of days, compared with other days. */
export const reportQuery = ({ from, to, unit, comparison: compare }: ShownRange) =>
  queryOptions({
    queryKey: ['sales', 'report', from, to, unit, compare],
    queryFn: ({ signal }) =>
      request<SalesReport>(`sales/report${stringifySearch({ from, to, unit, compare })}`, { signal }),
    placeholderData: keepPreviousData,
  });

export const DEFAULT_SORT = 'revenue_descending';

/** A page of products with schedules on these days. */
export const productSalesQuery = (
  { from, to }: { from: string | undefined; to: string },
  { sort = DEFAULT_SORT, page }: SalesSearch,
) =>
  queryOptions({
    queryKey: ['sales', 'products', from, to, sort, page],
    queryFn: ({ signal }) => {
      const parameters = { from, to, sort, page, per_page: 10 };
      return request<ProductSalesPage>(`sales/products${stringifySearch(parameters)}`, { signal });
    },
    enabled: from !== undefined,
    placeholderData: keepPreviousData,
  });

const TOP_PRODUCTS = 5;

/** The products with the highest revenue in the last 30 days. */
export const topProductsQuery = queryOptions({
  queryKey: ['sales', 'top-products'],
  queryFn: async ({ signal }) => {
    const path = `sales/products${stringifySearch({ duration: 'last_30_days', per_page: TOP_PRODUCTS })}`;
    return (await request<ProductSalesPage>(path, { signal })).products;
  },
  staleTime: 5 * 60_000,
});

/** Which auctions are listed: those of a month, or those of a product on some days. */
export interface AuctionsOf {
  month?: string | undefined;
  product_identifier?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Parts of the list of a month's or a product's schedules. */
export const schedulesQuery = (of: AuctionsOf) =>
  infiniteQueryOptions({
    queryKey: ['sales', 'schedules', of],
    queryFn: ({ pageParam, signal }) =>
      call('listSchedules', { ...of, after: pageParam ?? undefined, per_page: 100 }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ more, cursor }) => (more ? cursor : null),
  });
