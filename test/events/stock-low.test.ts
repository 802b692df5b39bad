import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ClientEvent } from '../../src/events/event-types.ts';
import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { FeedReader } from '../support/events.ts';
import { type TestMerchant, useService } from '../support/service.ts';

type LowStock = Extract<ClientEvent, { type: 'stock.low' }>;
const isLowStock = (event: ClientEvent): event is LowStock => event.type === 'stock.low';

const withStock = (identifier: string, quantity: number): ProductDraft =>
  draft(identifier, {}, [{ identifier: `${identifier}-V`, quantity }]);

forEachEngine((engine) => {
  const service = useService(engine, { environment: { LOW_INVENTORY: '10' } });
  const load = async (merchant: { id: number }, drafts: ProductDraft[]): Promise<void> => {
    const { rejections } = await importDrafts(service(), merchant, [drafts], { lowInventory: 10 });
    assert.deepEqual(rejections, []);
  };
  const call = async ({ token }: TestMerchant, path: string, form: Record<string, string>): Promise<void> => {
    const response = await service().request('POST', path, { form: { ...form, access_token: token } });
    assert.equal(response.status, 200, response.text);
  };

  describe('stock.low', () => {
    it('is recorded only when the stock crosses the threshold', async () => {
      const merchant = await service().newMerchant();
      await load(merchant, [withStock('POT', 12)]);
      const feed = await FeedReader.open(service());
      const quantities: [quantity: number, expected: number[]][] = [
        [11, []],
        [10, [10]],
        [9, []],
        [0, []],
        [10, []],
        [11, []],
        [2, [2]],
      ];
      for (const [quantity, expected] of quantities) {
        await call(merchant, '/variations/update', { identifier: 'POT-V', quantity: String(quantity) });
        const events = (await feed.readOf(merchant)).filter(isLowStock);
        assert.deepEqual(
          events.map(({ data }) => data.products.map((product) => product.available_quantity)),
          expected.map((each) => [each]),
          `at ${quantity}`,
        );
      }
    });

    it('names the product, the threshold and the revision of the change', async () => {
      const merchant = await service().newMerchant();
      await load(merchant, [withStock('POT', 12)]);
      const feed = await FeedReader.open(service());
      await call(merchant, '/variations/update', { identifier: 'POT-V', quantity: '3' });
      const [event] = (await feed.readOf(merchant)).filter(isLowStock);
      const response = await service().get('/products', merchant, { changed_since: 'start' });
      const { results } = response.json<{ results: { internal_id: number }[] }>();
      assert.deepEqual(event?.data, {
        threshold: 10,
        products: [{ identifier: 'POT', internal_id: results[0]?.internal_id, available_quantity: 3 }],
        total: 1,
      });
      assert.ok(Number.isSafeInteger(event.revision));
    });

    it('is not recorded for new products, for disabled and deleted ones, and for those whose stock is not tracked', async () => {
      const merchant = await service().newMerchant();
      const names = ['disabled', 'deleted', 'untracked'];
      await load(merchant, [
        withStock('disabled', 12),
        withStock('deleted', 12),
        draft('untracked', { title: 'T' }),
      ]);
      await call(merchant, '/products/disable', { identifier: 'disabled' });
      await call(merchant, '/products/delete', { identifier: 'deleted' });
      const feed = await FeedReader.open(service());
      await load(merchant, [
        withStock('new', 1),
        ...names.slice(0, 2).map((name) => withStock(name, 1)),
        draft('untracked', { title: 'U' }),
      ]);
      assert.deepEqual((await feed.readOf(merchant)).filter(isLowStock), []);
    });

    it('names at most 100 products, and tells how many there are', async () => {
      const merchant = await service().newMerchant();
      const products = (quantity: number): ProductDraft[] =>
        Array.from({ length: 250 }, (_, index) => withStock(`POT-${index}`, quantity));
      await load(merchant, products(12));
      const feed = await FeedReader.open(service());
      await load(merchant, products(2));
      const events = (await feed.readOf(merchant)).filter(isLowStock);
      assert.equal(events.length, 1);
      assert.equal(events[0]?.data.products.length, 100);
      assert.equal(events[0]?.data.total, 250);
    });

    it('has at most 20 kB, however long the identifiers are', async () => {
      const merchant = await service().newMerchant();
      const products = (quantity: number): ProductDraft[] =>
        Array.from({ length: 150 }, (_, index) => withStock(`${'漢'.repeat(180)}${index}`, quantity));
      await load(merchant, products(12));
      const feed = await FeedReader.open(service());
      await load(merchant, products(2));
      const [event] = (await feed.readOf(merchant)).filter(isLowStock);
      assert.equal(event?.data.total, 150);
      assert.ok(event.data.products.length > 10 && event.data.products.length < 100);
      assert.ok(Buffer.byteLength(JSON.stringify(event)) <= 20_000);
    });
  });
});
