import type { Database, Reader } from '../../database/database.ts';
import { boundsOfSearch, type NewestPlace, newestOf, readPlaces } from '../../database/lists-of-all.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import type { Mode } from '../../database/sides.ts';
import { collectByMerchant, type MerchantPlace } from '../../shared/collect-by-merchant.ts';
import { pick } from '../../shared/pick.ts';
import { findLargeRecord } from '../moderation/queries.ts';
import { type Product, type ProductStatus, parseProduct, productStatuses } from '../record/product.ts';
import type { Moderation } from '../record/product-status.ts';
import { findMatches } from '../search/find-matches.ts';
import { idsDescending } from '../search-index/product-set.ts';
import { identifierRanges } from '../search-index/read-range.ts';
import { wordsOf } from '../search-index/words.ts';
import {
  findListed,
  listMerchantsWithWords,
  listNewestOfAll,
  listNewestOfMerchant,
  MAX_CANDIDATE_WORDS,
} from './queries.ts';

/** What the list shows of a product. */
export const listedProductFields = [
  'identifier',
  'internal_id',
  'status',
  'title',
  'category',
  'retail_price',
  'buy_now_price',
  'available_quantity',
  'primary_image',
  'created_at',
  'updated_at',
] as const satisfies (keyof Product)[];

export interface ProductOfMerchant {
  merchantId: number;
  moderation: Moderation;
  product: Pick<Product, (typeof listedProductFields)[number]>;
  variationCount: number;
}

/** Without a status, deleted products are left out. */
export interface ProductFilter {
  side: Mode;
  /** The ID of one side of a merchant; undefined for all merchants. */
  merchantId: number | undefined;
  status: ProductStatus | undefined;
  limit: number;
}

interface ProductsPage<Place> {
  results: ProductOfMerchant[];
  /** Undefined on the last page. */
  next: Place | undefined;
}

interface Services {
  database: Pick<Database, 'all' | 'first'>;
  offLoop: OffLoopReads;
}

/** Lists products of all merchants or of one, newest first. Each status is read from its part of an index. */
export async function listProductsOfAllMerchants(
  { database }: Pick<Services, 'database'>,
  { side, merchantId, status, limit }: ProductFilter,
  after: NewestPlace,
): Promise<ProductsPage<NewestPlace>> {
  const statuses = status === undefined ? productStatuses.filter((one) => one !== 'deleted') : [status];
  const from = merchantId === undefined ? after : { ...after, merchantId };
  const list = merchantId === undefined ? listNewestOfAll[side] : listNewestOfMerchant;
  const places = await Promise.all(
    statuses.map((one) => database.all(list, { ...from, status: one, limit: limit + 1 })),
  );
  const { results, next } = newestOf(places, limit);
  return { results: await readProducts(database, results), next };
}

/**
 * Finds products of all merchants or of one, as a merchant's own search does: by merchant, and the highest
 * internal ID first. A page can have fewer products although others follow.
 * @throws {QueueFull} if too many of a merchant's expensive reads are waiting
 */
export async function searchProductsOfAllMerchants(
  { database, offLoop }: Services,
  { side, merchantId, status, limit, query }: ProductFilter & { query: string },
  after: MerchantPlace,
): Promise<ProductsPage<MerchantPlace>> {
  const words = [...new Set(wordsOf(query))];
  if (words.length === 0) return { results: [], next: undefined };
  const find = async (owner: number, before: number, most: number): Promise<MerchantPlace[]> => {
    const search = { merchantId: owner, words, status };
    return await offLoop.snapshot(owner, async (reader) => {
      const { blocks } = await findMatches(reader, search);
      const ids: number[] = [];
      for (const block of [...blocks.keys()].sort((one, other) => other - one)) {
        const bits = blocks.get(block);
        if (bits === undefined || ids.length >= most) break;
        ids.push(...idsDescending(block, bits).filter((id) => id < before));
      }
      return ids.slice(0, most).map((id) => ({ merchantId: owner, id }));
    });
  };
  const candidates = async (last: number, most: number): Promise<number[]> => {
    if (merchantId !== undefined) return after.id === 0 && last !== merchantId ? [merchantId] : [];
    const { end } = boundsOfSearch[side];
    return await merchantsWith(database, words, { after: last, end, limit: most });
  };
  const { found, next } = await collectByMerchant({ candidates, find }, after, limit);
  return { results: await readProducts(database, found), next };
}

/** Returns merchants that have the longest of these words, which are likely to be rare. */
async function merchantsWith(
  database: Pick<Reader, 'all'>,
  words: readonly string[],
  part: { after: number; end: number; limit: number },
): Promise<number[]> {
  const longest = [...words].sort((one, other) => other.length - one.length).slice(0, MAX_CANDIDATE_WORDS);
  const ranges = longest.flatMap((word, index) => {
    const [lower, upper = lower] = identifierRanges(0, word);
    return [
      [`from${index}`, lower?.from ?? word],
      [`to${index}`, lower?.to ?? word],
      [`upperFrom${index}`, upper?.from ?? word],
      [`upperTo${index}`, upper?.to ?? word],
    ];
  });
  const rows = await database.all(listMerchantsWithWords(longest.length), {
    ...Object.fromEntries(ranges),
    ...part,
  });
  return rows.map(({ merchant_id }) => merchant_id);
}

async function readProducts(
  database: Services['database'],
  places: readonly MerchantPlace[],
): Promise<ProductOfMerchant[]> {
  const statements = { listed: findListed, large: findLargeRecord };
  return await readPlaces(database, statements, places, ({ merchant_id, moderation }, record) => {
    const product = parseProduct(record);
    const variationCount = product.variations.length;
    return {
      merchantId: merchant_id,
      moderation,
      product: pick(product, listedProductFields),
      variationCount,
    };
  });
}
