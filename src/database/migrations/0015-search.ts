import type { Dialect } from '../database.ts';

/**
 * Creates the tables of the search index (decision 27): the products by the words of their titles, by popular prefixes
 * and by status, which prefixes are popular, and the creation times of each block of products.
 */
export function searchTables({ integer, text, bytes, compact, ordinary }: Dialect): string[] {
  const productsByWord = (table: string): string =>
    `CREATE TABLE ${table} (
      merchant_id ${integer} NOT NULL,
      word ${text} NOT NULL,
      block ${integer} NOT NULL,
      products ${bytes} NOT NULL,
      PRIMARY KEY (merchant_id, word, block)
    ) ${compact}`;
  return [
    productsByWord('search_words'),
    productsByWord('search_prefixes'),
    `CREATE TABLE search_popular (
      merchant_id ${integer} NOT NULL PRIMARY KEY,
      prefixes ${text} NOT NULL
    ) ${ordinary}`,
    `CREATE TABLE search_blocks (
      merchant_id ${integer} NOT NULL,
      block ${integer} NOT NULL,
      oldest ${integer} NOT NULL,
      newest ${integer} NOT NULL,
      ordered ${integer} NOT NULL,
      PRIMARY KEY (merchant_id, block)
    ) ${compact}`,
  ];
}
