import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import type { ClientEvent, EventType } from '../../src/events/event-types.ts';
import { announceOrders } from '../../src/orders/list/announce-orders.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { FeedReader } from '../support/events.ts';
import { orderDraft, pushDrafts } from '../support/orders.ts';
import { temporaryDirectory } from '../support/process.ts';
import { useService } from '../support/service.ts';
import { TestDatabase } from '../support/test-database.ts';
import { until } from '../support/until.ts';
import { Shop } from './orders-support.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const ALLOWED = [
  ...['order_id', 'external_id', 'status', 'hold_reason', 'package_id', 'refund_id', 'state'],
  'changed_since',
];

const countBursts = statement<{ merchantId: number }, { count: number }>(
  `SELECT CAST(count(*) AS integer) AS count FROM outbox
   WHERE merchant_id = :merchantId AND type = 'orders.changed'`,
);

const isOfOrders = ({ type }: ClientEvent): boolean => /^(order|orders|package|refund)\./.test(type);

forEachEngine((engine) => {
  describe('events of orders', () => {
    const service = useService(engine);

    it('say what happened, in order, with ids only and never a customer’s data', async () => {
      const shop = await Shop.open(service());
      const feed = await FeedReader.open(service());
      const { order_id } = await shop.push('A1', { product_quantity: 2 });
      await shop.push('A1', { customer_name: 'C. Other', city: 'Elsewhere' });
      await shop.change('acknowledge', { order_id, merchant_order_id: 'SO-1' });
      await shop.change('annotate', { order_id, annotation: 'Call A. Customer' });
      await shop.change('fulfill', { order_id, carrier: 'UPS', tracking_number: '1', quantity: 1 });
      await shop.change('unfulfill', { order_id, package_id: 'ups:1' });
      await shop.change('fulfill', { order_id, carrier: 'UPS', tracking_number: '2' });
      await shop.put('A1/packages/ups:2', { state: 'delivered' });
      await shop.change('refund', { order_id, type: 'partial', reason: 'other', fees: ['shipping_fee'] });
      await shop.put('A1/refunds/refund-1', { state: 'failed', failure: 'no account of A. Customer' });
      await shop.change('refund', { order_id, type: 'full', reason: 'other' });
      await shop.put('A1/refunds/refund-2', { state: 'settled' });
      const { order_id: held } = await shop.push('A2');
      await shop.put('A2/state', { state: 'held', reason: 'address check' });
      await shop.put('A2/state', { state: 'released' });
      await shop.change('cancel', { order_id: held, reason: 'other' });
      const events = (await feed.readOf(shop.merchant)).filter(isOfOrders);
      assert.deepEqual(
        events.map(({ type }) => type).filter((type) => type !== 'orders.changed'),
        [
          ...['order.created', 'order.acknowledged', 'order.fulfilled', 'package.updated', 'order.fulfilled'],
          ...['package.updated', 'refund.requested', 'refund.failed', 'refund.requested', 'refund.settled'],
          ...['order.created', 'order.held', 'order.released', 'order.canceled', 'refund.requested'],
        ],
      );
      for (const event of events) {
        const unknown = Object.keys(event.data).filter((name) => !ALLOWED.includes(name));
        assert.deepEqual(unknown, [], event.type);
        assert.doesNotMatch(JSON.stringify(event), /Customer|Other|Elsewhere|Main Street|90210|Springfield/);
      }
    });

    it('a repetition, a rejected call and a change of a customer are no event of the order', async () => {
      const shop = await Shop.open(service());
      const { order_id } = await shop.push('B1');
      const fulfill = { order_id, carrier: 'UPS', tracking_number: '1' };
      await shop.change('acknowledge', { order_id });
      await shop.change('fulfill', fulfill);
      await shop.change('refund', { order_id, type: 'full', reason: 'other' });
      const feed = await FeedReader.open(service());
      await shop.push('B1');
      await shop.push('B1', { customer_name: 'C. Other' });
      await shop.post('acknowledge', { order_id });
      await shop.change('refund', { order_id, type: 'full', reason: 'other' });
      await shop.refused('fulfill', fulfill);
      await shop.refused('cancel', { order_id, reason: 'other' });
      const events = (await feed.readOf(shop.merchant)).filter(isOfOrders);
      assert.deepEqual(
        events.map(({ type }) => type).filter((type) => type !== 'orders.changed'),
        [],
      );
    });

    it('order.overdue occurs once for each due date of a paid order', async () => {
      const shop = await Shop.open(service());
      const feed = await FeedReader.open(service());
      const overdue: string[] = [];
      const readOverdue = async (): Promise<string[]> => {
        for (const event of await feed.readOf(shop.merchant))
          if (event.type === 'order.overdue') overdue.push(event.data.external_id);
        return overdue;
      };
      let markers = 0;
      /** Waits until everything that is overdue by now was announced. */
      const announced = async (): Promise<string[]> => {
        markers += 1;
        const name = `MARKER-${markers}`;
        const fulfillment_due_date = new Date(service().now() - 1).toISOString();
        await shop.push(name, { fulfillment_due_date });
        await until(async () => (await readOverdue()).includes(name));
        return overdue.filter((each) => !each.startsWith('MARKER')).toSorted();
      };
      const due = (hours: number): string => new Date(service().now() + hours * HOUR_MS).toISOString();
      const { order_id } = await shop.push('C1', { fulfillment_due_date: due(1) });
      await shop.push('C2', { fulfillment_due_date: due(1), status: 'unpaid' });
      const { order_id: shipped } = await shop.push('C3', { fulfillment_due_date: due(1) });
      await shop.change('fulfill', { order_id: shipped, carrier: 'UPS', tracking_number: '3' });
      await shop.push('C4', { fulfillment_due_date: due(1) });
      await shop.put('C4/state', { state: 'held', reason: 'check' });
      await shop.push('C5');
      assert.deepEqual(await announced(), []);
      service().passTime(HOUR_MS + 1);
      assert.deepEqual(await announced(), ['C1']);

      await shop.put('C1/state', { state: 'held', reason: 'check' });
      await shop.put('C1/state', { state: 'released' });
      await shop.change('fulfill', { order_id, carrier: 'UPS', tracking_number: '1' });
      await shop.change('unfulfill', { order_id, package_id: 'ups:1' });
      assert.deepEqual(await announced(), ['C1'], 'the same due date');

      await shop.push('C1', { fulfillment_due_date: due(1) });
      await shop.put('C4/state', { state: 'released' });
      await shop.push('C2', { status: 'paid' });
      assert.deepEqual(await announced(), ['C1', 'C2', 'C4'], 'they can be shipped now, and are late');
      service().passTime(HOUR_MS + 1);
      assert.deepEqual(await announced(), ['C1', 'C1', 'C2', 'C4'], 'another due date');
      const { status } = await shop.retrieve(order_id);
      assert.equal(status, 'paid');
    });

    it('orders.changed has the cursor with which GET orders returns the changes', async () => {
      const shop = await Shop.open(service());
      const feed = await FeedReader.open(service());
      const seen: ClientEvent[] = [];
      const next = async (): Promise<OrderRecord[]> => {
        const event = await until(async () => {
          seen.push(...(await feed.readOf(shop.merchant)));
          return seen.splice(0).findLast(({ type }) => type === ('orders.changed' satisfies EventType));
        });
        assert.ok(event.type === 'orders.changed');
        const { changed_since } = event.data;
        const response = await service().get('/orders', shop, { changed_since });
        return response.json<{ results: OrderRecord[] }>().results;
      };
      const { order_id } = await shop.push('D1');
      assert.deepEqual(
        (await next()).map((order) => order.external_id),
        ['D1'],
      );
      service().passTime(MINUTE_MS);
      await shop.push('D2');
      assert.deepEqual(
        (await next()).map((order) => order.external_id),
        ['D2'],
      );
      service().passTime(MINUTE_MS);
      await shop.change('annotate', { order_id, annotation: 'x' });
      assert.deepEqual(
        (await next()).map((order) => order.annotation),
        ['x'],
      );
    });
  });

  describe('the number of orders.changed', () => {
    async function newStore(t: { after(cleanup: () => unknown): void }) {
      const store = await TestDatabase.open(engine);
      t.after(() => store.close());
      const encryptionKeyFile = `${await temporaryDirectory(t)}/encryption.keys`;
      const merchant = await store.newMerchant();
      await importDrafts(store, merchant, [[draft('VASE')]]);
      const { database, now } = store;
      const service = { database, now, config: { encryptionKeyFile, lowInventory: 5 } };
      const push = (name: string, fields: object = {}) =>
        pushDrafts(service, merchant, [orderDraft(name, { product_identifier: 'VASE', ...fields })]);
      const count = async (): Promise<number> =>
        (await database.first(countBursts, { merchantId: merchant.id }))?.count ?? Number.NaN;
      return { store, push, count };
    }

    it('is small for a burst: at most 20 for orders that change for ten minutes', async (t) => {
      const { store, push, count } = await newStore(t);
      for (let second = 0; second < 10 * 60; second += 1) {
        if (second % 2 === 0) await push(`A-${second % 20}`, { customer_id: String(second) });
        await announceOrders(store);
        store.passTime(SECOND_MS);
      }
      const bursts = await count();
      assert.ok(bursts >= 10 && bursts <= 20, String(bursts));
    });

    it('is one at once for a single change, and none for a repetition', async (t) => {
      const { store, push, count } = await newStore(t);
      const announced = async (): Promise<number> => {
        await announceOrders(store);
        return await count();
      };
      await push('A');
      assert.equal(await announced(), 1);
      store.passTime(MINUTE_MS);
      await push('A');
      assert.equal(await announced(), 1, 'nothing has changed');
      await push('B');
      assert.equal(await announced(), 2);
      store.passTime(MINUTE_MS);
      assert.equal(await announced(), 2);
    });
  });
});
