import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { newRandom } from '../support/seed.ts';
import { useService } from '../support/service.ts';
import { Shop } from './orders-support.ts';

interface Changes {
  results: OrderRecord[];
  cursor: string;
  more: boolean;
}

const raiseEpoch = statement<{ id: number }, never>(
  'UPDATE merchant_counters SET epoch = epoch + 1 WHERE merchant_id = :id',
);

forEachEngine((engine) => {
  const service = useService(engine);

  async function changesOf(shop: { token: string }, since = 'start', perPage = 50): Promise<Changes> {
    const query = { changed_since: since, per_page: String(perPage) };
    const response = await service().get('/orders', shop, query);
    assert.equal(response.status, 200, response.text);
    return response.json<Changes>();
  }

  /** A copy of the orders that is kept only by `changed_since`. */
  class Mirror {
    readonly orders = new Map<number, OrderRecord>();
    readonly #shop: Shop;
    cursor = 'start';

    constructor(shop: Shop) {
      this.#shop = shop;
    }

    /** Resolves to the orders that have changed since the last call. */
    async follow(perPage: number): Promise<OrderRecord[]> {
      const changed: OrderRecord[] = [];
      for (let more = true; more; ) {
        const page = await changesOf(this.#shop, this.cursor, perPage);
        for (const order of page.results) this.orders.set(order.order_id, order);
        changed.push(...page.results);
        ({ cursor: this.cursor, more } = page);
      }
      return changed;
    }
  }

  describe('GET orders?changed_since=', () => {
    it('returns every order once in its newest state, whatever happens to them in between', async () => {
      const shop = await Shop.open(service());
      const mirror = new Mirror(shop);
      const random = newRandom();
      const pick = (): OrderRecord | undefined =>
        [...mirror.orders.values()][random.whole(0, mirror.orders.size - 1)];
      for (let round = 0; round < 12; round += 1) {
        const touched = new Set<number>();
        for (let step = random.whole(1, 6); step > 0; step -= 1) {
          const order = pick();
          const { order_id = 0, external_id = '' } = order ?? {};
          const write = [
            () => shop.push(`C-${round}-${step}`),
            () => shop.post('annotate', { order_id, annotation: `${round} ${step}` }),
            () => shop.post('fulfill', { order_id, carrier: 'UPS', tracking_number: '1' }),
            () => shop.post('cancel', { order_id, reason: 'other' }),
            () => shop.put(external_id, { customer_name: `Customer ${round} ${step}` }),
            () => shop.put(`${external_id}/state`, { state: 'held', reason: 'check' }),
          ][order === undefined ? 0 : random.whole(0, 5)];
          const before = order === undefined ? undefined : await shop.retrieve(order_id);
          await write?.();
          if (before !== undefined && before.updated_at !== (await shop.retrieve(order_id)).updated_at)
            touched.add(order_id);
          service().passTime(1_000);
        }
        const changed = await mirror.follow(random.whole(1, 4));
        const ids = changed.map(({ order_id }) => order_id);
        assert.equal(new Set(ids).size, ids.length, 'an order was listed twice');
        assert.deepEqual(
          [...touched].filter((id) => !ids.includes(id)),
          [],
          'a change was missed',
        );
        const stored = await shop.list({ per_page: '1000', sort: 'id_asc' });
        assert.deepEqual(
          [...mirror.orders.values()].sort((one, other) => one.order_id - other.order_id),
          stored,
        );
        assert.deepEqual(await mirror.follow(3), [], 'nothing has changed since');
      }
    });

    it('lists an order again when its customer’s data is erased', async () => {
      const shop = await Shop.open(service());
      const { order_id } = await shop.push('E1');
      await shop.push('E2');
      const mirror = new Mirror(shop);
      await mirror.follow(10);
      assert.equal(mirror.orders.get(order_id)?.customer_name, 'A. Customer');
      const path = `/merchants/${shop.merchant.id}/orders/E1/redact`;
      assert.equal((await service().operator('POST', path, shop.operatorToken, { json: {} })).status, 200);
      const [erased, ...others] = await mirror.follow(10);
      assert.deepEqual(others, []);
      assert.deepEqual([erased?.order_id, erased?.customer_name, erased?.city], [order_id, null, null]);
      assert.notEqual(erased?.redacted_at, null);
      assert.deepEqual([erased?.state, erased?.country, erased?.customer_hidden], ['CA', 'USA', false]);
    });

    it('is empty, with a cursor, before the first order; then that cursor finds the first order', async () => {
      const shop = await Shop.open(service());
      const empty = await changesOf(shop);
      assert.deepEqual([empty.results, empty.more], [[], false]);
      assert.deepEqual((await changesOf(shop, empty.cursor)).results, []);
      const { order_id } = await shop.push('F1');
      assert.deepEqual(
        (await changesOf(shop, empty.cursor)).results.map((order) => order.order_id),
        [order_id],
      );
    });

    it('of the operator has the same orders and cursors, with customers', async () => {
      const shop = await Shop.open(service());
      await shop.push('O1');
      await shop.push('O2');
      const since = async (cursor: string): Promise<Changes> => {
        const path = `/merchants/${shop.merchant.id}/orders?changed_since=${cursor}&per_page=1`;
        const response = await service().operator('GET', path, shop.operatorToken);
        assert.equal(response.status, 200, response.text);
        assert.equal(response.header('cache-control'), 'private, no-store');
        return response.json<Changes>();
      };
      const first = await since('start');
      assert.deepEqual([first.results[0]?.external_id, first.more], ['O1', true]);
      assert.equal(first.results[0]?.customer_name, 'A. Customer');
      const rest = await changesOf(shop, first.cursor);
      assert.deepEqual(
        rest.results.map(({ external_id }) => external_id),
        ['O2'],
      );
      assert.deepEqual((await since(rest.cursor)).results, []);
    });

    it('400: the cursor of another list or merchant; 410: a cursor from before a restore', async () => {
      const [shop, other] = [await Shop.open(service()), await Shop.open(service())];
      await shop.push('X1');
      await other.push('X1');
      const products = await service().get('/products', shop, { changed_since: 'start' });
      const { cursor: ofProducts } = products.json<Changes>();
      const { cursor } = await changesOf(shop);
      const get = (changed_since: string, as = shop) => service().get('/orders', as, { changed_since });
      expectError(await get(ofProducts), 400, /^changed_since: a cursor of another list/);
      expectError(await service().get('/products', shop, { changed_since: cursor }), 400, /of another list/);
      expectError(await get(cursor, other), 400, /^changed_since: a cursor of another merchant/);
      expectError(await get(`${cursor.slice(0, -4)}AAAA`), 400, /^changed_since: not a complete cursor/);
      expectError(await get('2026-01-01T00:00:00Z'), 400, /times are not supported/);
      await service().database.transaction((connection) =>
        connection.run(raiseEpoch, { id: shop.merchant.id }),
      );
      expectError(await get(cursor), 410, /start again with “start”/);
      const again = await changesOf(shop);
      assert.deepEqual(
        again.results.map(({ external_id }) => external_id),
        ['X1'],
      );
    });
  });
});
