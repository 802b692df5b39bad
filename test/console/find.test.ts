import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Found } from '../../src/console/catalog-api.ts';
import { Shop } from '../orders/orders-support.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

forEachEngine((engine) => {
  describe('what the palette finds', () => {
    const service = useService(engine);
    let shop: Shop;
    let editor: ConsoleClient;
    let viewer: ConsoleClient;
    before(async () => {
      shop = await Shop.open(service());
      editor = await signedIn(service(), shop.merchant, 'editor');
      viewer = await signedIn(service(), shop.merchant, 'viewer');
    });

    const byEditor = async (text: string): Promise<Found> => {
      const response = await editor.post('/find', { text });
      assert.equal(response.status, 200, response.text);
      return response.json<Found>();
    };
    const byViewer = async (text: string): Promise<Found> => {
      const response = await viewer.get(`/find?${new URLSearchParams({ text })}`);
      assert.equal(response.status, 200, response.text);
      return response.json<Found>();
    };
    const identifiers = ({ products }: Found): string[] => products.map(({ identifier }) => identifier);
    const ids = ({ orders }: Found): number[] => orders.map(({ order_id: id }) => id);

    it('is the newest products with all words, by title and identifier, without deleted ones', async () => {
      const jugs = Array.from({ length: 9 }, (_, index) =>
        draft(`JUG-${index}`, { title: `Glass jug ${index}`, created_at: `2026-01-0${index + 1}T00:00:00Z` }),
      );
      const others = [
        draft('GONE', { title: 'Glass jug', status: 'deleted' }),
        draft('UNTITLED-JUG', { title: null, created_at: '2025-01-01T00:00:00Z' }),
      ];
      await importDrafts(service(), shop.merchant, [[...jugs, ...others]]);
      const newest = ['JUG-8', 'JUG-7', 'JUG-6', 'JUG-5', 'JUG-4', 'JUG-3', 'JUG-2'];
      assert.deepEqual(identifiers(await byEditor('gla jug')), newest);
      const [product] = (await byEditor('jug-4')).products;
      assert.deepEqual(Object.keys(product ?? {}), ['internal_id', 'identifier', 'title']);
      assert.equal(product?.title, 'Glass jug 4');
      const [untitled] = (await byViewer('untitled')).products;
      assert.equal(untitled?.title, null);
      assert.deepEqual(await byEditor('nothing'), { products: [], orders: [] });
    });

    it('is the newest orders, by their IDs and by SKU, without their customers', async () => {
      const pushed: number[] = [];
      for (let number = 0; number < 7; number += 1) pushed.push((await shop.push(`EXT-${number}`)).order_id);
      const newest = pushed.toReversed().slice(0, 5);
      for (const found of [await byEditor('vase-s'), await byViewer('vase-s')]) {
        assert.deepEqual(ids(found), newest);
        assert.deepEqual(Object.keys(found.orders[0] ?? {}), ['order_id', 'product_name']);
      }
      assert.deepEqual(ids(await byViewer('ext-3')), [pushed[3]]);
      assert.deepEqual(ids(await byEditor(String(pushed[3]))), [pushed[3]]);
    });

    it('begins with the order whose ID is the text, however many newer orders match', async () => {
      const { order_id: id } = await shop.push('FIRST', { order_id: 7001 });
      for (let number = 0; number < 6; number += 1) await shop.push(`7001-${number}`);
      for (const found of [await byEditor('7001'), await byViewer('#7001')]) assert.equal(ids(found)[0], id);
      assert.equal(ids(await byEditor('7001')).length, 5);
    });

    it('is orders by the customer’s name for editors only, whose text is not in the URL', async () => {
      const { order_id: id } = await shop.push('NAMED', { customer_name: 'Wendolin Wallace' });
      assert.deepEqual(ids(await byEditor('wendolin')), [id]);
      assert.deepEqual(ids(await byViewer('wendolin')), []);
      assert.equal((await viewer.post('/find', { text: 'wendolin' })).status, 403);
      const inUrl = await editor.get('/find?text=wendolin');
      assert.deepEqual(ids(inUrl.json<Found>()), []);
    });

    it('needs a text', async () => {
      assert.equal((await editor.post('/find', {})).status, 400);
      assert.equal((await viewer.get('/find?text=')).status, 400);
    });
  });
});
