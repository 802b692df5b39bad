import type { Database } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { idsDescending } from '../../database/search-index/product-set.ts';
import { type Product, parseProduct } from '../record/product.ts';
import { findProductsByInternalIds } from '../record/queries.ts';
import { findMatches, type Search } from '../search/find-matches.ts';

/** Few enough that records of the maximum size, about a megabyte, fit in memory. */
const PRODUCTS_PER_STEP = 100;

/** The products that a bulk change or an export applies to: those with these internal ids, or all that match. */
export type Selection = { ids: readonly number[] } | { search: Omit<Search, 'merchantId'> };

interface Services {
  database: Database;
  offLoop: OffLoopReads;
}

/**
 * Finds the internal ids of selected products, the newest first; ids that no product has are left out later. A search
 * without words and filters matches all products of its status, or all that are not deleted.
 * @throws {QueueFull} if too many of this merchant's expensive reads are waiting
 */
export async function selectProducts(
  { offLoop }: Pick<Services, 'offLoop'>,
  merchantId: number,
  selection: Selection,
): Promise<number[]> {
  if ('ids' in selection) return [...new Set(selection.ids)];
  const search = { merchantId, ...selection.search };
  const { blocks } = await offLoop.snapshot(merchantId, (reader) => findMatches(reader, search));
  return [...blocks]
    .sort(([one], [other]) => other - one)
    .flatMap(([block, bits]) => idsDescending(block, bits));
}

/** Yields the products with these internal ids in batches. Products that do not exist are left out. */
export async function* readProducts(
  { database }: Pick<Services, 'database'>,
  merchantId: number,
  ids: readonly number[],
): AsyncGenerator<Product[]> {
  for (let start = 0; start < ids.length; start += PRODUCTS_PER_STEP) {
    const part = ids.slice(start, start + PRODUCTS_PER_STEP);
    const rows = await lookUp(database, findProductsByInternalIds, merchantId, part);
    const byId = new Map(rows.map((row) => [row.internal_id, row]));
    yield part.flatMap((id) => {
      const row = byId.get(id);
      return row === undefined ? [] : [parseProduct(row.record)];
    });
  }
}
