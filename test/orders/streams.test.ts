import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { StreamSummary } from '../../src/operator/streams/stream-schema.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import type { ScheduleList } from '../../src/sales/list-schedules.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { useService } from '../support/service.ts';
import { type Streamed, streamLines, textOf } from '../support/streams.ts';
import { Shop } from './orders-support.ts';

const sold = { product_identifier: 'VASE', variation_identifier: 'VASE-S' };

forEachEngine((engine) => {
  const service = useService(engine);
  let shop: Shop;
  before(async () => {
    shop = await Shop.open(service());
  });

  const post = (objects: readonly unknown[], of = shop): Promise<ClientResponse> =>
    service().operator('POST', `/merchants/${of.merchant.id}/orders`, of.operatorToken, {
      body: textOf(objects),
      headers: { 'content-type': 'application/x-ndjson' },
    });
  async function posted(objects: readonly unknown[]): Promise<StreamSummary> {
    const response = await post(objects);
    assert.equal(response.status, 200, response.text);
    return response.json<StreamSummary>();
  }
  /** Without the process that the service would start. */
  const stream = (objects: readonly unknown[], { merchant } = shop): Promise<Streamed> =>
    streamLines(service(), merchant, 'orders', objects);
  const countsOf = ({
    created,
    updated,
    unchanged,
    rejected,
  }: Pick<Streamed, 'created' | 'updated' | 'unchanged' | 'rejected'>): number[] => [
    created,
    updated,
    unchanged,
    rejected,
  ];

  describe('POST merchants/{external_id}/orders', () => {
    it('creates orders with their customers, and changes nothing if the same lines are sent again', async () => {
      const sent = Array.from({ length: 300 }, (_, index) => ({
        external_id: `A-${index}`,
        ...sold,
        customer_name: `Customer ${index}`,
        available_refunds: { buyer_fee: index },
      }));
      assert.deepEqual(countsOf(await posted(sent)), [300, 0, 0, 0]);
      assert.deepEqual(countsOf(await stream(sent)), [0, 0, 300, 0]);
      const order = await shop.read('A-7');
      assert.deepEqual(
        [order.customer_name, order.available_refunds, order.status],
        ['Customer 7', { buyer_fee: 7 }, 'paid'],
      );
      const changed = sent.slice(0, 5).map(({ external_id }) => ({ external_id, city: 'Graz' }));
      assert.deepEqual(countsOf(await stream(changed)), [0, 5, 0, 0]);
      const { customer_name, city } = await shop.read('A-4');
      assert.deepEqual([customer_name, city], ['Customer 4', 'Graz']);
    });

    it('reports each line that cannot be used with its field and the reason, and stores the others', async () => {
      const response = await posted([
        { external_id: 'B-1', ...sold, order_id: 5_000 },
        { external_id: 'B-2', ...sold, order_id: 5_000 },
        { ...sold },
        { external_id: 'B-3' },
        { external_id: 'B-4', product_identifier: 'LAMP' },
        { external_id: 'B-5', ...sold, status: 'lost', country: 'US' },
        { external_id: 'B-6', ...sold, status: 'shipped' },
        { external_id: ' B-7', ...sold },
        { external_id: 'B-8', ...sold, color: 'red' },
        '{"external_id": ',
        '[]',
        { external_id: 'B-9', ...sold },
      ]);
      assert.deepEqual(countsOf(response), [2, 0, 0, 10]);
      assert.deepEqual(
        response.rejections
          .toSorted((one, other) => one.line - other.line)
          .map(({ line, name }) => [line, name]),
        [
          [2, 'order_id'],
          [3, 'external_id'],
          [4, 'product_identifier'],
          [5, 'product_identifier'],
          [6, 'status'],
          [6, 'country'],
          [7, 'carrier'],
          [8, 'external_id'],
          [9, 'color'],
          [10, null],
          [11, null],
        ],
      );
      assert.equal((await shop.read('B-9')).order_id, 5_001);
    });

    it('an old line does not stop a stream, whatever has become of the order', async () => {
      const { order_id } = await shop.push('C-1');
      await shop.change('cancel', { order_id, reason: 'other' });
      await shop.push('C-2');
      await shop.put('C-2/state', { state: 'held', reason: 'check' });
      const shipped = { status: 'shipped', carrier: 'UPS', tracking_number: '1' };
      const response = await stream([
        { external_id: 'C-1', ...shipped },
        { external_id: 'C-1', status: 'paid' },
        { external_id: 'C-2', ...shipped },
        { external_id: 'C-3', ...sold },
      ]);
      assert.deepEqual(countsOf(response), [1, 0, 2, 1]);
      assert.deepEqual(
        response.rejections.map(({ line, column }) => [line, column]),
        [[3, 'status']],
      );
    });

    it('of the same order several times in a stream, each line adds to the ones before', async () => {
      await stream([
        { external_id: 'D-1', ...sold, status: 'unpaid', customer_name: 'First' },
        { external_id: 'D-1', status: 'paid', city: 'Graz' },
        { external_id: 'D-1', status: 'processing_payment', customer_name: 'Last' },
      ]);
      const { status, customer_name, city } = await shop.read('D-1');
      assert.deepEqual([status, customer_name, city], ['paid', 'Last', 'Graz']);
    });

    it('reserves stock once per order, in each line', async () => {
      const own = await Shop.open(service());
      const sent = ['E-1', 'E-2', 'E-3'].map((external_id) => {
        return { external_id, ...sold, product_quantity: 2, stock: 'reserve' };
      });
      await stream(sent, own);
      await stream(sent, own);
      assert.equal(await own.stockOf('VASE-S'), 1);
      assert.deepEqual(
        (await own.list({ sort: 'id_asc' })).map(({ hold_reason }) => hold_reason),
        [null, null, 'oversold'],
      );
      await stream([{ external_id: 'E-1', status: 'canceled' }], own);
      assert.equal(await own.stockOf('VASE-S'), 3);
    });

    it('accepts orders as they are listed, which changes nothing', async () => {
      const own = await Shop.open(service());
      await own.push('F-1', {
        order_id: 30,
        product_quantity: 2,
        customer_id: 'c',
        upsells: [{ type_description: 'Gift', amount: 2 }],
      });
      await own.change('fulfill', { order_id: 30, carrier: 'UPS', tracking_number: '1', quantity: 1 });
      await own.change('refund', {
        order_id: 30,
        type: 'partial',
        reason: 'other',
        fees: ['shipping_fee'],
        refund_id: 'a',
      });
      await own.change('acknowledge', { order_id: 30, merchant_order_id: 'SO-1' });
      await own.push('F-2');
      await own.put('F-2/state', { state: 'held', reason: 'check' });
      await own.push('F-3', { status: 'canceled' });
      const listed = await own.list();
      assert.deepEqual(countsOf(await stream(listed, own)), [0, 0, 3, 0]);
      const hidden = listed.map((order) => ({
        ...order,
        customer_name: null,
        city: null,
        customer_hidden: true,
      }));
      assert.deepEqual(countsOf(await stream(hidden, own)), [0, 0, 3, 0]);
      assert.deepEqual(await own.list(), listed);
    });

    it('404, 409, 401 and 403: no such merchant, a suspended one, and keys that may not', async () => {
      const path = (id: string) => `/merchants/${id}/orders`;
      const sent = { body: '', headers: { 'content-type': 'application/x-ndjson' } };
      expectError(await service().operator('POST', path('nobody'), shop.operatorToken, sent), 404, /nobody/);
      const other = await Shop.open(service());
      await service().operator('PUT', `/merchants/${other.merchant.id}`, other.operatorToken, {
        json: { state: 'suspended' },
      });
      assert.equal((await post([{ external_id: 'X', ...sold }], other)).status, 409);
      assert.equal(
        (await service().operator('POST', path(String(shop.merchant.id)), shop.token, sent)).status,
        401,
      );
      const limited = await service().newOperatorToken(['merchants', 'catalog', 'campaigns', 'events']);
      const refused = await service().operator('POST', path(String(shop.merchant.id)), limited, sent);
      expectError(refused, 403, /does not have the scope orders/);
    });
  });

  async function changes<List>(of: Shop, kind: 'orders' | 'schedules'): Promise<List[]> {
    const query = { changed_since: 'start' };
    const ofMerchant = await service().get(`/${kind}`, of, query);
    const path = `/merchants/${of.merchant.id}/${kind}?changed_since=start`;
    const ofOperator = await service().operator('GET', path, of.operatorToken);
    return [ofMerchant, ofOperator].map((response) => response.json<List>());
  }

  it('a schedule names its order before the order exists, and merchants and the operator see it', async () => {
    const own = await Shop.open(service());
    const sale = {
      product_identifier: 'VASE',
      scheduled_at: '2026-01-05T18:00:00Z',
      sold: true,
      sale_price: 9,
    };
    const counts = async (line: object): Promise<number[]> => {
      const { created, updated, unchanged } = await streamLines(service(), own.merchant, 'schedules', [
        { schedule_id: 'S', ...line },
      ]);
      return [created, updated, unchanged];
    };
    assert.deepEqual(await counts({ ...sale, order_id: 70 }), [1, 0, 0]);
    assert.deepEqual(await counts(sale), [0, 0, 1]);
    for (const { results } of await changes<ScheduleList>(own, 'schedules')) {
      assert.equal(results[0]?.order_id, 70);
      assert.deepEqual(Object.keys(results[0] ?? {}).slice(-2), ['order_id', 'placement_id']);
    }
    const { order_id } = await own.push('A1', { order_id: 70 });
    const months = (await service().get('/performance/sales', own)).json<object[]>();
    assert.deepEqual(Object.keys(months[0] ?? {}), [
      'month',
      'schedules',
      'sell_rate',
      'asp',
      'product_rating',
      'total_sales',
    ]);
    assert.deepEqual(await counts({ ...sale, order_id: null }), [0, 1, 0]);
    for (const { results } of await changes<ScheduleList>(own, 'schedules'))
      assert.equal(results[0]?.order_id, null);
    assert.equal((await own.retrieve(order_id)).order_id, 70);
  });

  it('an order names its placement, in a push and in a stream, and null clears it', async () => {
    const own = await Shop.open(service());
    assert.equal((await own.push('B1', { placement_id: 'p-1' })).placement_id, 'p-1');
    await stream([{ external_id: 'B2', product_identifier: 'VASE', placement_id: 'p-2' }], own);
    await stream([{ external_id: 'B1', service_type: 'Express' }], own);
    for (const { results } of await changes<{ results: OrderRecord[] }>(own, 'orders'))
      assert.deepEqual(
        results.map(({ external_id, placement_id }) => [external_id, placement_id]),
        [
          ['B2', 'p-2'],
          ['B1', 'p-1'],
        ],
      );
    assert.equal((await own.push('B1', { placement_id: null })).placement_id, null);
  });
});
