import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { FeedReader } from '../support/events.ts';
import { useService } from '../support/service.ts';
import { Shop } from './orders-support.ts';

const reserve = { stock: 'reserve' };

forEachEngine((engine) => {
  const service = useService(engine);
  let shop: Shop;
  before(async () => {
    shop = await Shop.open(service());
  });

  /** Sets the stock of `VASE-S` to 5 again. */
  const refill = (): Promise<unknown> =>
    importDrafts(service(), shop.merchant, [
      [
        draft('VASE', {}, [
          { identifier: 'VASE-S', quantity: 5 },
          { identifier: 'VASE-L', quantity: 5 },
        ]),
      ],
    ]);

  describe('stock: reserve', () => {
    it('takes the units with the order, once per external_id, whatever is pushed again', async () => {
      await refill();
      const first = await shop.push('A1', { ...reserve, product_quantity: 2 });
      assert.equal(await shop.stockOf('VASE-S'), 3);
      const again = await shop.push('A1', { ...reserve, product_quantity: 2 });
      assert.deepEqual(again, first);
      await shop.push('A1', { ...reserve, city: 'Elsewhere' });
      assert.equal(await shop.stockOf('VASE-S'), 3);
      await shop.push('A2');
      await shop.push('A2', reserve);
      assert.equal(await shop.stockOf('VASE-S'), 3, 'by default, an order takes nothing, nor later');
      const product = await service().get('/products/retrieve', shop, { identifier: 'VASE' });
      assert.equal(product.json<{ available_quantity: number }>().available_quantity, 8);
    });

    it('never takes more than there is: the order is on hold, and events say so', async () => {
      await refill();
      const feed = await FeedReader.open(service());
      const { order_id, status, hold_reason } = await shop.push('B1', { ...reserve, product_quantity: 6 });
      assert.deepEqual([status, hold_reason], ['pending_verification', 'oversold']);
      assert.equal(await shop.stockOf('VASE-S'), 5);
      const data = { order_id, external_id: 'B1', status: 'pending_verification' };
      const events = (await feed.read()).filter(({ type }) => type !== 'orders.changed');
      assert.deepEqual(
        events.map((event) => [event.type, event.data]),
        [
          ['order.created', data],
          ['order.held', { ...data, hold_reason: 'oversold' }],
        ],
      );
      assert.match(
        await shop.refused('fulfill', { order_id, carrier: 'UPS', tracking_number: '1' }),
        /on hold \(oversold\): do not ship it/,
      );
      await shop.put('B1/state', { state: 'released' });
      assert.equal((await shop.read('B1')).status, 'paid');
      await shop.change('cancel', { order_id, reason: 'out_of_stock' });
      assert.equal(await shop.stockOf('VASE-S'), 5, 'what was not taken does not go back');
    });

    it('of two orders at once for the last units, one is on hold', async () => {
      await refill();
      const fields = {
        product_identifier: 'VASE',
        variation_identifier: 'VASE-S',
        ...reserve,
        product_quantity: 4,
      };
      const pushed = await Promise.all(['C1', 'C2'].map((name) => shop.put(name, fields)));
      const orders = pushed.map((response) => response.json<OrderRecord>());
      assert.deepEqual(
        orders.map(({ hold_reason }) => hold_reason).toSorted(),
        ['oversold', null].toSorted(),
      );
      assert.equal(await shop.stockOf('VASE-S'), 1);
    });

    it('an unpaid order reserves too; an order that is over when it is pushed does not', async () => {
      await refill();
      await shop.push('D1', { ...reserve, status: 'unpaid' });
      assert.equal(await shop.stockOf('VASE-S'), 4);
      for (const status of ['shipped', 'refunded', 'canceled'])
        await shop.push(`D-${status}`, { ...reserve, status, carrier: 'ups', tracking_number: '1' });
      assert.equal(await shop.stockOf('VASE-S'), 4);
    });

    it('counts a product without variations, and takes nothing of one whose stock is not tracked', async () => {
      await importDrafts(service(), shop.merchant, [
        [draft('MUG', { available_quantity: 2 }), draft('DOWNLOAD')],
      ]);
      const sold = { variation_identifier: null, ...reserve };
      await shop.push('E1', { product_identifier: 'MUG', ...sold, product_quantity: 2 });
      const stock = async (identifier: string): Promise<unknown> => {
        const { available_quantity, status } = (
          await service().get('/products/retrieve', shop, { identifier })
        ).json<{ available_quantity: number | null; status: string }>();
        return [available_quantity, status];
      };
      assert.deepEqual(await stock('MUG'), [0, 'sold_out']);
      const { hold_reason } = await shop.push('E2', { product_identifier: 'MUG', ...sold });
      assert.equal(hold_reason, 'oversold');
      const before = await stock('DOWNLOAD');
      assert.equal((await shop.push('E3', { product_identifier: 'DOWNLOAD', ...sold })).status, 'paid');
      assert.deepEqual(await stock('DOWNLOAD'), before);
    });

    it('the change of the catalog is visible to those who follow it, and low stock is announced', async () => {
      await refill();
      const since = (
        await service().get('/products', shop, { changed_since: 'start', per_page: '1000' })
      ).json<{
        cursor: string;
      }>();
      const feed = await FeedReader.open(service());
      await importDrafts(service(), shop.merchant, [
        [draft('BOWL', {}, [{ identifier: 'BOWL-1', quantity: 6 }])],
      ]);
      await shop.push('F1', { ...reserve, product_identifier: 'BOWL', variation_identifier: 'BOWL-1' });
      const changes = (await service().get('/products', shop, { changed_since: since.cursor })).json<{
        results: { identifier: string; available_quantity: number }[];
      }>();
      assert.deepEqual(
        changes.results.map(({ identifier, available_quantity }) => [identifier, available_quantity]),
        [['BOWL', 5]],
      );
      assert.ok((await feed.read()).some(({ type }) => type === 'stock.low'));
    });
  });

  describe('restock', () => {
    it('a cancelation gives the units back once, unless it says otherwise', async () => {
      await refill();
      for (const [name, restock, expected] of [
        ['G1', undefined, 5],
        ['G2', false, 3],
      ] as const) {
        const { order_id } = await shop.push(name, { ...reserve, product_quantity: 2 });
        assert.equal(await shop.stockOf('VASE-S'), 3);
        for (let time = 0; time < 2; time += 1)
          await shop.change('cancel', {
            order_id,
            reason: 'other',
            ...(restock === undefined ? {} : { restock }),
          });
        assert.equal(await shop.stockOf('VASE-S'), expected, name);
      }
    });

    it('the operator’s cancelation gives the units back once, in a call and in a push', async () => {
      await refill();
      await shop.push('H1', { ...reserve, product_quantity: 2 });
      for (let time = 0; time < 2; time += 1) {
        const response = await shop.put('H1/state', { state: 'canceled', reason: 'fraud' });
        assert.equal(response.status, 200, response.text);
        assert.equal(await shop.stockOf('VASE-S'), 5);
      }
      await shop.push('H2', { ...reserve, product_quantity: 2 });
      for (let time = 0; time < 2; time += 1) {
        assert.equal((await shop.put('H2', { status: 'canceled' })).status, 200);
        assert.equal(await shop.stockOf('VASE-S'), 5);
      }
    });

    it('units that have shipped do not go back with a cancelation', async () => {
      await refill();
      const { order_id } = await shop.push('I1', { ...reserve, product_quantity: 3 });
      await shop.change('fulfill', { order_id, carrier: 'UPS', tracking_number: '1', quantity: 2 });
      assert.equal((await shop.put('I1', { status: 'canceled' })).status, 200);
      assert.equal(await shop.stockOf('VASE-S'), 3);
    });

    it('a refund gives units back if it says so: no more than it is for, and each unit once', async () => {
      await refill();
      const { order_id } = await shop.push('J1', { ...reserve, product_quantity: 3 });
      const refund = { order_id, type: 'partial', reason: 'other', fees: ['buyer_fee'] };
      await shop.change('refund', { ...refund, refund_id: 'a', quantity: 1 });
      assert.equal(await shop.stockOf('VASE-S'), 2, 'by default, nothing goes back');
      for (let time = 0; time < 2; time += 1)
        await shop.change('refund', { ...refund, refund_id: 'b', quantity: 1, restock: true });
      assert.equal(await shop.stockOf('VASE-S'), 3);
      const full = { order_id, type: 'full', reason: 'buyer_requested_a_return', restock: true };
      for (let time = 0; time < 2; time += 1) await shop.change('refund', full);
      assert.equal(await shop.stockOf('VASE-S'), 5);
    });

    it('a batch gives back what each of its lines says', async () => {
      await refill();
      const orders = [];
      for (const name of ['K1', 'K2', 'K3']) orders.push(await shop.push(name, reserve));
      assert.equal(await shop.stockOf('VASE-S'), 2);
      const json = orders.map(({ order_id }) => ({ order_id, action: 'cancel', reason: 'other' }));
      const headers = { authorization: `Bearer ${shop.token}` };
      const response = await service().request('POST', '/orders/batch', { headers, json });
      assert.equal(response.json<{ updated: number }>().updated, 3, response.text);
      assert.equal(await shop.stockOf('VASE-S'), 5);
    });

    it('works for a product that was deleted meanwhile, which stays deleted', async () => {
      await importDrafts(service(), shop.merchant, [
        [draft('CUP', {}, [{ identifier: 'CUP-1', quantity: 1 }])],
      ]);
      const sold = { product_identifier: 'CUP', variation_identifier: 'CUP-1' };
      const { order_id } = await shop.push('L1', { ...reserve, ...sold });
      const form = { access_token: shop.token, identifier: 'CUP' };
      await service().request('POST', '/products/delete', { form });
      await shop.change('cancel', { order_id, reason: 'other' });
      assert.equal(await shop.stockOf('CUP-1'), 1);
      const product = await service().get('/products/retrieve', shop, { identifier: 'CUP' });
      assert.equal(product.json<{ status: string }>().status, 'deleted');
    });
  });
});
