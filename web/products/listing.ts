import type { Product, ProductStatus } from '../../src/products/record/product.ts';
import { stringifySearch, stringParameters } from '../server/search-params.ts';

/** The parameters that choose products, named as in the console’s API and in the page’s URL. */
export const filterNames = [
  'query',
  'category',
  'condition',
  'campaign',
  'price_from',
  'price_below',
  'stock_from',
  'stock_below',
  'images',
] as const;
export type FilterName = (typeof filterNames)[number];

/** All parameters of a list of products. */
export const listingNames = ['status', ...filterNames, 'sort', 'page', 'per_page'] as const;
export type Listing = { [Name in (typeof listingNames)[number]]?: string };

/** Returns the first page of a list with some parameters changed. An empty value removes its parameter. */
export function changeListing({ page: _, ...listing }: Listing, changes: Listing): Listing {
  const kept = Object.entries({ ...listing, ...changes }).filter(([, value]) => value !== '');
  return Object.fromEntries(kept);
}

/** Returns a list without filters. Its order stays. */
export function withoutFilters({ sort, per_page }: Listing): Listing {
  return { ...(sort !== undefined && { sort }), ...(per_page !== undefined && { per_page }) };
}

/** Returns the parameters of a list that choose its products. */
export function filtersOnly({ sort: _, page: __, per_page: ___, ...filters }: Listing): Listing {
  return filters;
}

export function isFiltered(listing: Listing): boolean {
  return filterNames.some((name) => listing[name] !== undefined);
}

/** The server’s limit of the query, in characters. */
export const MAX_QUERY_LENGTH = 500;
export const DEFAULT_PAGE_SIZE = 50;
export const DEFAULT_SORT = 'created_at_descending';
export const pageSizes = [25, 50, 100, 250];

export const statusLabels: Record<ProductStatus, string> = {
  in_stock: 'In stock',
  low_inventory: 'Low inventory',
  sold_out: 'Sold out',
  enabled: 'Enabled',
  disabled: 'Disabled',
  problematic: 'Needs attention',
  banned: 'Banned',
  deleted: 'Deleted',
};

/** Whether a product's stock is known. Records show 0 for a stock that is not tracked. */
export function tracksStock({ status, variations }: Pick<Product, 'status' | 'variations'>): boolean {
  return status !== 'enabled' || variations.length > 0;
}

/** What each status means. */
export const statusDescriptions: Record<ProductStatus, string> = {
  in_stock: 'For sale, with enough units in stock.',
  low_inventory: 'For sale, with few units left.',
  sold_out: 'Not for sale until you restock it.',
  enabled: 'For sale. Without variations, its stock isn’t tracked, so it never sells out.',
  disabled: 'Not for sale until you enable it.',
  problematic: 'Not for sale until you correct what the marketplace found.',
  banned: 'The marketplace doesn’t allow this product.',
  deleted: 'Not for sale. You can restore it.',
};

const sortLabels = {
  created_at: ['Created', 'newest first', 'oldest first'],
  updated_at: ['Updated', 'newest first', 'oldest first'],
  unique_id: ['Identifier', 'Z to A', 'A to Z'],
  ratings: ['Rating', 'highest first', 'lowest first'],
  target_price: ['Cost basis', 'highest first', 'lowest first'],
  sfb: ['Scheduling fee bid', 'highest first', 'lowest first'],
  sales: ['Sales', 'highest first', 'lowest first'],
  reserve_price: ['Reserve price', 'highest first', 'lowest first'],
} as const;
export type SortField = keyof typeof sortLabels;

/** The sixteen sort orders and their labels. */
export const sortOptions = Object.entries(sortLabels).flatMap(([field, [label, descending, ascending]]) => [
  { value: `${field}_descending`, label: `${label}, ${descending}` },
  { value: `${field}_ascending`, label: `${label}, ${ascending}` },
]);

/** Returns the query string for the server. The order of its parameters is always the same. */
export function toQuery(listing: Listing): string {
  return stringifySearch(stringParameters(...listingNames)(listing));
}
