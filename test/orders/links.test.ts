import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import type { ScheduleList } from '../../src/sales/list-schedules.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { type Streamed, streamLines } from '../support/streams.ts';
import { Shop } from './orders-support.ts';

forEachEngine((engine) => {
  const service = useService(engine);

  const stream = ({ merchant }: Shop, kind: 'orders' | 'schedules', line: object): Promise<Streamed> =>
    streamLines(service(), merchant, kind, [line]);

  async function changes<List>(shop: Shop, kind: 'orders' | 'schedules'): Promise<List[]> {
    const query = { changed_since: 'start' };
    const ofMerchant = await service().get(`/${kind}`, shop, query);
    const path = `/merchants/${shop.merchant.id}/${kind}?changed_since=start`;
    const ofOperator = await service().operator('GET', path, shop.operatorToken);
    return [ofMerchant, ofOperator].map((response) => response.json<List>());
  }

  it('a schedule names its order before the order exists, and merchants and the operator see it', async () => {
    const shop = await Shop.open(service());
    const sale = {
      product_identifier: 'VASE',
      scheduled_at: '2026-01-05T18:00:00Z',
      sold: true,
      sale_price: 9,
    };
    const counts = async (line: object): Promise<number[]> => {
      const { created, updated, unchanged } = await stream(shop, 'schedules', { schedule_id: 'S', ...line });
      return [created, updated, unchanged];
    };
    assert.deepEqual(await counts({ ...sale, order_id: 70 }), [1, 0, 0]);
    assert.deepEqual(await counts(sale), [0, 0, 1]);
    for (const { results } of await changes<ScheduleList>(shop, 'schedules')) {
      assert.equal(results[0]?.order_id, 70);
      assert.deepEqual(Object.keys(results[0] ?? {}).slice(-2), ['order_id', 'placement_id']);
    }
    const { order_id } = await shop.push('A1', { order_id: 70 });
    const months = (await service().get('/performance/sales', shop)).json<object[]>();
    assert.deepEqual(Object.keys(months[0] ?? {}), [
      'month',
      'schedules',
      'sell_rate',
      'asp',
      'product_rating',
      'total_sales',
    ]);
    assert.deepEqual(await counts({ ...sale, order_id: null }), [0, 1, 0]);
    for (const { results } of await changes<ScheduleList>(shop, 'schedules'))
      assert.equal(results[0]?.order_id, null);
    assert.equal((await shop.retrieve(order_id)).order_id, 70);
  });

  it('an order names its placement, in a push and in a stream, and null clears it', async () => {
    const shop = await Shop.open(service());
    assert.equal((await shop.push('B1', { placement_id: 'p-1' })).placement_id, 'p-1');
    await stream(shop, 'orders', { external_id: 'B2', product_identifier: 'VASE', placement_id: 'p-2' });
    await stream(shop, 'orders', { external_id: 'B1', service_type: 'Express' });
    for (const { results } of await changes<{ results: OrderRecord[] }>(shop, 'orders'))
      assert.deepEqual(
        results.map(({ external_id, placement_id }) => [external_id, placement_id]),
        [
          ['B2', 'p-2'],
          ['B1', 'p-1'],
        ],
      );
    assert.equal((await shop.push('B1', { placement_id: null })).placement_id, null);
  });
});
