import type { Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import type { Sort } from '../list/listing.ts';
import { BLOCK_SIZE, countBits, idsDescending, type ProductSet } from '../search-index/product-set.ts';
import { newestFirst, type PagePosition } from './newest-first.ts';
import { findSortKeys, listInOrder, type OrderedPart, type SortKey } from './queries.ts';

interface Matches {
  merchantId: number;
  products: ProductSet;
  sort: Sort;
}

/** Looking up a product costs about as much as passing this many in an index. */
const LOOK_UP_COST = 12.5;
/** So few products are always looked up: a walk may have to pass all others before it finds them. */
const MAX_LOOKED_UP = 1_000;
const FIRST_STEP = 500;
const MAX_STEP = 16_000;

export async function sortMatches(
  reader: Reader,
  matches: Matches,
  window: PagePosition,
): Promise<{ total: number; ids: number[] }> {
  const { merchantId, products, sort } = matches;
  if (sort.field === 'created_at' && sort.direction === 'DESC')
    return await newestFirst(reader, merchantId, products, window);
  const { blocks } = products;
  const total = [...blocks.values()].reduce((sum, bits) => sum + countBits(bits), 0);
  const end = Math.min(window.position + window.perPage, total);
  if (window.position >= end) return { total, ids: [] };
  const catalog = (Math.max(...blocks.keys()) + 1) * BLOCK_SIZE;
  // If the matches are evenly spread, a walk passes this many products before it has found enough.
  const walkCost = (end / total) * catalog;
  const isWalked = total > MAX_LOOKED_UP && walkCost < total * LOOK_UP_COST;
  const ids = isWalked ? await walk(reader, matches, end) : await sortByKeys(reader, matches);
  return { total, ids: ids.slice(window.position, end) };
}

async function sortByKeys(reader: Reader, { merchantId, products, sort }: Matches): Promise<number[]> {
  const ids = [...products.blocks].flatMap(([block, bits]) => idsDescending(block, bits));
  const keys = await lookUp(reader, findSortKeys(sort.field), merchantId, ids);
  const sign = sort.direction === 'ASC' ? 1 : -1;
  keys.sort((a, b) => sign * (compareKeys(a.key, b.key) || a.internal_id - b.internal_id));
  return keys.map(({ internal_id: id }) => id);
}

/** Compares keys as the databases do: text by its bytes. */
function compareKeys(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}

async function walk(
  reader: Reader,
  { merchantId, products, sort }: Matches,
  enough: number,
): Promise<number[]> {
  const [first, next] = [listInOrder(sort, 'first'), listInOrder(sort, 'after')];
  const slices = new TimeSlices();
  const found: number[] = [];
  let last: SortKey | undefined;
  for (let limit = FIRST_STEP; found.length < enough; limit = Math.min(2 * limit, MAX_STEP)) {
    const part: OrderedPart | undefined =
      last === undefined
        ? await reader.first(first, { merchantId, limit })
        : await reader.first(next, { merchantId, limit, key: last.key, internalId: last.internal_id });
    if (part === undefined || part.ids === null || part.last_key === null) break;
    const ids = part.ids.split(',').map(Number);
    for (const id of ids) if (products.has(id)) found.push(id);
    if (ids.length < limit) break;
    last = { key: part.last_key, internal_id: ids.at(-1) ?? 0 };
    await slices.pause();
  }
  return found;
}
