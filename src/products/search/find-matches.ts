import type { Reader } from '../../database/database.ts';
import { listFailingProducts, MAX_FAILING } from '../images/queries.ts';
import { type ProductStatus, productStatuses } from '../record/product.ts';
import { statusWord } from '../search-index/facets.ts';
import { ProductSet } from '../search-index/product-set.ts';
import { type BlockRow, listPrefix } from '../search-index/queries.ts';
import { readRange } from '../search-index/read-range.ts';

/** Without a status, deleted products are left out. */
export interface Search {
  merchantId: number;
  /** Folded; undefined if only filters matter. Without words and filters, the whole status matches. */
  words: readonly string[] | undefined;
  status: ProductStatus | undefined;
  /** Each has the indexed texts of its facets. A product matches if it has one of them. */
  filters?: readonly (readonly string[])[];
  /** Whether only products match that have an image that does not work. */
  failingImages?: boolean;
}

export async function findMatches(
  reader: Reader,
  { merchantId, words, status, filters = [], failingImages = false }: Search,
): Promise<ProductSet> {
  const ofStatus = reader.all(listPrefix, { merchantId, word: statusWord(status ?? 'deleted') });
  // Not awaited if the result is empty; its failure is then another statement’s too.
  ofStatus.catch(() => {});
  // Products with a longer word also have the shorter one that it begins with.
  const needed = [...new Set(words ?? [])].filter(
    (word, _, all) => !all.some((other) => other !== word && other.startsWith(word)),
  );
  // Longer words are rarer, so that an empty result is known early.
  needed.sort((one, other) => other.length - one.length);
  // A query of characters that are in no word finds nothing.
  let matches = words?.length === 0 ? new ProductSet() : undefined;
  for (let start = 0; start < needed.length; start += MAX_PARALLEL_WORDS) {
    const some = needed.slice(start, start + MAX_PARALLEL_WORDS);
    for (const set of await Promise.all(some.map((word) => findWord(reader, merchantId, word)))) {
      if (matches === undefined) matches = set;
      else matches.keep(set);
    }
    if (matches?.isEmpty()) return matches;
  }
  for (const facets of filters) {
    const found = await Promise.all(facets.map((word) => reader.all(listPrefix, { merchantId, word })));
    const set = setOf(found.flat());
    if (matches === undefined) matches = set;
    else matches.keep(set);
  }
  if (failingImages) {
    const set = await findFailing(reader, merchantId);
    if (matches === undefined) matches = set;
    else matches.keep(set);
  }
  const products = matches ?? (await findLive(reader, merchantId, status));
  const statusSet = setOf(await ofStatus);
  if (status === undefined) products.remove(statusSet);
  else products.keep(statusSet);
  return products;
}

async function findFailing(reader: Reader, merchantId: number): Promise<ProductSet> {
  const set = new ProductSet();
  const failing = await reader.all(listFailingProducts, { merchantId, limit: MAX_FAILING });
  for (const { product_id } of failing) set.add(product_id);
  return set;
}

/** Finds all products of a status, or of every status except `deleted`. */
async function findLive(
  reader: Reader,
  merchantId: number,
  status: ProductStatus | undefined,
): Promise<ProductSet> {
  const statuses = status === undefined ? productStatuses.filter((one) => one !== 'deleted') : [status];
  const words = statuses.map(statusWord);
  const found = await Promise.all(words.map((word) => reader.all(listPrefix, { merchantId, word })));
  return setOf(found.flat());
}

export async function countByStatus(
  reader: Reader,
  merchantId: number,
  products: ProductSet,
): Promise<Map<ProductStatus, number>> {
  const counts = productStatuses.map(async (status): Promise<[ProductStatus, number]> => {
    const ofStatus = setOf(await reader.all(listPrefix, { merchantId, word: statusWord(status) }));
    return [status, ofStatus.countIn(products)];
  });
  return new Map(await Promise.all(counts));
}

const MAX_PARALLEL_WORDS = 2;

async function findWord(reader: Reader, merchantId: number, word: string): Promise<ProductSet> {
  const rows = await reader.all(listPrefix, { merchantId, word });
  if (rows.length > 0) return setOf(rows);
  const set = new ProductSet();
  for (const entry of await readRange(reader, merchantId, word)) entry.addTo(set);
  return set;
}

function setOf(rows: readonly BlockRow[]): ProductSet {
  const set = new ProductSet();
  for (const row of rows) set.addStored(row);
  return set;
}
