import { Random } from '../../../../src/demo/random.ts';
import { productStatuses } from '../../../../src/products/record/product.ts';
import { sortWords } from '../../../support/listing-model.ts';
import { tokensOf, variationOf } from '../merchants.ts';
import type { Ask, Work } from '../work.ts';
import { apiAsk, type Case, type World } from '../world.ts';

const CATEGORIES = ['', 'Home', 'Home | Kitchen', 'Nothing | Here'];
const DEEP_PAGES = 2_000;

/** A page for each of these sizes and numbers, with all keys in turn. */
function pagesOf(count: number, query: (index: number) => Record<string, string | number>): Ask[] {
  const tokens = tokensOf('deep');
  return Array.from({ length: count }, (_, index) =>
    apiAsk('/products.json', tokens[index % tokens.length] ?? '', query(index)),
  );
}

function smallPages(): Ask[] {
  return pagesOf(200, (index) => ({ page: 1 + (index % 40) }));
}

/** Random pages with every sort, status and category. */
function deepPages({ seed, sizes }: World): Ask[] {
  const random = new Random(seed);
  return pagesOf(DEEP_PAGES, (index) => ({
    page: random.whole(1, Math.ceil(sizes.deep / 50)),
    per_page: random.whole(20, 50),
    sort: sortWords[index % sortWords.length] ?? '',
    status: random.chance(0.5) ? '' : (productStatuses[random.whole(0, productStatuses.length - 1)] ?? ''),
    category: CATEGORIES[random.whole(0, CATEGORIES.length - 1)] ?? '',
    pagination: random.chance(0.5) ? 'true' : 'false',
  }));
}

function variations(): Ask[] {
  const asks = tokensOf('crowded').map((token, index) =>
    apiAsk('/variations/retrieve.json', token, { identifier: variationOf(index * 7) }),
  );
  return asks.flatMap((ask) => [
    ask,
    { ...ask, kind: 'conditional', headers: { 'if-none-match': '*' } },
    { ...ask, kind: 'HEAD', method: 'HEAD' },
    { ...ask, kind: 'not found', path: `${ask.path}-{n}` },
  ]);
}

function asFastAsPossible(asks: readonly Ask[], connections: number): Work[] {
  return [{ does: 'ask', asks, connections, rate: null }];
}

export const pageCases: Case[] = [
  { name: 'small-pages-16', short: false, works: () => asFastAsPossible(smallPages(), 16) },
  { name: 'small-pages-64', short: true, works: () => asFastAsPossible(smallPages(), 64) },
  {
    name: 'small-pages-same-address',
    short: false,
    sameAddress: true,
    works: () => asFastAsPossible(smallPages(), 16),
  },
  { name: 'deep-pages', short: true, works: (world) => asFastAsPossible(deepPages(world), 16) },
  {
    name: 'pages-of-1000',
    short: true,
    works: ({ sizes }) =>
      asFastAsPossible(
        pagesOf(500, (index) => ({
          per_page: 1_000 - (index % 23),
          page: 1 + ((index * 7) % Math.ceil(sizes.deep / 1_000)),
          sort: sortWords[index % sortWords.length] ?? '',
        })),
        16,
      ),
  },
  { name: 'variations', short: true, works: () => asFastAsPossible(variations(), 16) },
];
