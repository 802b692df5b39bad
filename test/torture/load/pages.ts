import { sortWords } from '../../support/listing-model.ts';
import { TOKEN } from '../test-data.ts';

const REQUESTS = 5_000;
const SIZES = 23;

/** Varied and ordered so that almost no response is cached. */
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
