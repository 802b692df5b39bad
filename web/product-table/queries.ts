import { queryOptions } from '@tanstack/react-query';
import type { ProductPageView } from '../../src/console/catalog-api.ts';
import type { Product } from '../../src/products/record/product.ts';
import { type Listing, toQuery } from '../products/listing.ts';
import { readProduct } from '../products/product-version.ts';
import { forEach } from '../server/for-each.ts';
import { request } from '../server/request.ts';

/** The largest number of products in the table. More rows would make typing slow. */
export const MAX_PRODUCTS = 200;
const AT_ONCE = 8;

/** The products of the table, in their order. */
export interface TableProducts {
  products: Product[];
  /** The number of products that were asked for. */
  total: number;
}

/** The products with these internal ids, separated by commas; without ids, all that match the filters. */
export function tableQuery({ ids, ...listing }: Listing & { ids?: string }) {
  return queryOptions({
    queryKey: ['products', 'table', ids ?? '', toQuery(listing)],
    queryFn: ({ signal }) =>
      ids === undefined ? readMatching(listing, signal) : readSelected(ids.split(','), signal),
    // The table has edits, which are based on what it has read once.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

async function readMatching(listing: Listing, signal: AbortSignal): Promise<TableProducts> {
  const query = toQuery({ ...listing, page: '1', per_page: String(MAX_PRODUCTS) });
  const page = await request<ProductPageView>(`products${query}`, { signal });
  return { products: page.results, total: page.total_entries };
}

async function readSelected(ids: readonly string[], signal: AbortSignal): Promise<TableProducts> {
  const products: Product[] = [];
  await forEach(ids.slice(0, MAX_PRODUCTS), AT_ONCE, async (id, index) => {
    products[index] = (await readProduct(id, signal)).product;
  });
  return { products, total: ids.length };
}
