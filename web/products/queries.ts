import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  CategoryPage,
  ProductCounts,
  ProductIssues,
  ProductPageView,
} from '../../src/console/console-api.ts';
import type { Product } from '../../src/products/record/product.ts';
import { queryClient } from '../server/query-client.ts';
import { request } from '../server/request.ts';
import { type Listing, toQuery } from './listing.ts';

/** A page of products. The previous page stays visible while the next one loads. */
export function pageQuery(listing: Listing) {
  const query = toQuery(listing);
  return queryOptions({
    queryKey: ['products', 'page', query],
    queryFn: ({ signal }) => request<ProductPageView>(`products?${query}`, { signal }),
    placeholderData: keepPreviousData,
  });
}

export const countsQuery = queryOptions({
  queryKey: ['products', 'counts'],
  queryFn: ({ signal }) => request<ProductCounts>('products/counts', { signal }),
});

/** The first categories that contain `query`, the children of `parent`, or the first-level categories. */
export function categoriesQuery(filter: { query?: string; parent?: string }) {
  const query = new URLSearchParams(filter).toString();
  return queryOptions({
    queryKey: ['products', 'categories', query],
    queryFn: ({ signal }) => request<CategoryPage>(`products/categories?${query}`, { signal }),
  });
}

/** One product. If a loaded list contains it, that copy is shown immediately. */
export function productQuery(internalId: string) {
  return queryOptions({
    queryKey: ['products', 'one', internalId],
    queryFn: ({ signal }) => request<Product>(`products/${encodeURIComponent(internalId)}`, { signal }),
    placeholderData: () => {
      const lists = queryClient.getQueriesData<ProductPageView>({ queryKey: ['products', 'page'] });
      for (const [, list] of lists) {
        const found = list?.results.find(({ internal_id }) => String(internal_id) === internalId);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  });
}

/** Why the operator moderates a product. */
export function issuesQuery(identifier: string) {
  const query = new URLSearchParams({ identifier }).toString();
  return queryOptions({
    queryKey: ['products', 'issues', identifier],
    queryFn: ({ signal }) => request<ProductIssues>(`products/issues?${query}`, { signal }),
  });
}
