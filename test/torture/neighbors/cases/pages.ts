import { Random } from '../../../../src/demo/random.ts';
import { productStatuses } from '../../../../src/products/record/product.ts';
import { sortWords } from '../../../support/listing-model.ts';
import { apiRequest, type Case, type CaseContext } from '../case.ts';
import { tokensOf, variationOf } from '../merchants.ts';
import type { TestRequest, Workload } from '../workload.ts';

const CATEGORIES = ['', 'Home', 'Home | Kitchen', 'Nothing | Here'];
const DEEP_PAGES = 2_000;

function pagesOf(count: number, query: (index: number) => Record<string, string | number>): TestRequest[] {
  const tokens = tokensOf('deep');
  return Array.from({ length: count }, (_, index) =>
    apiRequest('/products.json', tokens[index % tokens.length] ?? '', query(index)),
  );
}

function smallPages(): TestRequest[] {
  return pagesOf(200, (index) => ({ page: 1 + (index % 40) }));
}

function deepPages({ seed, sizes }: CaseContext): TestRequest[] {
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

function variations(): TestRequest[] {
  const requests = tokensOf('crowded').map((token, index) =>
    apiRequest('/variations/retrieve.json', token, { identifier: variationOf(index * 7) }),
  );
  return requests.flatMap((request) => [
    request,
    { ...request, kind: 'conditional', headers: { 'if-none-match': '*' } },
    { ...request, kind: 'HEAD', method: 'HEAD' },
    { ...request, kind: 'not found', path: `${request.path}-{n}` },
  ]);
}

function asFastAsPossible(requests: readonly TestRequest[], connections: number): Workload[] {
  return [{ action: 'request', requests, connections, rate: null }];
}

export const pageCases: Case[] = [
  { name: 'small-pages-16', short: false, workloads: () => asFastAsPossible(smallPages(), 16) },
  { name: 'small-pages-64', short: true, workloads: () => asFastAsPossible(smallPages(), 64) },
  {
    name: 'small-pages-same-address',
    short: false,
    sameAddress: true,
    workloads: () => asFastAsPossible(smallPages(), 16),
  },
  { name: 'deep-pages', short: true, workloads: (context) => asFastAsPossible(deepPages(context), 16) },
  {
    name: 'pages-of-1000',
    short: true,
    workloads: ({ sizes }) =>
      asFastAsPossible(
        pagesOf(500, (index) => ({
          per_page: 1_000 - (index % 23),
          page: 1 + ((index * 7) % Math.ceil(sizes.deep / 1_000)),
          sort: sortWords[index % sortWords.length] ?? '',
        })),
        16,
      ),
  },
  { name: 'variations', short: true, workloads: () => asFastAsPossible(variations(), 16) },
];
