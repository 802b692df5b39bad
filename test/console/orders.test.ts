import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type {
  OrderCounts,
  OrderSearchPart,
  OrderTimeline,
  RevealedCustomers,
} from '../../src/console/order-api.ts';
import { statement } from '../../src/database/statement.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { Shop } from '../orders/orders-support.ts';
import { auditLogOf } from '../support/audit.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const listWords = statement<{ merchantId: number }, { word: string; order_id: number }>(
  'SELECT word, order_id FROM order_words WHERE merchant_id = :merchantId ORDER BY word, order_id',
);

forEachEngine((engine) => {
  describe('orders in the console', () => {
    const service = useService(engine);
    let shop: Shop;
    let editor: ConsoleClient;
    let viewer: ConsoleClient;
    before(async () => {
      shop = await Shop.open(service());
      editor = await signedIn(service(), shop.merchant, 'editor');
      viewer = await signedIn(service(), shop.merchant, 'viewer');
    });

    const search = async (
      query: string,
      more: Record<string, string> = {},
      user = editor,
    ): Promise<OrderSearchPart> => {
      const response = await user.get(`/orders/search?${new URLSearchParams({ query, ...more })}`);
      assert.equal(response.status, 200, response.text);
      return response.json<OrderSearchPart>();
    };
    const found = async (query: string, user = editor): Promise<number[]> =>
      (await search(query, {}, user)).orders.map(({ order_id }) => order_id);
    const words = async (orderId: number): Promise<string[]> => {
      const { id: merchantId } = shop.merchant;
      const rows = await service().database.all(listWords, { merchantId });
      return rows.filter(({ order_id }) => order_id === orderId).map(({ word }) => word);
    };
    const reveals = async (): Promise<string[]> => {
      const entries = await auditLogOf(service(), editor);
      const revealed = entries.filter(({ action }) => action === 'order.customer_revealed');
      return revealed.map(({ who, subject }) => `${who.split(' <')[0]}: ${subject}`);
    };
    const revealBy = (client: ConsoleClient, ids: string) =>
      client.post('/orders/reveal', { order_ids: ids });

    describe('search', () => {
      it('finds by order ID, external ID, SKU, tracking number and the merchant’s own ID, in any case', async () => {
        const { order_id } = await shop.push('MP-2026-000981');
        const { order_id: other } = await shop.push('XY-1', { variation_identifier: 'VASE-L' });
        await shop.change('fulfill', { order_id, carrier: 'UPS', tracking_number: '1Z 999 AA1 0123' });
        await shop.change('acknowledge', { order_id, merchant_order_id: 'SO-1182' });
        const identifiers = [
          String(order_id),
          `#${order_id}`,
          'MP-2026-000981',
          'mp-2026',
          'vase-s',
          '1z999aa10123',
          '1Z 999',
          'so-118',
        ];
        for (const text of identifiers) assert.deepEqual(await found(text), [order_id], text);
        assert.deepEqual(await found('Vase'), [other, order_id]);
        assert.deepEqual(await found('nothing'), []);
        // Two characters find no beginnings.
        assert.deepEqual(await found('so'), []);
      });

      it('finds by whole words of the customer’s name, in any order, without accents', async () => {
        const { order_id } = await shop.push('N1', { customer_name: 'Zoë Anne-Marie O’Brien' });
        const { order_id: another } = await shop.push('N2', { customer_name: 'Anne Miller' });
        for (const text of ['zoe', 'O’Brien', "o'brien", 'marie ANNE', 'anne-marie'])
          assert.deepEqual(await found(text), [order_id], text);
        assert.deepEqual(await found('anne'), [another, order_id]);
        assert.deepEqual(await found('anne miller'), [another]);
        assert.deepEqual(await found('zo'), []);
        assert.deepEqual(await found('anne zzz'), []);
      });

      it('a viewer, who may not see names, finds no order by one, and so cannot guess it', async () => {
        const { order_id } = await shop.push('V1', { customer_name: 'Wendolin Wallace' });
        assert.deepEqual(await found('wendolin'), [order_id]);
        assert.deepEqual(await found('wendolin', viewer), []);
        assert.deepEqual(await found('v1', viewer), [order_id]);
      });

      it('stores words of names only as keyed hashes, and replaces them with the name', async () => {
        const { order_id } = await shop.push('W1', { customer_name: 'Wilma Stone' });
        const other = await Shop.open(service());
        await other.push('W1', { customer_name: 'Wilma Stone' });
        const before = await words(order_id);
        assert.equal(before.length, 3);
        for (const word of before) assert.match(word, /^(id:vase-s|name:[\w-]{22})$/);
        const { id: merchantId } = other.merchant;
        const others = (await service().database.all(listWords, { merchantId })).map(({ word }) => word);
        assert.deepEqual(others.filter((word) => before.includes(word)).sort(), ['id:vase-s']);
        await shop.push('W1', { customer_name: 'Betty Stone' });
        assert.deepEqual(await found('wilma'), []);
        assert.deepEqual(await found('betty stone'), [order_id]);
        assert.equal((await words(order_id)).length, 3);
        await shop.push('W1', { customer_name: null });
        assert.deepEqual(await words(order_id), ['id:vase-s']);
      });

      it('lists results in parts, newest first, with their counts by status, without customers', async () => {
        const ids: number[] = [];
        for (let number = 1; number <= 5; number += 1) ids.push((await shop.push(`PART-${number}`)).order_id);
        await shop.change('fulfill', { order_id: ids[0], carrier: 'UPS', tracking_number: 'T1' });
        const first = await search('part-', { limit: '2' });
        const part = first.orders.map(({ order_id }) => order_id);
        assert.deepEqual([part, first.next], [[ids[4], ids[3]], ids[3]]);
        assert.deepEqual([first.counts.all, first.counts.by_status.shipped, first.complete], [5, 1, true]);
        assert.ok(first.orders.every((order) => order.customer_hidden && order.customer_name === null));
        const rest = await search('part-', { limit: '3', before: String(first.next) });
        const others = rest.orders.map(({ order_id }) => order_id);
        assert.deepEqual([others, rest.next], [[ids[2], ids[1], ids[0]], null]);
        const shipped = await search('part-', { status: 'shipped' });
        assert.deepEqual([shipped.orders.map(({ order_id }) => order_id), shipped.counts.all], [[ids[0]], 5]);
      });

      it('says that not all were found if too many match', async () => {
        const drafts = Array.from({ length: 1_010 }, (_, index) => ({
          external_id: `MANY-${index}`,
          product_identifier: 'VASE',
          variation_identifier: 'VASE-S',
        }));
        const lines = drafts.map((draft) => JSON.stringify(draft)).join('\n');
        const path = `/merchants/${shop.merchant.id}/orders`;
        const headers = { 'content-type': 'application/x-ndjson' };
        const pushed = await service().operator('POST', path, shop.operatorToken, { headers, body: lines });
        assert.equal(pushed.status, 200, pushed.text);
        const { orders, counts, complete } = await search('vase-s');
        assert.deepEqual([orders.length, counts.all, complete], [50, 1_000, false]);
      });

      it('400: without a query, or with an unknown status', async () => {
        assert.equal((await viewer.get('/orders/search')).status, 400);
        assert.equal((await viewer.get('/orders/search?query=x&status=sent')).status, 400);
      });
    });

    describe('the customer of an order', () => {
      it('is hidden until an editor reveals it, and each reveal is in the audit log', async () => {
        const { order_id } = await shop.push('C1');
        const { order_id: other } = await shop.push('C2', { customer_name: 'B. Customer' });
        const hidden = (await editor.get(`/v1/orders/retrieve?order_id=${order_id}`)).json<OrderRecord>();
        assert.deepEqual([hidden.customer_name, hidden.customer_hidden], [null, true]);
        const known = await reveals();
        const response = await revealBy(editor, `${order_id},${other}`);
        assert.equal(response.status, 200, response.text);
        assert.equal(response.headers['cache-control'], 'no-store');
        assert.deepEqual(response.json<RevealedCustomers>().customers, [
          {
            order_id,
            customer_name: 'A. Customer',
            address1: '1 Main Street',
            address2: null,
            city: 'Springfield',
            postal_code: '90210',
          },
          {
            order_id: other,
            customer_name: 'B. Customer',
            address1: '1 Main Street',
            address2: null,
            city: 'Springfield',
            postal_code: '90210',
          },
        ]);
        const added = (await reveals()).slice(0, 2);
        assert.equal((await reveals()).length, known.length + 2);
        assert.deepEqual(
          added.map((entry) => entry.replace(/^User \d+: /, '')).sort(),
          [order_id, other].map(String),
        );
      });

      it('403: a viewer cannot reveal it; another merchant’s and erased ones are missing, without an entry', async () => {
        const { order_id } = await shop.push('C3');
        const stranger = await signedIn(service(), await service().newMerchant());
        const known = await reveals();
        assert.equal((await revealBy(viewer, String(order_id))).status, 403);
        assert.deepEqual((await revealBy(stranger, String(order_id))).json(), { customers: [] });
        const redact = `/merchants/${shop.merchant.id}/orders/C3/redact`;
        await service().operator('POST', redact, shop.operatorToken, { json: {} });
        assert.deepEqual((await revealBy(editor, String(order_id))).json(), { customers: [] });
        assert.deepEqual(await reveals(), known);
        assert.equal((await revealBy(editor, 'none')).status, 400);
      });
    });

    it('the timeline has what happened, oldest first', async () => {
      const { order_id } = await shop.push('T1');
      const step = async (work: () => Promise<unknown>): Promise<void> => {
        service().passTime(HOUR_MS);
        await work();
      };
      await step(() => shop.change('acknowledge', { order_id }));
      await step(() => shop.put('T1/state', { state: 'held', reason: 'address check' }));
      await step(() => shop.put('T1/state', { state: 'released' }));
      await step(() => shop.change('fulfill', { order_id, carrier: 'ups', tracking_number: '1Z9' }));
      await step(() => shop.put('T1/packages/ups:1Z9', { state: 'in_transit' }));
      await step(() => shop.put('T1/packages/ups:1Z9', { state: 'delivered' }));
      const refund = { order_id, type: 'partial', reason: 'other', fees: ['shipping_fee'], refund_id: 'r' };
      await step(() => shop.change('refund', refund));
      await step(() => shop.put('T1/refunds/r', { state: 'settled' }));
      await step(() =>
        service().operator('POST', `/merchants/${shop.merchant.id}/orders/T1/redact`, shop.operatorToken, {
          json: {},
        }),
      );
      const response = await viewer.get(`/orders/${order_id}/timeline`);
      assert.equal(response.status, 200, response.text);
      const { entries } = response.json<OrderTimeline>();
      assert.deepEqual(
        entries.map(({ what, id, detail }) => [what, id, detail]),
        [
          ['created', null, null],
          ['paid', null, null],
          ['acknowledged', null, null],
          ['held', null, 'address check'],
          ['released', null, null],
          ['shipped', 'ups:1Z9', null],
          ['package', 'ups:1Z9', 'in_transit'],
          ['package', 'ups:1Z9', 'delivered'],
          ['refund_requested', 'r', null],
          ['refund_settled', 'r', null],
          ['erased', null, null],
        ],
      );
      const times = entries.map(({ at }) => at);
      assert.deepEqual(times, [...times].sort());
      for (const id of ['0', 'x', '2147483647'])
        assert.equal((await viewer.get(`/orders/${id}/timeline`)).status, 404, id);
    });

    it('counts orders by status, overdue ones, and those due by the end of the merchant’s day', async () => {
      const fresh = await Shop.open(service());
      const owner = await signedIn(service(), fresh.merchant);
      await owner.post('/shop', { time_zone: 'Pacific/Auckland' });
      const zoned = () =>
        Temporal.Instant.fromEpochMilliseconds(service().now()).toZonedDateTimeISO('Pacific/Auckland');
      // No day of the merchant ends during the test.
      const tomorrow = zoned().startOfDay().add({ days: 1 }).epochMilliseconds;
      service().passTime(tomorrow + 12 * HOUR_MS - service().now());
      const dayEnd = zoned().startOfDay().add({ days: 1 }).epochMilliseconds;
      const push = async (id: string, due: number | null, more: object = {}): Promise<OrderRecord> =>
        await fresh.push(id, {
          fulfillment_due_date: due === null ? null : new Date(due).toISOString(),
          ...more,
        });
      await push('LATE', service().now() - 1_000);
      await push('LATE-UNPAID', service().now() - 1_000, { status: 'unpaid' });
      await push('TODAY', dayEnd - 1_000);
      await push('TOMORROW', dayEnd);
      await push('ANY-DAY', null);
      const { order_id } = await push('SHIPPED', dayEnd - 1_000);
      await fresh.change('fulfill', { order_id, carrier: 'ups', tracking_number: '1Z9' });
      const counts = (await owner.get('/orders/counts')).json<OrderCounts>();
      assert.deepEqual([counts.all, counts.overdue, counts.due_today], [6, 1, 1]);
      assert.deepEqual(
        [counts.by_status.paid, counts.by_status.shipped, counts.by_status.unpaid, counts.by_status.refunded],
        [4, 1, 1, 0],
      );
      assert.equal(Date.parse(counts.day_ends_at), dayEnd);
      const overview = (await owner.get('/overview')).json<{ orders: OrderCounts }>();
      assert.deepEqual(overview.orders, counts);
    });

    it('are shipped and refunded through the API, and the audit log names the user', async () => {
      const { order_id } = await shop.push('S1');
      const json = { order_id, carrier: 'UPS', tracking_number: '1ZS1' };
      assert.equal((await viewer.post('/v1/orders/fulfill', json)).status, 403);
      const shipped = await editor.post('/v1/orders/fulfill', json);
      assert.equal(shipped.json<OrderRecord>().status, 'shipped', shipped.text);
      const lines = [{ order_id, action: 'refund', type: 'full', reason: 'other' }];
      const { results } = (await editor.post('/v1/orders/batch', lines)).json<{
        results: { result: string }[];
      }>();
      assert.deepEqual(
        results.map(({ result }) => result),
        ['updated'],
      );
      const entries = (await auditLogOf(service(), editor)).slice(0, 2);
      assert.deepEqual(
        entries.map(({ who, action, subject }) => [/^User/.test(who), action, subject]),
        [
          [true, 'order.refunded', String(order_id)],
          [true, 'order.fulfilled', String(order_id)],
        ],
      );
    });
  });

  describe('orders of two months in the console', () => {
    const service = useService(engine);

    it('are found by the customer’s name until its data is erased', async () => {
      // Sessions last less than two months.
      service().passTime(-40 * DAY_MS);
      const shop = await Shop.open(service());
      const { order_id: early } = await shop.push('M1', { customer_name: 'Quentin Early' });
      service().passTime(40 * DAY_MS);
      const { order_id: late } = await shop.push('M2', { customer_name: 'Quentin Late' });
      const editor = await signedIn(service(), shop.merchant, 'editor');
      const found = async (): Promise<number[]> => {
        const response = await editor.get('/orders/search?query=quentin');
        return response.json<OrderSearchPart>().orders.map(({ order_id }) => order_id);
      };
      assert.deepEqual(await found(), [late, early]);
      const redact = `/merchants/${shop.merchant.id}/orders/M1/redact`;
      const erased = await service().operator('POST', redact, shop.operatorToken, { json: {} });
      assert.equal(erased.status, 200, erased.text);
      assert.deepEqual(await found(), [late]);
      const words = await service().database.all(listWords, { merchantId: shop.merchant.id });
      assert.deepEqual(
        words.filter(({ order_id }) => order_id === early).map(({ word }) => word),
        ['id:vase-s'],
      );
    });
  });
});
