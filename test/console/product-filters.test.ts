import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ProductCounts, ProductPageView } from '../../src/console/catalog-api.ts';
import type { ConsoleError } from '../../src/console/console-api.ts';
import { sorts } from '../../src/products/list/listing.ts';
import {
  conditions,
  type Product,
  type ProductStatus,
  productStatuses,
} from '../../src/products/record/product.ts';
import { sortColumns } from '../../src/products/record/product-row.ts';
import { rangeBounds } from '../../src/shared/range-bounds.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { fc } from '../support/seed.ts';
import { useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';

const PRODUCTS = 2_500;
const LONG_NAME = 'A campaign with a long name. '.repeat(8).trim();
const campaigns = ['Summer', 'summer', 'Sale = all', LONG_NAME];
const categories = ['Home', 'Home | Garden', 'Home | Garden | Pots', 'Häuser', 'A=B | C'];

/** Small values, bounds of ranges and values next to them. */
const amounts = fc.oneof(
  fc.constantFrom(
    0,
    0.99,
    ...rangeBounds.slice(0, 8),
    ...rangeBounds.slice(0, 8).map((bound) => bound - 0.01),
  ),
  fc.constantFrom(9_999_999),
);
const fields = fc.record({
  title: fc.constantFrom('Clay pot', 'Clay bowl', 'Glass', null),
  category: fc.constantFrom(...categories, null),
  condition: fc.constantFrom(...conditions, 'Mint', null),
  campaign_name: fc.constantFrom(...campaigns, null),
  buy_now_price: fc.option(amounts),
  reserve_price: fc.option(amounts),
  status: fc.constantFrom(null, null, null, ...productStatuses),
  available_quantity: fc.option(fc.nat(120)),
  created_at: fc.nat(300).map((day) => new Date(Date.UTC(2024, 0, 1) + day * 86_400_000).toISOString()),
});
/** Some products have a variation, so that their stock is tracked. */
const variationsOf = (number: number) =>
  number % 5 === 0 ? [{ identifier: `V-${number}`, quantity: number % 90 }] : undefined;
const change = fc
  .tuple(fc.integer({ min: 1, max: PRODUCTS }), fields)
  .map(([number, values]) => draft(`P-${number}`, values));

const bound = fc.constantFrom(...rangeBounds.slice(0, 8)).map(String);
const filter = fc.record(
  {
    query: fc.constantFrom('clay', 'cla po', 'p-1', 'nothing'),
    status: fc.constantFrom(...productStatuses),
    category: fc.constantFrom('Home', 'Home|Garden', 'A=B | C', 'none'),
    condition: fc.constantFrom(...conditions),
    campaign: fc.constantFrom(...campaigns, 'none'),
    price_from: bound,
    price_below: bound,
    stock_from: bound,
    stock_below: bound,
    sort: fc.constantFrom(...Object.keys(sorts)),
    page: fc.constantFrom('1', '2', '7'),
    per_page: fc.constantFrom('3', '50', '1000'),
  },
  { requiredKeys: [] },
);
type Filter = Partial<Record<keyof Product | 'query' | 'campaign' | 'sort' | 'page' | 'per_page', string>> & {
  [Name in `${'price' | 'stock'}_${'from' | 'below'}`]?: string;
};

function isInRange(value: number | null, from: string | undefined, below: string | undefined): boolean {
  if (from === undefined && below === undefined) return true;
  return value !== null && value >= Number(from ?? 0) && (below === undefined || value < Number(below));
}

function matches(product: Product, given: Filter): boolean {
  const levels = given.category?.split('|').map((level) => level.trim());
  const words = given.query?.split(' ') ?? [];
  const texts = [product.identifier, ...(product.title?.split(' ') ?? [])].map((text) => text.toLowerCase());
  const isTracked = product.status !== 'enabled' || product.variations.length > 0;
  const stock = isTracked ? product.available_quantity : null;
  return (
    (given.status === undefined ? product.status !== 'deleted' : product.status === given.status) &&
    (levels === undefined ||
      levels.every((level, index) => product.category?.split(' | ')[index] === level)) &&
    (given.condition === undefined || product.condition === given.condition) &&
    (given.campaign === undefined || product.campaign_name === given.campaign) &&
    isInRange(product.buy_now_price, given.price_from, given.price_below) &&
    isInRange(stock, given.stock_from, given.stock_below) &&
    words.every((word) => texts.some((text) => text.startsWith(word)))
  );
}

function expectedPage(catalog: readonly Product[], given: Filter): ProductPageView {
  const { field, direction } = sorts[given.sort ?? 'created_at_descending'] ?? assert.fail();
  const sign = direction === 'ASC' ? 1 : -1;
  const found = catalog
    .filter((product) => matches(product, given))
    .sort((one, other) => {
      const [a, b] = [sortColumns(one)[field], sortColumns(other)[field]];
      return sign * (a < b ? -1 : a > b ? 1 : one.internal_id - other.internal_id);
    });
  const [page, perPage] = [Number(given.page ?? 1), Number(given.per_page ?? 50)];
  const start = (page - 1) * perPage;
  const results = found.slice(start, start + perPage);
  const [from, to] = results.length === 0 ? [0, 0] : [start + 1, start + results.length];
  return { results, from, to, page, per_page: perPage, total_entries: found.length };
}

forEachEngine((engine) => {
  const service = useService(engine);

  async function check(client: ConsoleClient, catalog: readonly Product[], given: Filter): Promise<void> {
    const response = await client.get(`/products?${new URLSearchParams(given)}`);
    assert.equal(response.status, 200, response.text);
    const page = response.json<ProductPageView>();
    const expected = expectedPage(catalog, given);
    const summary = ({ results, ...rest }: ProductPageView) => [
      results.map(({ identifier }) => identifier),
      rest,
    ];
    assert.deepEqual(summary(page), summary(expected), JSON.stringify(given));
    assert.deepEqual(page, expected);
    const { status: _, sort: __, page: ___, per_page: ____, ...filters } = given;
    const counts = await client.get(`/products/counts?${new URLSearchParams(filters)}`);
    const count = (status?: ProductStatus): number =>
      catalog.filter((product) => matches(product, status === undefined ? filters : { ...filters, status }))
        .length;
    assert.deepEqual(counts.json<ProductCounts>(), {
      all: count(),
      by_status: Object.fromEntries(productStatuses.map((status) => [status, count(status)])),
    });
  }

  it('a filtered list returns what a look at every product finds, in every order, after any writes', async () => {
    const merchant = await service().newMerchant();
    const client = await signedIn(service(), merchant);
    const drafts = fc
      .sample(fields, { numRuns: PRODUCTS, seed: 26 })
      .map((values, index) => draft(`P-${index + 1}`, values, variationsOf(index + 1)));
    await importDrafts(service(), merchant, [drafts]);
    const script = fc.record({
      changes: fc.array(change, { maxLength: 200, size: 'max' }),
      filters: fc.array(filter, { minLength: 12, maxLength: 12, size: 'max' }),
    });
    await fc.assert(
      fc.asyncProperty(script, async ({ changes, filters }) => {
        await importDrafts(service(), merchant, [changes]);
        const catalog = await allProducts(service(), merchant);
        for (const given of filters) await check(client, catalog, given);
      }),
      { numRuns: runs(8), interruptAfterTimeLimit: 30_000 },
    );
    const catalog = await allProducts(service(), merchant);
    // Enough matches for a walk through the sorted catalog.
    for (const sort of Object.keys(sorts)) await check(client, catalog, { stock_from: '1', sort, page: '3' });
  });

  it('a search without filters returns what the API returns', async () => {
    const merchant = await service().newMerchant();
    const client = await signedIn(service(), merchant);
    await importDrafts(service(), merchant, [fc.sample(fields, 60).map((each, n) => draft(`P-${n}`, each))]);
    for (const query of [
      { query: 'clay' },
      { query: 'CLAY b', status: 'enabled', page: '2', per_page: '3' },
    ]) {
      const ours = await client.get(`/products?${new URLSearchParams(query)}`);
      const api = await service().get('/products/search', merchant, { ...query, pagination: 'true' });
      assert.equal(ours.text, api.text);
    }
  });

  it('rejects a filter that is not a choice, by name', async () => {
    const client = await signedIn(service(), await service().newMerchant());
    const response = await client.get('/products?price_from=3&condition=Mint&stock_below=-1&query=a');
    assert.equal(response.status, 400);
    const { fields } = response.json<ConsoleError>();
    assert.deepEqual(
      fields?.map(({ name }) => name),
      ['condition', 'price_from', 'stock_below'],
    );
  });
});
