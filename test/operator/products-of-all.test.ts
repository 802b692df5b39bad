import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { ListedProduct, MerchantProductPage } from '../../src/operator/products/product-list-schema.ts';
import type { MerchantProduct } from '../../src/operator/products/product-schema.ts';
import type { Product, ProductStatus } from '../../src/products/record/product.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { newRandom } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';

const random = newRandom();
const words = ['Blue', 'blueprint', 'Vase', 'vases', 'Straße', 'T-Shirt', 'wool', 'W'] as const;
const times = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'] as const;
const identifiers = ['SKU', 'sku', 'Vase', 'blue'] as const;
const statuses = ['enabled', 'enabled', 'disabled', 'banned', 'problematic', 'deleted'] as const;

type Placed = Product & { owner: number };

forEachEngine((engine) => {
  describe('the products of all merchants', () => {
    const service = useService(engine);
    const merchants: TestMerchant[] = [];
    let token: string;
    let all: Placed[];

    const get = (path: string): Promise<ClientResponse> => service().operator('GET', path, token);
    const page = async (query: Record<string, string>): Promise<MerchantProductPage> => {
      const response = await get(`/products?${new URLSearchParams(query)}`);
      assert.equal(response.status, 200, response.text);
      return response.json<MerchantProductPage>();
    };
    const list = async (query: Record<string, string>): Promise<ListedProduct[]> => {
      const found: ListedProduct[] = [];
      for (let after: string | null | undefined; after !== null; ) {
        const limit = String(random.whole(1, 7));
        const part = await page({ ...query, limit, ...(after !== undefined && { after }) });
        assert.ok(part.results.length <= Number(limit));
        found.push(...part.results);
        after = part.next;
      }
      return found;
    };
    const namesOf = (products: readonly { owner: number; identifier: string }[]): string[] =>
      products.map(({ owner, identifier }) => `${owner} ${identifier}`);
    const listed = async (query: Record<string, string>): Promise<string[]> =>
      namesOf((await list(query)).map((each) => ({ ...each, owner: Number(each.merchant.external_id) })));

    before(async () => {
      token = await service().newOperatorToken(['catalog']);
      for (let index = 0; index < 5; index += 1) merchants.push(await service().newMerchant());
      for (const merchant of merchants.slice(0, 4)) {
        const drafts = Array.from({ length: random.whole(1, 15) }, (_, index) => {
          const title = Array.from({ length: random.whole(1, 4) }, () => random.pick(words)).join(' ');
          const created_at = random.pick(times);
          const fields = { title, created_at, status: random.pick(statuses), retail_price: 12.5 };
          const variations = random.chance(0.3) ? [{ identifier: `V${index} Wide` }] : undefined;
          return draft(`${random.pick(identifiers)}-${index}`, fields, variations);
        });
        const { rejections } = await importDrafts(service(), merchant, [drafts]);
        assert.deepEqual(rejections, []);
      }
      const ofEach = merchants.map(async (merchant) => {
        const products = await allProducts(service(), merchant);
        return products.map((product) => ({ ...product, owner: merchant.id }));
      });
      all = (await Promise.all(ofEach)).flat();
    });

    const newestFirst = (one: Placed, other: Placed): number =>
      Date.parse(other.created_at ?? '') - Date.parse(one.created_at ?? '') ||
      other.owner - one.owner ||
      other.internal_id - one.internal_id;
    const byMerchant = (one: Placed, other: Placed): number =>
      one.owner - other.owner || other.internal_id - one.internal_id;
    const having = (status: ProductStatus | undefined): Placed[] =>
      all.filter((each) => (status === undefined ? each.status !== 'deleted' : each.status === status));

    for (const status of [undefined, 'enabled', 'disabled', 'banned', 'deleted', 'in_stock'] as const) {
      it(`are listed newest first, page by page: ${status ?? 'all but deleted ones'}`, async () => {
        const expected = having(status).sort(newestFirst);
        const filter = status === undefined ? {} : { status };
        assert.deepEqual(await listed(filter), namesOf(expected));
        for (const { id } of merchants) {
          const own = expected.filter(({ owner }) => owner === id);
          assert.deepEqual(await listed({ ...filter, merchant: String(id) }), namesOf(own));
        }
      });
    }

    /** What a merchant’s own search finds, by the rules in the reference. */
    const isFound = ({ title, identifier, variations }: Product, query: string): boolean => {
      const parts = [identifier, ...variations.map((each) => each.identifier)];
      const begins = [...parts.flatMap((part) => part.split(' ')), ...titleWords(title ?? '')];
      return query.split(' ').every((word) => begins.some((text) => fold(text).startsWith(fold(word))));
    };

    for (const query of [
      'blue',
      'vase',
      'v',
      'strasse',
      'shirt',
      'SKU-1',
      'sku-1',
      'wide',
      'V1',
      'blue vase',
      'vases wool blueprint sku',
      'nothing',
    ]) {
      it(`are found as by each merchant’s own search: ${query}`, async () => {
        const expected = having(undefined)
          .filter((each) => isFound(each, query))
          .sort(byMerchant);
        assert.deepEqual(await listed({ query }), namesOf(expected));
        const [{ id } = { id: 0 }] = merchants;
        const own = expected.filter(({ owner }) => owner === id);
        assert.deepEqual(await listed({ query, merchant: String(id) }), namesOf(own));
        const banned = all
          .filter((each) => each.status === 'banned' && isFound(each, query))
          .sort(byMerchant);
        assert.deepEqual(await listed({ query, status: 'banned' }), namesOf(banned));
      });
    }

    it('show their merchant, currency, and what a search needs to tell them apart', async () => {
      const [first] = (await page({ limit: '1' })).results;
      const [expected] = having(undefined).sort(newestFirst);
      const merchant = merchants.find(({ id }) => id === expected?.owner);
      const { merchant: named, currency, ...shown } = first ?? assert.fail();
      assert.deepEqual([named.external_id, currency], [String(merchant?.id), 'USD']);
      for (const name of ['identifier', 'internal_id', 'status', 'title', 'retail_price'] as const)
        assert.equal(shown[name], expected?.[name]);
      assert.equal(shown.variation_count, expected?.variations.length);
    });

    it('of the test sides are listed and found only if they are asked for', async () => {
      const merchant = merchants[4] ?? assert.fail();
      const { token: testToken } = await service().newTestKey(merchant);
      const form = { access_token: testToken, identifier: 'TEST-1', title: 'Blue test vase' };
      const created = await service().request('POST', '/products', { form });
      assert.equal(created.status, 200, created.text);
      const live = await listed({});
      assert.ok(!live.includes(`${merchant.id} TEST-1`));
      assert.ok(!(await listed({ query: 'vase' })).includes(`${merchant.id} TEST-1`));
      for (const query of [{}, { query: 'vase' }, { merchant: String(merchant.id) }])
        assert.deepEqual(await listed({ ...query, test: 'true' }), [`${merchant.id} TEST-1`]);
      const path = `/merchants/${merchant.id}/products/TEST-1`;
      assert.equal((await get(path)).status, 404);
      const shown = await get(`${path}?test=true`);
      assert.equal(shown.json<MerchantProduct>().test, true, shown.text);
    });

    it('400: a cursor of another list, and a merchant that does not exist', async () => {
      const { next } = await page({ limit: '1' });
      assert.ok(next !== null);
      expectError(await get(`/products?status=banned&after=${next}`), 400, /a cursor of another list/);
      expectError(await get('/products?after=nothing'), 400, /^after: /);
      expectError(await get('/products?merchant=nobody'), 400, /nobody/);
    });

    it('are shown one by one with what was decided about them, newest first', async () => {
      const merchant = merchants[0] ?? assert.fail();
      await importDrafts(service(), merchant, [[draft('REVIEWED', { title: 'A lamp' })]]);
      const path = `/merchants/${merchant.id}/products/REVIEWED`;
      const reasons = [{ code: 'image_missing', message: 'It needs an image.', field: null }];
      for (const json of [{ state: 'problematic', reasons }, { state: 'ok' }]) {
        const { status, text } = await service().operator('PUT', `${path}/moderation`, token, { json });
        assert.equal(status, 200, text);
        service().passTime(1_000);
      }
      const { product, moderation } = (await get(path)).json<MerchantProduct>();
      assert.deepEqual([product.identifier, product.title], ['REVIEWED', 'A lamp']);
      assert.deepEqual([moderation.state, moderation.reasons, moderation.since], ['ok', [], null]);
      const history = moderation.history.map((each) => [each.state, each.reasons, each.who]);
      assert.deepEqual(history, [
        ['ok', [], 'operator'],
        ['problematic', reasons, 'operator'],
      ]);
      expectError(await get(`/merchants/${merchant.id}/products/NONE`), 404, /NONE/);
    });
  });
});

function fold(text: string): string {
  return text.toLowerCase().replaceAll('ß', 'ss');
}

/** A word also begins at a letter after another character. */
function titleWords(title: string): string[] {
  return title.split(' ').flatMap((part) => [part, ...part.split('-').slice(1)]);
}
