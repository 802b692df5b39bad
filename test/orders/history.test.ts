import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ActivityEntry, ActivityList, ChangedOrders } from '../../src/console/activity-api.ts';
import { testSideOf } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import { redactOldOrders } from '../../src/orders/customer/redact.ts';
import type { ChangedOrderValue } from '../../src/orders/history/list-history.ts';
import type { OrderChangeRow } from '../../src/orders/history/queries.ts';
import { deleteOldOrderHistory } from '../../src/orders/history/retention.ts';
import type { OrderData } from '../../src/orders/record/order.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import type { ListedChange, ListedChanges } from '../../src/products/history/listed-changes.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { importOrderDrafts, orderDraft, pushDrafts } from '../support/orders.ts';
import { newRandom } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';
import { ModelHistory, stateOf } from './history-model.ts';
import { Shop } from './orders-support.ts';

const STEPS = runs(80);
const DAY_MS = 24 * 60 * 60 * 1000;

const listRows = statement<{ merchantId: number }, Omit<OrderChangeRow, 'merchant_id'>>(
  `SELECT order_id, revision, part, at, actor_kind, actor_name, request_id, import_id, changes FROM order_changes
   WHERE merchant_id = :merchantId ORDER BY order_id, revision, part`,
);

/** What the buyer paid is in no record. */
const listData = statement<{ merchantId: number }, { order_id: number; data: string }>(
  'SELECT order_id, data FROM orders WHERE merchant_id = :merchantId',
);

/** The calls that made changes, which are in the order of their orders, newest first. */
function callsOf(
  rows: readonly Omit<OrderChangeRow, 'merchant_id'>[],
): Pick<ChangedOrders, 'changed' | 'created' | 'order_ids'>[] {
  const calls = Map.groupBy(rows, ({ at, revision, actor_kind, actor_name, request_id }) =>
    JSON.stringify([at, revision, actor_kind, actor_name, request_id]),
  );
  const newestFirst = [...calls.values()].sort((one, other) => {
    const [first, second] = [one[0] ?? assert.fail(), other[0] ?? assert.fail()];
    return (
      second.at - first.at ||
      second.order_id - first.order_id ||
      second.revision - first.revision ||
      second.part - first.part
    );
  });
  return newestFirst.map((all) => {
    const ids = [...new Set(all.map(({ order_id }) => order_id))];
    const created = all.filter(({ changes }) => changes === '').length;
    return { changed: ids.length - created, created, order_ids: ids };
  });
}

type History = ListedChanges<ChangedOrderValue>;

forEachEngine((engine) => {
  const service = useService(engine);

  async function historyOf(
    shop: { token: string },
    orderId: number,
    query: Record<string, string> = {},
  ): Promise<History> {
    const response = await service().get('/orders/history', shop, { order_id: String(orderId), ...query });
    assert.equal(response.status, 200, response.text);
    return response.json<History>();
  }

  /** All entries, oldest first, in pages. */
  async function entriesOf(shop: Shop, orderId: number): Promise<ListedChange<ChangedOrderValue>[]> {
    const entries: ListedChange<ChangedOrderValue>[] = [];
    for (let query: Record<string, string> = {}; ; ) {
      const { results, cursor, more } = await historyOf(shop, orderId, { per_page: '3', ...query });
      entries.push(...results);
      if (!more) return entries.reverse();
      query = { after: cursor };
    }
  }

  /** All entries about orders that the console's page shows, in parts. */
  async function activityOf(client: ConsoleClient): Promise<ActivityEntry[]> {
    const entries: ActivityEntry[] = [];
    for (let before = ''; ; ) {
      const response = await client.get(`/activity?type=order&limit=7${before}`);
      assert.equal(response.status, 200, response.text);
      const part = response.json<ActivityList>();
      entries.push(...part.entries);
      if (part.next === null) return entries;
      before = `&before=${part.next}`;
    }
  }

  it(`after ${STEPS} random changes through every door, the history undoes each order to each earlier state, and has nothing of customers`, async () => {
    const random = newRandom();
    const shop = await Shop.open(service());
    const { merchant } = shop;
    const console = await signedIn(service(), merchant);
    const recent: OrderRecord[] = [];
    const pickOrder = (): OrderRecord => random.pick(recent.slice(-4) as [OrderRecord]);
    const secret = (): string => `Secret-${random.whole(1, 9)}`;
    const customer = () => ({
      ...{ customer_name: secret(), address1: secret(), address2: secret(), city: secret() },
      ...{ postal_code: secret(), state: secret(), customer_id: secret(), placement_id: secret() },
      upsells: [{ type_description: secret(), amount: 1, description: secret() }],
    });
    const stated = () => ({
      product_quantity: 3,
      product_name: secret(),
      ...customer(),
      available_refunds: { buyer_fee: random.pick([40, 50, 60]), shipping_fee: 5 },
      ...(random.chance(0.4) && { seller_fees: [{ type: 'commission', amount: random.whole(1, 3) }] }),
      ...(random.chance(0.4) && { disbursement_amount: random.pick([20.5, 30, null]) }),
      ...(random.chance(0.3) && { fulfillment_due_date: new Date(service().now()).toISOString() }),
      ...(random.chance(0.3) && { fulfillment_partner: random.pick(['Acme', null]) }),
    });
    let orders = 0;
    const nextName = (): string => {
      orders += 1;
      return `H-${orders}`;
    };
    const create = async (fields: object = {}): Promise<void> => {
      recent.push(await shop.push(nextName(), { ...stated(), ...fields }));
    };
    /** A line of a merchant's batch. */
    const line = (): Record<string, unknown> => {
      const { order_id } = pickOrder();
      const package_id = random.pick([secret(), undefined]);
      const shipment = { carrier: random.pick(['UPS', 'FedEx']), tracking_number: secret(), package_id };
      return random.pick<() => Record<string, unknown>>([
        () => ({ order_id, action: 'acknowledge', merchant_order_id: secret() }),
        () => ({ order_id, action: 'annotate', annotation: secret() }),
        () => ({ order_id, action: 'fulfill', ...shipment, quantity: random.whole(1, 2) }),
        () => {
          const details = { service_type: 'Ground', tracking_url: 'https://erp.example/Secret' };
          return { order_id, action: 'fulfill', ...shipment, ...details };
        },
        () => ({ order_id, action: 'unfulfill', package_id: package_id ?? secret() }),
        () => {
          const fees = [random.pick(['buyer_fee', 'shipping_fee'])];
          const refund = random.chance(0.3) ? { type: 'full' } : { type: 'partial', fees, quantity: 1 };
          const words = { reason: 'other', explanation: secret(), refund_id: secret() };
          return { order_id, action: 'refund', ...refund, ...words, restock: random.chance(0.5) };
        },
        () => ({ order_id, action: 'cancel', reason: 'other' }),
      ])();
    };
    const call = async (send: (path: string, json: object) => Promise<unknown>): Promise<void> => {
      const { action, ...json } = line();
      await send(String(action), json);
    };
    const byKey = () => call((path, json) => shop.post(path, json));
    const doors: (() => Promise<unknown>)[] = [
      () => create(),
      byKey,
      byKey,
      // Calls that arrive together share transactions.
      () => Promise.all(Array.from({ length: 6 }, byKey)),
      () => shop.post('batch', Array.from({ length: random.whole(1, 6) }, line)),
      () => call((path, json) => console.request('POST', `/v1/orders/${path}`, { json })),
      () => shop.put(pickOrder().external_id, stated()),
      () => {
        const status = random.pick(['paid', 'shipped', 'refunded', 'canceled']);
        const service_type = random.pick(['Air', null]);
        const shipment = { carrier: 'ups', tracking_number: secret(), service_type };
        return shop.put(pickOrder().external_id, { status, ...shipment });
      },
      () => {
        const json = { state: random.pick(['held', 'released', 'released']), reason: secret() };
        return shop.put(`${pickOrder().external_id}/state`, json);
      },
      async () => {
        const { external_id } = pickOrder();
        const { packages } = await shop.read(external_id);
        const [first] = packages;
        if (first === undefined) return;
        const path = `${external_id}/packages/${encodeURIComponent(first.package_id)}`;
        await shop.put(path, { state: random.pick(['accepted', 'in_transit', 'delivered']) });
      },
      async () => {
        const { external_id } = pickOrder();
        const { refunds } = await shop.read(external_id);
        const open = refunds.find(({ state }) => state === 'requested');
        if (open === undefined) return;
        const json = { state: random.pick(['settled', 'failed']), failure: secret() };
        await shop.put(`${external_id}/refunds/${encodeURIComponent(open.refund_id)}`, json);
      },
      async () => {
        const fees = { buyer_fee: random.whole(5_000, 7_000), shipping_fee: 500 };
        const drafts = [nextName(), pickOrder().external_id].map((external_id) =>
          orderDraft(external_id, { product_identifier: 'VASE', available_refunds: fees }),
        );
        const imported = { kind: 'command' as const, name: '', import: 'I-1' };
        await importOrderDrafts(service(), merchant, [drafts], { who: imported });
      },
      () => {
        const { external_id } = pickOrder();
        const path = `/merchants/${merchant.id}/orders/${external_id}/redact`;
        return service().operator('POST', path, shop.operatorToken, { json: {} });
      },
      () => redactOldOrders(service(), service().now() - 1_000),
    ];
    const stream = (): Promise<unknown> => {
      const lines = [nextName(), pickOrder().external_id].map((external_id) =>
        JSON.stringify({ external_id, product_identifier: 'VASE', ...stated() }),
      );
      return service().operator('POST', `/merchants/${merchant.id}/orders`, shop.operatorToken, {
        body: `${lines.join('\n')}\n`,
        headers: { 'content-type': 'application/x-ndjson' },
      });
    };
    const model = new ModelHistory();
    const look = async (): Promise<void> => {
      const rows = await service().database.all(listRows, { merchantId: merchant.id });
      const counts = Map.groupBy(rows, ({ order_id }) => order_id);
      const stored = await service().database.all(listData, { merchantId: merchant.id });
      const dataOf = new Map(stored.map(({ order_id, data }) => [order_id, JSON.parse(data) as OrderData]));
      for (const order of await shop.list({ per_page: '1000' })) {
        const { order_id: id } = order;
        model.see(id, stateOf(order, dataOf.get(id)?.fees ?? {}), counts.get(id)?.length ?? 0);
      }
    };
    for (let order = 0; order < 3; order += 1) await create();
    await look();
    // Random calls may be refused.
    const [first, second] = recent.map(({ order_id }) => ({ order_id }));
    await console.request('POST', '/v1/orders/acknowledge', { json: first });
    await look();
    await shop.change('cancel', { ...second, reason: 'other' });
    await look();
    service().passTime(2_000);
    await redactOldOrders(service(), service().now() - 1_000);
    await look();
    // Each stream starts a process.
    const each = [...doors, stream];
    for (let step = 0; step < STEPS; step += 1) {
      service().passTime(random.whole(0, 1_000));
      await (each[step] ?? random.pick(doors as [() => Promise<unknown>]))();
      await look();
    }
    let undone = 0;
    for (const orderId of model.orders) undone += model.undo(orderId, await entriesOf(shop, orderId));
    assert.ok(undone > STEPS / 3, `${undone} states were undone`);

    const rows = await service().database.all(listRows, { merchantId: merchant.id });
    assert.doesNotMatch(JSON.stringify(rows), /secret/i);
    const shown = await activityOf(console);
    assert.doesNotMatch(JSON.stringify(shown), /secret/i);
    assert.deepEqual(
      shown.flatMap((entry) => {
        if (entry.about !== 'orders') return [];
        const { changed, created, order_ids } = entry;
        return [{ changed, created, order_ids }];
      }),
      callsOf(rows),
    );
    const kinds = new Set(rows.map(({ actor_kind }) => actor_kind));
    const expected = ['command', 'merchant_key', 'merchant_user', 'operator_key', 'service'];
    assert.deepEqual([...kinds].sort(), expected);
    for (const { actor_kind, request_id, import_id } of rows)
      assert.equal(request_id === null && import_id === null, actor_kind === 'service', actor_kind);
  });

  describe('GET orders/history', () => {
    it('names who changed what, by which call, in pages', async () => {
      const shop = await Shop.open(service());
      const console = await signedIn(service(), shop.merchant);
      const { order_id } = await shop.push('A1', { product_quantity: 2 });
      const shipment = { order_id, carrier: 'UPS', tracking_number: '1Z' };
      const post = (path: string, json: object, request: string) =>
        service().request('POST', `/orders/${path}`, {
          json,
          headers: { authorization: `Bearer ${shop.token}`, 'x-request-id': request },
        });
      await post('fulfill', { ...shipment, quantity: 1, shipped_at: '2026-03-04T08:00:00Z' }, 'call-1');
      // Nothing that is recorded.
      await post('fulfill', { ...shipment, package_id: 'ups:1Z', tracking_number: '2Z' }, 'call-2');
      await post('annotate', { order_id, annotation: 'x' }, 'call-3');
      const refund = { order_id, type: 'partial', reason: 'other', fees: ['shipping_fee'] };
      await console.request('POST', '/v1/orders/refund', { json: refund });
      await shop.put('A1/packages/ups:1Z', { state: 'accepted' });
      await shop.put('A1', { available_refunds: { buyer_fee: 31, shipping_fee: 5 } });
      const { results, more } = await historyOf(shop, order_id);
      assert.equal(more, false);
      const changes = results.map(({ changes: of }) =>
        of.map(({ field, package: place, refund: number, from, to }) => [field, place, number, from, to]),
      );
      assert.deepEqual(changes, [
        [['fees.buyer_fee', null, null, 30, 31]],
        [['state', 1, null, 'shipped', 'accepted']],
        [
          ['type', null, 1, null, 'partial'],
          ['amount', null, 1, null, 5],
          ['state', null, 1, null, 'requested'],
        ],
        [
          ['carrier', 1, null, null, 'ups'],
          ['quantity', 1, null, null, 1],
          ['shipped_at', 1, null, null, '2026-03-04T08:00:00Z'],
          ['state', 1, null, null, 'shipped'],
        ],
        [],
      ]);
      const [fees, scanned, refunded, shipped, created] = results;
      assert.deepEqual([fees?.who, scanned?.who, created?.who], ['operator', 'operator', 'operator']);
      assert.match(refunded?.who ?? '', /^User \d+ <user\d+@example.com>$/);
      assert.match(shipped?.who ?? '', /^key \d+-\d+$/);
      assert.equal(shipped?.request_id, 'call-1');
      assert.deepEqual(
        results.map(({ action }) => action),
        ['changed', 'changed', 'changed', 'changed', 'created'],
      );
      assert.deepEqual(await entriesOf(shop, order_id), results.toReversed());
    });

    it('has only the orders of its merchant and side, and a cursor continues only its own list', async () => {
      const shop = await Shop.open(service());
      const other = await Shop.open(service());
      const { order_id } = await shop.push('A1', { order_id: 4_711 });
      const { order_id: second } = await shop.push('A2');
      const id = { order_id: String(order_id) };
      const { cursor } = await historyOf(shop, order_id);
      const last = await historyOf(shop, order_id, { after: cursor });
      assert.deepEqual([last.results, last.more], [[], false]);
      const message = 'There is no order with the ID 4711.';
      expectError(await service().get('/orders/history', other, id), 404, message);
      const testKey = await service().newTestKey(shop.merchant);
      expectError(await service().get('/orders/history', testKey, id), 404, message);
      const continued = { order_id: String(second), after: cursor };
      expectError(await service().get('/orders/history', shop, continued), 400, /a cursor of another list/);
      await other.push('A1', { order_id });
      expectError(
        await service().get('/orders/history', other, { ...id, after: cursor }),
        400,
        /a cursor of another merchant/,
      );
      assert.equal((await historyOf(other, order_id)).results.length, 1);
    });
  });

  describe('HISTORY_RETENTION', () => {
    const rowsOf = async (merchantId: number): Promise<string[]> =>
      (await service().database.all(listRows, { merchantId })).map(({ changes }) => changes);

    /** Adds an order, and returns a key of the test side. */
    async function pushToTestSide(merchant: TestMerchant): Promise<{ token: string }> {
      const key = await service().newTestKey(merchant);
      const headers = { authorization: `Bearer ${key.token}` };
      const json = { identifier: 'LAMP', title: 'Lamp' };
      assert.equal((await service().request('POST', '/products', { json, headers })).status, 200);
      const order = orderDraft('T-1', { product_identifier: 'LAMP' });
      await pushDrafts(service(), { id: testSideOf(merchant.id) }, [order]);
      return key;
    }

    it('deletes what is older, of both sides, and orders keep what they are', async () => {
      const shop = await Shop.open(service());
      const { database, now } = service();
      const { id: merchantId } = shop.merchant;
      const testSide = { id: testSideOf(merchantId) };
      await pushToTestSide(shop.merchant);
      const drafts = Array.from({ length: 1_200 }, (_, index) =>
        orderDraft(`C-${index}`, { product_identifier: 'VASE' }),
      );
      await importOrderDrafts(service(), shop.merchant, [drafts]);
      const order = await shop.read('C-7');
      service().passTime(DAY_MS);
      await shop.change('acknowledge', { order_id: order.order_id });
      assert.equal((await rowsOf(merchantId)).length, 1_201);
      assert.equal((await rowsOf(testSide.id)).length, 1);
      await deleteOldOrderHistory(database, now() - 2 * DAY_MS, () => false);
      assert.equal((await rowsOf(merchantId)).length, 1_201);
      await deleteOldOrderHistory(database, now() - 1, () => false);
      const [left, ...others] = await rowsOf(merchantId);
      assert.match(left ?? '', /acknowledged_at/);
      assert.deepEqual([others, await rowsOf(testSide.id)], [[], []]);
      const { results, more } = await historyOf(shop, order.order_id);
      assert.deepEqual([results.map(({ action }) => action), more], [['changed'], false]);
      assert.deepEqual(await historyOf(shop, order.order_id + 1).then((of) => of.results), []);
      assert.equal((await shop.read('C-7')).status, order.status);
    });

    it('a reset of the test side deletes its history', async () => {
      const merchant = await service().newMerchant();
      const { token } = await pushToTestSide(merchant);
      assert.equal((await rowsOf(testSideOf(merchant.id))).length, 1);
      const headers = { authorization: `Bearer ${token}` };
      const reset = await service().request('POST', '/test/reset', { json: { samples: false }, headers });
      assert.equal(reset.status, 200, reset.text);
      assert.deepEqual(await rowsOf(testSideOf(merchant.id)), []);
    });
  });
});
