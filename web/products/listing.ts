import type { ProductStatus } from '../../src/products/record/product.ts';

/** What is listed, in the words of the API's own parameters. */
export interface Listing {
  status?: string;
  category?: string;
  sort?: string;
  page?: string;
  per_page?: string;
}

/** What the address of the products' page says: the list, and the product that is open over it. */
export interface ProductsSearch extends Listing {
  product?: string;
}

export function listingOf({ product: _, ...listing }: ProductsSearch): Listing {
  return listing;
}

export const DEFAULT_PAGE_SIZE = 50;
export const DEFAULT_SORT = 'created_at_descending';
export const pageSizes = [25, 50, 100, 250];

export const statusNames: Record<ProductStatus, string> = {
  in_stock: 'In stock',
  low_inventory: 'Low inventory',
  sold_out: 'Sold out',
  enabled: 'Enabled',
  disabled: 'Disabled',
  problematic: 'Problematic',
  banned: 'Banned',
  deleted: 'Deleted',
};

const words = {
  created_at: ['Made', 'newest first', 'oldest first'],
  updated_at: ['Changed', 'latest first', 'earliest first'],
  unique_id: ['Identifier', 'Z to A', 'A to Z'],
  ratings: ['Rating', 'best first', 'worst first'],
  target_price: ['Cost basis', 'highest first', 'lowest first'],
  sfb: ['Scheduling fee bid', 'highest first', 'lowest first'],
  sales: ['Sales', 'most first', 'fewest first'],
  reserve_price: ['Reserve price', 'highest first', 'lowest first'],
} as const;
export type SortWord = keyof typeof words;

/** All sixteen sorts, with what they are called here. */
export const sortChoices = Object.entries(words).flatMap(([word, [name, down, up]]) => [
  { value: `${word}_descending`, label: `${name}, ${down}` },
  { value: `${word}_ascending`, label: `${name}, ${up}` },
]);

/** The parameters to ask the server with. */
export function toQuery({ status, category, sort, page, per_page: perPage }: Listing): string {
  const query = new URLSearchParams();
  const given = { status, category, sort, page, per_page: perPage };
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, value);
  return query.toString();
}
