import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Scope, scopes } from '../../src/api-keys/scopes.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { createKey } from '../support/keys.ts';
import { useService } from '../support/service.ts';
import { Shop } from './orders-support.ts';

const shipment = { carrier: 'UPS', tracking_number: '1' };

forEachEngine((engine) => {
  const service = useService(engine);
  let shop: Shop;
  let order: OrderRecord;
  before(async () => {
    shop = await Shop.open(service());
    order = await shop.push('A1');
  });

  const without = async (scope: Scope): Promise<string> => {
    const granted = scopes.filter((each) => each !== scope);
    const key = { merchantId: shop.merchant.id, name: `no ${scope}`, expiresAt: null, scopes: granted };
    return (await createKey(service(), key)).token;
  };

  describe('a key', () => {
    it('without orders reads no order: 401 with the token in the query, 403 with Authorization: Bearer', async () => {
      const token = await without('orders');
      const headers = { authorization: `Bearer ${token}` };
      for (const path of [
        '/orders',
        '/orders?changed_since=start',
        `/orders/retrieve?order_id=${order.order_id}`,
        `/orders/history?order_id=${order.order_id}`,
        '/orders/schema',
      ]) {
        const separator = path.includes('?') ? '&' : '?';
        const inQuery = await service().request('GET', `${path}${separator}access_token=${token}`);
        expectError(inQuery, 401, /does not have the scope orders/);
        expectError(await service().request('GET', path, { headers }), 403, /does not have the scope orders/);
      }
    });

    it('without fulfillment changes no order: 401 in post data, 403 with Authorization: Bearer', async () => {
      const token = await without('fulfillment');
      const { order_id } = order;
      for (const [path, input] of [
        ['acknowledge', { order_id }],
        ['annotate', { order_id, annotation: 'x' }],
        ['fulfill', { order_id, ...shipment }],
        [`${order_id}/fulfill`, shipment],
        ['unfulfill', { order_id, package_id: 'ups:1' }],
        ['refund', { order_id, type: 'full', reason: 'other' }],
        ['cancel', { order_id, reason: 'other' }],
      ] as const) {
        const form = Object.fromEntries(
          Object.entries({ ...input, access_token: token }).map(([name, value]) => [name, String(value)]),
        );
        const inForm = await service().request('POST', `/orders/${path}`, { form });
        expectError(inForm, 401, /does not have the scope fulfillment/);
        expectError(await shop.post(path, input, token), 403, /does not have the scope fulfillment/);
      }
      const lines = [{ order_id, action: 'cancel', reason: 'other' }];
      expectError(await shop.post('batch', lines, token), 403, /does not have the scope fulfillment/);
      assert.deepEqual(await shop.retrieve(order_id), order);
      assert.equal((await shop.retrieve(order_id, token)).customer_name, 'A. Customer');
    });

    it('without customers sees no name and no address, in any response', async () => {
      const token = await without('customers');
      const { order_id } = await shop.push('A2');
      const responses = [
        await service().get('/orders', { token }),
        await service().get('/orders', { token }, { order_ids: String(order_id) }),
        await service().get('/orders', { token }, { changed_since: 'start' }),
        await service().get('/orders/retrieve', { token }, { order_id: String(order_id) }),
        await service().get('/orders/history', { token }, { order_id: String(order_id) }),
        await shop.post('acknowledge', { order_id }, token),
        await shop.post('annotate', { order_id, annotation: 'x' }, token),
        await shop.post('fulfill', { order_id, ...shipment }, token),
        await shop.post('unfulfill', { order_id, package_id: 'ups:1' }, token),
        await shop.post('batch', [{ order_id, action: 'annotate', annotation: 'y' }], token),
        await shop.post('refund', { order_id, type: 'full', reason: 'other' }, token),
      ];
      for (const { status, text, headers } of responses) {
        assert.equal(status, 200, text);
        assert.doesNotMatch(text, /A\. Customer|Main Street|Springfield|90210/);
        assert.equal(headers['cache-control'], 'private, no-store');
      }
      const { customer_hidden, customer_name, state, country } = await shop.retrieve(order_id, token);
      assert.deepEqual([customer_hidden, customer_name, state, country], [true, null, 'CA', 'USA']);
      assert.equal((await shop.retrieve(order_id)).customer_hidden, false);
      const path = `/merchants/${shop.merchant.id}/orders/A2/redact`;
      assert.equal((await service().operator('POST', path, shop.operatorToken, { json: {} })).status, 200);
      const erased = [await shop.retrieve(order_id, token), await shop.retrieve(order_id)];
      assert.deepEqual(
        erased.map(({ customer_hidden: isHidden, redacted_at: at }) => [isHidden, at !== null]),
        [
          [true, true],
          [false, true],
        ],
      );
    });

    it('a new key may read and change orders, without names and addresses', async () => {
      const { token } = await createKey(service(), {
        merchantId: shop.merchant.id,
        name: 'new',
        expiresAt: null,
      });
      assert.equal((await shop.retrieve(order.order_id, token)).customer_hidden, true);
      assert.equal((await shop.post('acknowledge', { order_id: order.order_id }, token)).status, 200);
    });
  });

  it('another merchant’s orders do not exist, for calls, batches and lists', async () => {
    const other = await Shop.open(service());
    const { order_id } = await other.push('B1', { order_id: 900_001 });
    const unchanged = await other.retrieve(order_id);
    for (const [path, input] of [
      ['acknowledge', { order_id }],
      ['annotate', { order_id, annotation: 'x' }],
      ['fulfill', { order_id, ...shipment }],
      [`${order_id}/fulfill`, shipment],
      ['unfulfill', { order_id, package_id: 'ups:1' }],
      ['refund', { order_id, type: 'full', reason: 'other' }],
      ['cancel', { order_id, reason: 'other' }],
    ] as const)
      expectError(await shop.post(path, input), 404, 'There is no order with the ID 900001.');
    const lines = [
      { order_id, action: 'cancel', reason: 'other' },
      { order_id: order.order_id, action: 'annotate', annotation: 'mine' },
    ];
    const batch = (await shop.post('batch', lines)).json<{
      results: { result: string; errors: object[] }[];
    }>();
    assert.deepEqual(
      batch.results.map(({ result, errors }) => [result, errors]),
      [
        ['rejected', [{ name: 'order_id', reason: 'There is no order with the ID 900001.' }]],
        ['updated', []],
      ],
    );
    assert.deepEqual(await shop.list({ order_ids: String(order_id) }), []);
    const history = await service().get('/orders/history', shop, { order_id: String(order_id) });
    expectError(history, 404, 'There is no order with the ID 900001.');
    assert.deepEqual(await other.retrieve(order_id), unchanged);
    // The same IDs, of another order.
    const own = await shop.push('B1', { order_id: 900_001, product_quantity: 2 });
    assert.deepEqual([own.order_id, own.product_quantity], [order_id, 2]);
    assert.deepEqual(await other.retrieve(order_id), unchanged);
  });
});
