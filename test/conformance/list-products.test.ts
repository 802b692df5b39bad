import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { productStatuses } from '../../src/products/record/product.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';

/** The keys in the contract's order. */
const PRODUCT_KEYS = `identifier internal_id status category title description condition brand material
  available_quantity variations cost_basis retail_price buy_now_price minimum_bid_amount reserve_price
  scheduling_fee_bid max_daily_schedules campaign_name shipping_price shipping_origin expedited_shipping_price
  days_to_fulfill days_to_deliver expedited_days_to_deliver weight fulfillment_partner buy_one_get_one_price
  accessory_price accessory_description primary_image extra_images ratings_average ratings_count sales_count
  created_at updated_at disabled_at deleted_at catalog_only_at`.split(/\s+/);
const VARIATION_KEYS = 'identifier internal_id size color quantity created_at disabled_at deleted_at'.split(
  ' ',
);
const SORTS = 'created_at updated_at unique_id ratings target_price sfb sales reserve_price'
  .split(' ')
  .flatMap((word) => [`${word}_ascending`, `${word}_descending`]);

interface Item {
  identifier: string;
  internal_id: number;
  status: string;
}
interface Summary {
  results: Item[];
  from: number;
  to: number;
  page: number;
  per_page: number;
  total_entries: number;
}

const identifiers = (items: Item[]): string[] => items.map(({ identifier }) => identifier);

forEachEngine((engine) => {
  const service = useService(engine);

  describe('with an empty catalog', () => {
    it('200: returns an empty array, or a summary of zeros with pagination=true', async () => {
      const merchant = await service().newMerchant();
      assert.equal((await service().get('/products.json', merchant)).text, '[]');
      const summary = '{"results":[],"from":0,"to":0,"page":1,"per_page":50,"total_entries":0}';
      assert.equal((await service().get('/products.json', merchant, { pagination: 'true' })).text, summary);
    });
  });

  describe('the original’s health_status', () => {
    it('200: ignores a blank one; 400: refuses a value, which is not supported', async () => {
      const merchant = await service().newMerchant();
      const list = (health_status: string, page = {}): Promise<ClientResponse> =>
        service().get('/products', merchant, { health_status, ...page });
      assert.equal((await list('')).text, '[]');
      assert.equal((await list(' ', { changed_since: 'start' })).status, 200);
      const refused = await list('healthy');
      assert.deepEqual([refused.status, refused.message], [400, 'health_status: not supported.']);
    });
  });

  describe('a product', () => {
    it('200: has every key in the contract’s order, null for missing values', async () => {
      const merchant = await service().newMerchant();
      await importDrafts(service(), merchant, [
        [draft('Bare'), draft('Full', {}, [{ identifier: 'Full-1' }])],
      ]);
      const [full, bare] = (await service().get('/products.json', merchant)).json<
        Record<string, unknown>[]
      >();
      assert.deepEqual(Object.keys(bare ?? {}), PRODUCT_KEYS);
      const [variation] = (full?.variations ?? []) as object[];
      assert.deepEqual(Object.keys(variation ?? {}), VARIATION_KEYS);
      assert.deepEqual(bare?.variations, []);
      const filled = [
        'identifier',
        'internal_id',
        'status',
        'available_quantity',
        'variations',
        'ratings_count',
        'sales_count',
        'created_at',
        'updated_at',
      ];
      for (const key of PRODUCT_KEYS) assert.equal(bare?.[key] === null, !filled.includes(key), key);
    });

    it('200: is returned as imported, with times as RFC 3339 in UTC and amounts as numbers', async () => {
      const merchant = await service().newMerchant();
      const fields = {
        title: 'Töpfchen "groß"\n🏺',
        category: 'Home | Garden | Pots',
        cost_basis: 12.5,
        retail_price: 0.1,
        weight: 1e21,
        extra_images: 'https://a.example/1|https://a.example/2',
        created_at: '2026-01-31T23:59:59.5Z',
      };
      await importDrafts(service(), merchant, [
        [draft('POT-1', fields, [{ identifier: 'V', quantity: 7, size: 'L' }])],
      ]);
      const [product] = (await service().get('/products.json', merchant)).json<Record<string, unknown>[]>();
      for (const [name, value] of Object.entries(fields)) assert.deepEqual(product?.[name], value);
      assert.equal(product?.available_quantity, 7);
      assert.match(String(product?.updated_at), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/);
      assert.ok(Number.isInteger(product?.internal_id));
    });

    it('200: is never listed for another merchant, with any filter', async () => {
      const [one, other] = [await service().newMerchant(), await service().newMerchant()];
      await importDrafts(service(), one, [[draft('Same', { status: 'enabled', category: 'A | B' })]]);
      for (const query of [
        {},
        { status: 'enabled' },
        { category: 'A | B' },
        { category: 'A', status: 'enabled' },
      ]) {
        assert.deepEqual((await service().get('/products.json', other, query)).json(), []);
        assert.equal((await service().get('/products.json', one, query)).json<Item[]>().length, 1);
      }
      await importDrafts(service(), other, [[draft('Same', { title: 'another' })]]);
      assert.match((await service().get('/products.json', other)).text, /another/);
      assert.doesNotMatch((await service().get('/products.json', one)).text, /another/);
    });
  });

  describe('with a catalog of 120', () => {
    let merchant: TestMerchant;
    const list = (query: Record<string, string> = {}): Promise<ClientResponse> =>
      service().get('/products.json', merchant, query);
    const listed = async (query: Record<string, string>): Promise<string[]> =>
      identifiers((await list(query)).json<Item[]>());
    const categories = ['Home', 'Home | Garden', 'Home | Garden | Pots', null];
    before(async () => {
      merchant = await service().newMerchant();
      const drafts = Array.from({ length: 120 }, (_, index) =>
        draft(`P${index}`, {
          status: productStatuses[index % 8] ?? null,
          // Every status has products of every category.
          category: categories[Math.floor(index / 8) % categories.length] ?? null,
          created_at: new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 2) * 1000).toISOString(),
        }),
      );
      await importDrafts(service(), merchant, [drafts]);
    });

    it('200: returns fifty per page, newest first, by default', async () => {
      const products = (await list()).json<Item[]>();
      assert.deepEqual(
        identifiers(products),
        Array.from({ length: 50 }, (_, index) => `P${119 - index}`),
      );
      assert.equal(
        (await list({ page: '1', per_page: '50', sort: 'created_at_descending', pagination: 'false' })).text,
        (await list()).text,
      );
    });

    it('200: with pagination=true, returns the specified summary, whose results equal the plain array', async () => {
      const summary = (await list({ page: '3', pagination: 'true' })).json<Summary>();
      assert.deepEqual(Object.keys(summary), ['results', 'from', 'to', 'page', 'per_page', 'total_entries']);
      const { results, ...figures } = summary;
      assert.deepEqual(figures, { from: 101, to: 120, page: 3, per_page: 50, total_entries: 120 });
      assert.deepEqual(results, (await list({ page: '3' })).json());
    });

    it('200: a page past the end is empty, with from and to 0 and the real total', async () => {
      for (const page of ['4', '2147483647']) {
        assert.equal((await list({ page })).text, '[]');
        const expected = `{"results":[],"from":0,"to":0,"page":${page},"per_page":50,"total_entries":120}`;
        assert.equal((await list({ page, pagination: '1' })).text, expected);
      }
    });

    it('200: returns up to a thousand per page', async () => {
      assert.equal((await list({ per_page: '1000' })).json<Item[]>().length, 120);
    });

    for (const status of productStatuses) {
      it(`200: status=${status} lists the products with this status`, async () => {
        const { results, total_entries } = (await list({ status, pagination: 'true' })).json<Summary>();
        assert.equal(total_entries, 15);
        assert.ok(results.length === 15 && results.every((product) => product.status === status));
      });
    }

    it('200: category matches the first levels exactly, including letter case', async () => {
      const total = async (category: string): Promise<number> =>
        (await list({ category, pagination: 'true' })).json<Summary>().total_entries;
      assert.equal(await total('Home'), 96);
      assert.equal(await total('Home | Garden'), 64);
      assert.equal(await total(' Home|Garden '), 64);
      for (const other of [
        'home',
        'Hom',
        'Home | garden',
        'Garden',
        'Home Garden',
        '%',
        'Home | Garden%',
        "Home' OR '1",
      ]) {
        assert.equal(await total(other), 0, other);
      }
    });

    it('200: total_entries counts the products that match both filters', async () => {
      const all = await allProducts(service(), merchant);
      for (const status of productStatuses) {
        for (const category of ['Home', 'Home | Garden']) {
          const { results, total_entries } = (
            await list({ status, category, pagination: 'true' })
          ).json<Summary>();
          const matching = all.filter((one) => one.status === status && one.category?.startsWith(category));
          assert.equal(total_entries, matching.length, `${status} ${category}`);
          assert.deepEqual(identifiers(results).sort(), identifiers(matching).sort());
        }
      }
    });

    it('200: combines filters with each other and with pages', async () => {
      const query = {
        status: 'disabled',
        category: 'Home | Garden',
        per_page: '4',
        pagination: 'true',
        sort: 'unique_id_ascending',
      };
      const { results, ...figures } = (await list({ ...query, page: '2' })).json<Summary>();
      const all = (await allProducts(service(), merchant)).filter(
        ({ status, category }) => status === 'disabled' && category?.startsWith('Home | Garden'),
      );
      assert.deepEqual(figures, { from: 5, to: 8, page: 2, per_page: 4, total_entries: all.length });
      assert.deepEqual(
        identifiers(results),
        all
          .map(({ identifier }) => identifier)
          .sort()
          .slice(4, 8),
      );
    });

    it('200: supports every sort of the specification, and breaks ties by internal_id in the same direction', async () => {
      assert.equal(SORTS.length, 16);
      for (const sort of SORTS) {
        const products = (await list({ sort, per_page: '1000' })).json<Item[]>();
        assert.equal(products.length, 120, sort);
        if (sort.startsWith('unique_id')) continue;
        const ids = products.map(({ internal_id }) => internal_id);
        const ascending = sort.endsWith('_ascending');
        // In this catalog, every other sort key is equal for all products, or grows with the id.
        assert.deepEqual(
          ids,
          ids.toSorted((a, b) => (ascending ? a - b : b - a)),
          sort,
        );
      }
      assert.deepEqual((await listed({ sort: 'unique_id_descending' })).slice(0, 3), ['P99', 'P98', 'P97']);
    });

    it('200: Link leads through each page once, and never contains the token', async () => {
      const seen: string[] = [];
      let url: string | undefined = '/v1/products.json?per_page=25&status=&sort=sales_ascending';
      while (url !== undefined) {
        const response = await service().client.request('GET', url, {
          form: { access_token: merchant.token },
        });
        assert.equal(response.status, 200, response.text);
        assert.doesNotMatch(response.header('link'), /access_token|tp_/);
        seen.push(...identifiers(response.json<Item[]>()));
        assert.ok(seen.length <= 120, url);
        url = /<([^>]+)>; rel="next"/.exec(response.header('link'))?.[1];
      }
      assert.equal(new Set(seen).size, 120);
      assert.equal(seen.length, 120);
    });

    it('200: Link has first and last with pagination=true, and names only pages that exist', async () => {
      const relations = async (query: Record<string, string>): Promise<Record<string, string>> => {
        const link = (await list({ ...query, status: 'in_stock', category: 'Home' })).header('link');
        return Object.fromEntries(
          [...link.matchAll(/<[^>]*[?&]page=(\d+)[^>]*>; rel="(\w+)"/g)].map((match) => [match[2], match[1]]),
        );
      };
      assert.deepEqual(await relations({ per_page: '4' }), { next: '2' });
      assert.deepEqual(await relations({ per_page: '4', page: '2' }), { prev: '1', next: '3' });
      assert.deepEqual(await relations({ per_page: '4', page: '3' }), { prev: '2' });
      assert.deepEqual(await relations({ per_page: '15' }), {});
      assert.deepEqual(await relations({ per_page: '4', page: '2', pagination: '1' }), {
        first: '1',
        prev: '1',
        next: '3',
        last: '3',
      });
      assert.deepEqual(await relations({ per_page: '4', page: '99', pagination: '1' }), {
        first: '1',
        prev: '3',
        last: '3',
      });
    });

    it('200: a write is visible in the next response', async () => {
      const own = await service().newMerchant();
      for (let round = 0; round < 5; round += 1) {
        await importDrafts(service(), own, [[draft('Seen', { title: `title ${round}` })]]);
        assert.match((await service().get('/products.json', own)).text, new RegExp(`"title ${round}"`));
      }
    });
  });
});
