import { sortWords } from '../../support/listing-model.ts';
import { TOKEN } from '../stock.ts';

const REQUESTS = 5_000;
const SIZES = 23;

/** Addresses of pages of a catalog, so many of them and in such an order that hardly one is remembered. */
export function pagePaths(products: number, perPage: number): string[] {
  const pages = Math.floor(products / perPage);
  return Array.from({ length: REQUESTS }, (_, turn) => {
    const query = new URLSearchParams({
      access_token: TOKEN,
      per_page: String(perPage - (turn % SIZES)),
      page: String(1 + ((turn * 7) % pages)),
      sort: sortWords[turn % sortWords.length] ?? '',
    });
    return `/v1/products.json?${query}`;
  });
}
