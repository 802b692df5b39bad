import type { ProductStatus } from '../../src/products/record/product.ts';

/** The parameters of a product list, named as in the API. */
export interface Listing {
  status?: string;
  category?: string;
  sort?: string;
  page?: string;
  per_page?: string;
}

/** The URL parameters of the products page: the list, and the product that is open. */
export interface ProductsSearch extends Listing {
  product?: string;
}

export function listingOf({ product: _, ...listing }: ProductsSearch): Listing {
  return listing;
}

export const DEFAULT_PAGE_SIZE = 50;
export const DEFAULT_SORT = 'created_at_descending';
export const pageSizes = [25, 50, 100, 250];

export const statusLabels: Record<ProductStatus, string> = {
  in_stock: 'In stock',
  low_inventory: 'Low inventory',
  sold_out: 'Sold out',
  enabled: 'Enabled',
  disabled: 'Disabled',
  problematic: 'Problematic',
  banned: 'Banned',
  deleted: 'Deleted',
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

/** Returns the query string for the server. */
export function toQuery({ status, category, sort, page, per_page: perPage }: Listing): string {
  const query = new URLSearchParams();
  const parameters = { status, category, sort, page, per_page: perPage };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return query.toString();
}
