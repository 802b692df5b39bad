import assert from 'node:assert/strict';
import { it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import { productStatuses } from '../../src/products/record/product.ts';
import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import { BLOCK_SIZE } from '../../src/products/search-index/product-set.ts';
import { findPopular } from '../../src/products/search-index/queries.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { fc } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { isThorough, runs } from '../support/thorough.ts';
import { expectedSearch, type SearchQuery, searchableCatalog } from './search-model.ts';

const WORDS = [
  ...['steel', 'Steel', 'stéél', 'STEELWORK', 'Straße', 'STRASSE', 'straßen', 'strass', 'T-Shirt', 'shirt'],
  ...[
    'ΟΔΟΣ',
    'οδός',
    'İznik',
    'kapı',
    'ﬁne',
    'fine',
    '１２',
    '12',
    '3/4',
    '红色花瓶',
    '花',
    'ガラス',
    'Größe-XL',
  ],
  ...['🏺', '🎉party', '꽃병', 'Дом', 'дома', "men's", '(red)', 'a', 'ab', 'abc', '-', '_x_'],
];
/** Enough for prefixes that are popular. */
const PRODUCTS = isThorough ? 9_000 : 3_000;
const FIRST_TIME = Date.UTC(2020, 0, 1);
const DAY = 86_400_000;

const title = fc
  .array(fc.constantFrom(...WORDS), { minLength: 0, maxLength: 4 })
  .map((words) => words.join(' '));
const fields = fc.record(
  {
    title: title.map((text) => text || null),
    status: fc.constantFrom(null, null, null, ...productStatuses),
    created_at: fc.nat(3_000).map((day) => new Date(FIRST_TIME + day * DAY).toISOString()),
  },
  { requiredKeys: [] },
);
const identifierOf = (number: number): string => {
  if (number % 5 === 0) return `Größe ${number}`;
  return `${number % 2 === 0 ? 'SKU' : 'sku'}-${String(number).padStart(6, '0')}`;
};
const variationsOf = (number: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ identifier: `${identifierOf(number)}-V${index}` }));

const change = fc
  .tuple(fc.integer({ min: 1, max: PRODUCTS + 500 }), fields, fc.option(fc.nat(4)))
  .map(([number, values, count]): ProductDraft => {
    return draft(identifierOf(number), values, count === null ? undefined : variationsOf(number, count));
  });
const anyWord = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.integer({ min: 1, max: PRODUCTS + 500 }).map(identifierOf),
  fc.constantFrom('nothing', 'V', 'sku-0', 'SKU-0001', 'gross', 'GRÖẞE'),
);
const query = fc
  .array(fc.tuple(anyWord, fc.integer({ min: 1, max: 12 })), { minLength: 1, maxLength: 3 })
  .map((words) => words.map(([word, length]) => [...word].slice(0, length).join('')).join(' '));
const search: fc.Arbitrary<SearchQuery> = fc.record({
  query,
  status: fc.constantFrom(undefined, undefined, ...productStatuses),
  page: fc.constantFrom(1, 1, 1, 2, 3, 20),
  perPage: fc.constantFrom(1, 3, 50, 1000),
  summary: fc.boolean(),
});

const beginNextBlock = statement<{ merchantId: number }, never>(
  `UPDATE merchant_counters SET last_product_id = ${BLOCK_SIZE - 1} WHERE merchant_id = :merchantId`,
);

forEachEngine((engine) => {
  const service = useService(engine);

  /** A block of the index with products in the order of their creation, then others in any order. */
  async function newCatalog(): Promise<TestMerchant> {
    const merchant = await service().newMerchant();
    const values = fc.sample(fields, { numRuns: PRODUCTS, seed: 20_260 });
    const drafts = values.map(({ title: text = null, status = null, created_at: time }, index) => {
      const inOrder = new Date(FIRST_TIME + index * 3_600_000).toISOString();
      const created_at = index < PRODUCTS / 3 ? inOrder : (time ?? inOrder);
      return draft(
        identifierOf(index + 1),
        { title: text, status, created_at },
        variationsOf(index + 1, index % 3),
      );
    });
    await importDrafts(service(), merchant, [drafts.slice(0, PRODUCTS / 3)]);
    const { id: merchantId } = merchant;
    await service().database.transaction((connection) => connection.run(beginNextBlock, { merchantId }), {
      merchantId,
    });
    await importDrafts(service(), merchant, [drafts.slice(PRODUCTS / 3)]);
    return merchant;
  }

  async function check(
    merchant: TestMerchant,
    catalog: ReturnType<typeof searchableCatalog>,
    each: SearchQuery,
  ): Promise<void> {
    const parameters = {
      query: each.query,
      ...(each.status !== undefined && { status: each.status }),
      page: String(each.page),
      per_page: String(each.perPage),
      pagination: String(each.summary),
    };
    const response = await service().get('/products/search.json', merchant, parameters);
    assert.equal(response.status, 200, response.text);
    const expected = expectedSearch(catalog, each);
    if (response.text === expected) return;
    const idsOf = (body: string) => [...body.matchAll(/"internal_id":(\d+),"status"/g)].map(([, id]) => id);
    assert.deepEqual(idsOf(response.text), idsOf(expected), JSON.stringify(each));
    assert.equal(response.text, expected);
  }

  it('a search returns what a look at every product finds, after any writes', async () => {
    const merchant = await newCatalog();
    const { database } = service();
    const popular = await database.first(findPopular, { merchantId: merchant.id });
    assert.ok((JSON.parse(popular?.prefixes ?? '[]') as string[]).length > 10, 'some prefixes are popular');
    const script = fc.record({
      changes: fc.array(change, { maxLength: 30, size: 'max' }),
      searches: fc.array(search, { minLength: 10, maxLength: 10, size: 'max' }),
    });
    await fc.assert(
      fc.asyncProperty(script, async ({ changes, searches }) => {
        await importDrafts(service(), merchant, [changes]);
        const catalog = searchableCatalog(await allProducts(service(), merchant));
        for (const each of searches) await check(merchant, catalog, each);
      }),
      { numRuns: runs(10), interruptAfterTimeLimit: 30_000 },
    );
  });
});
