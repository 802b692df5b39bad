import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  CategoryPage,
  ProductColumns,
  ProductCounts,
  ProductPageView,
} from '../../src/console/catalog-api.ts';
import { call, callPage } from '../server/call.ts';
import { request } from '../server/request.ts';
import { filtersOnly, type Listing, toQuery } from './listing.ts';
import { readProduct } from './product-version.ts';

/** A page of products. The previous page stays visible while the next one loads. */
export function pageQuery(listing: Listing) {
  const query = toQuery(listing);
  return queryOptions({
    queryKey: ['products', 'page', query],
    queryFn: ({ signal }) => request<ProductPageView>(`products${query}`, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The numbers of products by status that match the filters of a list. */
export function countsQuery(listing: Listing) {
  const { status: _, ...filters } = filtersOnly(listing);
  const query = toQuery(filters);
  return queryOptions({
    queryKey: ['products', 'counts', query],
    queryFn: ({ signal }) => request<ProductCounts>(`products/counts${query}`, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The user's choice of columns. Only this user changes it. */
export const columnsQuery = queryOptions({
  queryKey: ['product-columns'],
  queryFn: ({ signal }) => request<ProductColumns>('product-columns', { signal }),
  staleTime: 5 * 60_000,
});

/** The first categories that contain `query`, the children of `parent`, or the first-level categories. */
export function categoriesQuery(filter: { query?: string; parent?: string }) {
  const query = new URLSearchParams(filter).toString();
  return queryOptions({
    queryKey: ['products', 'categories', query],
    queryFn: ({ signal }) => request<CategoryPage>(`products/categories?${query}`, { signal }),
  });
}

/** One product, with its version. */
export function productQuery(internalId: string) {
  return queryOptions({
    queryKey: ['products', 'one', internalId],
    queryFn: ({ signal }) => readProduct(internalId, signal),
  });
}

/** The names of the latest campaigns, for suggestions. */
export const campaignNamesQuery = queryOptions({
  queryKey: ['campaigns', 'names'],
  queryFn: async ({ signal }) => {
    const { results } = await callPage('listCampaigns', { per_page: 100 }, { signal });
    return [...new Set(results.map(({ name }) => name))];
  },
});

/** The lists of the marketplace, which change rarely. */
export const metadataQuery = queryOptions({
  queryKey: ['metadata'],
  queryFn: ({ signal }) => call('retrieveMetadata', {}, { signal }),
  staleTime: 5 * 60_000,
});

/** Why the operator moderates a product, and which of its images don’t work. */
export function issuesQuery(identifier: string) {
  return queryOptions({
    queryKey: ['products', 'issues', identifier],
    queryFn: ({ signal }) => call('listProductIssues', { identifier }, { signal }),
  });
}
