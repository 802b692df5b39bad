import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { useService } from '../support/service.ts';
import { Shop } from './orders-support.ts';

const shipment = { carrier: 'UPS', tracking_number: '1Z' };

forEachEngine((engine) => {
  const service = useService(engine);
  let shop: Shop;
  before(async () => {
    shop = await Shop.open(service());
  });

  async function changed(path: string, json: object): Promise<OrderRecord> {
    const response = await shop.put(path, json);
    assert.equal(response.status, 200, response.text);
    assert.equal(response.header('cache-control'), 'private, no-store');
    return response.json<OrderRecord>();
  }
  async function refused(path: string, json: object): Promise<string> {
    const response = await shop.put(path, json);
    assert.equal(response.status, 400, response.text);
    return response.message;
  }
  const redact = (name: string): Promise<ClientResponse> =>
    service().operator('POST', `/merchants/${shop.merchant.id}/orders/${name}/redact`, shop.operatorToken, {
      json: {},
    });

  describe('PUT …/state', () => {
    it('holds an order with a reason and releases it; repetitions change nothing', async () => {
      await shop.push('A1');
      const held = await changed('A1/state', { state: 'held', reason: 'address check' });
      assert.deepEqual([held.status, held.hold_reason], ['pending_verification', 'address check']);
      assert.deepEqual([held.can_fulfill, held.can_cancel, held.can_refund], [false, false, false]);
      service().passTime(1_000);
      assert.deepEqual(await changed('A1/state', { state: 'held', reason: 'address check' }), held);
      const other = await changed('A1/state', { state: 'held', reason: 'fraud check' });
      assert.equal(other.hold_reason, 'fraud check');
      const released = await changed('A1/state', { state: 'released' });
      assert.deepEqual([released.status, released.hold_reason, released.can_fulfill], ['paid', null, true]);
      assert.deepEqual(await changed('A1/state', { state: 'released' }), released);
    });

    it('merchants can do nothing with a held order: 400 names the reason', async () => {
      const { order_id } = await shop.push('A2');
      await changed('A2/state', { state: 'held', reason: 'address check' });
      for (const [action, input] of [
        ['acknowledge', {}],
        ['annotate', { annotation: 'x' }],
        ['fulfill', shipment],
        ['unfulfill', { package_id: 'x' }],
        ['refund', { type: 'full', reason: 'other' }],
        ['cancel', { reason: 'other' }],
      ] as const)
        assert.match(
          await shop.refused(action, { order_id, ...input }),
          /^order_id: the order \d+ is pending_verification and on hold \(address check\): do not ship it/,
          action,
        );
    });

    it('cancels an order in any status before it ships, with a refund that settles later', async () => {
      for (const status of ['unpaid', 'processing_payment', 'paid']) {
        const name = `B-${status}`;
        await shop.push(name, { status });
        const canceled = await changed(`${name}/state`, { state: 'canceled', reason: 'fraud' });
        assert.equal(canceled.status, 'canceled');
        assert.deepEqual(canceled.available_refunds, {});
        assert.deepEqual(
          canceled.refunds.map(({ state, amount, reason }) => [state, amount, reason]),
          [['requested', 35, 'fraud']],
        );
        assert.notEqual(canceled.canceled_at, null);
        assert.deepEqual(await changed(`${name}/state`, { state: 'canceled', reason: 'again' }), canceled);
      }
      await shop.push('B1');
      await changed('B1/state', { state: 'held', reason: 'check' });
      const canceled = await changed('B1/state', { state: 'canceled', reason: 'fraud' });
      assert.deepEqual([canceled.status, canceled.hold_reason], ['canceled', null]);
      assert.deepEqual(await changed('B1/state', { state: 'released' }), canceled);
    });

    it('an order of which nothing was paid is canceled without a refund', async () => {
      await shop.push('B2', { available_refunds: {} });
      const { status, refunds } = await changed('B2/state', { state: 'canceled', reason: 'gift' });
      assert.deepEqual([status, refunds], ['canceled', []]);
    });

    it('400: what has shipped or is over, and a missing reason', async () => {
      const { order_id } = await shop.push('C1', { product_quantity: 2 });
      await shop.change('fulfill', { order_id, ...shipment, quantity: 1 });
      assert.match(
        await refused('C1/state', { state: 'canceled', reason: 'x' }),
        /^state: the order \d+ is partly shipped; refund it instead/,
      );
      await shop.change('fulfill', { order_id, ...shipment, tracking_number: '2' });
      assert.match(await refused('C1/state', { state: 'canceled', reason: 'x' }), /is shipped; refund it/);
      assert.match(
        await refused('C1/state', { state: 'held', reason: 'x' }),
        /is shipped and cannot be held/,
      );
      for (const state of ['held', 'canceled'])
        assert.match(await refused('C1/state', { state }), /^reason: missing, expected why the order is/);
      assert.match(
        await refused('C1/state', { state: 'paid' }),
        /^state: expected one of held, released, canceled/,
      );
      expectError(
        await shop.put('NONE/state', { state: 'released' }),
        404,
        'There is no order with the ID NONE.',
      );
    });
  });

  describe('PUT …/packages/{package_id}', () => {
    it('reports what a carrier does; the merchant cannot change the package from then on', async () => {
      const { order_id } = await shop.push('D1', { product_quantity: 2 });
      await shop.change('fulfill', { order_id, ...shipment, package_id: 'box 1', quantity: 1 });
      for (const state of ['accepted', 'in_transit', 'untrackable', 'delivered']) {
        const { packages, status } = await changed('D1/packages/box%201', { state });
        assert.deepEqual([packages[0]?.state, status], [state, 'paid']);
      }
      const again = await changed('D1/packages/box%201', { state: 'delivered' });
      assert.equal(again.packages[0]?.state, 'delivered');
      assert.match(
        await shop.refused('unfulfill', { order_id, package_id: 'box 1' }),
        /is delivered and cannot be changed; it is ups 1Z/,
      );
      const repeated = await shop.change('fulfill', { order_id, ...shipment, package_id: 'box 1' });
      assert.deepEqual(repeated, again);
      expectError(
        await shop.put('D1/packages/other', { state: 'accepted' }),
        404,
        'The order has no package other.',
      );
      assert.match(
        await refused('D1/packages/box%201', { state: 'shipped' }),
        /^state: expected one of accepted, in_transit/,
      );
    });
  });

  it('IDs that merchants choose and that are longest by default can be named in a path', async () => {
    const { order_id } = await shop.push('P1', { product_quantity: 2 });
    const shipped = { carrier: 'other', carrier_name: 'c'.repeat(100), tracking_number: 't'.repeat(100) };
    const { packages } = await shop.change('fulfill', { order_id, ...shipped, quantity: 1 });
    const id = packages[0]?.package_id ?? '';
    assert.equal(id.length, 201);
    await changed(`P1/packages/${id}`, { state: 'accepted' });
    assert.match(await shop.refused('unfulfill', { order_id, package_id: id }), /is accepted/);
    const { order_id: stated } = await shop.push('P2', {
      status: 'shipped',
      carrier: 'c'.repeat(255),
      tracking_number: 't'.repeat(255),
    });
    await changed(`P2/packages/${'c'.repeat(255)}:${'t'.repeat(255)}`, { state: 'delivered' });
    for (const dots of ['.', '..'])
      for (const [action, fields] of [
        ['fulfill', { ...shipment, package_id: dots }],
        ['unfulfill', { package_id: dots }],
        ['refund', { type: 'full', reason: 'other', refund_id: dots }],
      ] as const)
        assert.match(await shop.refused(action, { order_id: stated, ...fields }), /that are not all periods/);
  });

  describe('PUT …/refunds/{refund_id}', () => {
    it('settles a refund once, and refund_amount counts it', async () => {
      const { order_id } = await shop.push('E1');
      await shop.change('refund', {
        order_id,
        type: 'partial',
        reason: 'other',
        fees: ['shipping_fee'],
        refund_id: 'r',
      });
      assert.equal((await shop.read('E1')).refund_amount, 0);
      const settled = await changed('E1/refunds/r', { state: 'settled' });
      assert.deepEqual(
        [settled.refund_amount, settled.refunds[0]?.state, settled.status],
        [5, 'settled', 'paid'],
      );
      assert.deepEqual(await changed('E1/refunds/r', { state: 'settled' }), settled);
      assert.match(
        await refused('E1/refunds/r', { state: 'failed', failure: 'x' }),
        /^state: the refund r is settled, which is final/,
      );
    });

    it('fails a refund with a reason: its fees can be refunded again, and the status returns', async () => {
      const { order_id } = await shop.push('E2');
      await shop.change('fulfill', { order_id, ...shipment });
      const refunded = await shop.change('refund', { order_id, type: 'full', reason: 'untrackable' });
      assert.deepEqual([refunded.status, refunded.can_refund], ['refunded', false]);
      assert.notEqual(refunded.refunded_at, null);
      const failed = await changed('E2/refunds/refund-1', { state: 'failed', failure: 'card expired' });
      assert.deepEqual([failed.status, failed.refunded_at, failed.can_refund], ['shipped', null, true]);
      assert.deepEqual([failed.refunds[0]?.state, failed.refunds[0]?.failure], ['failed', 'card expired']);
      assert.deepEqual(failed.available_refunds, { buyer_fee: 30, shipping_fee: 5 });
      const again = await shop.change('refund', { order_id, type: 'full', reason: 'untrackable' });
      assert.deepEqual(
        again.refunds.map(({ refund_id, state }) => [refund_id, state]),
        [
          ['refund-1', 'failed'],
          ['refund-2', 'requested'],
        ],
      );
    });

    it('a canceled order of which the refund failed can be shipped again', async () => {
      const { order_id } = await shop.push('E3');
      await shop.change('cancel', { order_id, reason: 'out_of_stock' });
      const failed = await changed('E3/refunds/refund-1', { state: 'failed', failure: 'x' });
      assert.deepEqual([failed.status, failed.canceled_at, failed.can_fulfill], ['paid', null, true]);
    });

    it('a canceled order of which the refund failed takes its units again, or is on hold if they are sold', async () => {
      const stockOf = (): Promise<number | undefined> => shop.stockOf('VASE-S');
      const units = (await stockOf()) ?? 0;
      for (const [name, rest, expected] of [
        ['E6', 1, ['paid', null]],
        ['E7', 0, ['pending_verification', 'oversold']],
      ] as const) {
        const { order_id } = await shop.push(name, { stock: 'reserve', product_quantity: 1 });
        await shop.change('cancel', { order_id, reason: 'out_of_stock' });
        const quantity = String(rest);
        const form = { identifier: 'VASE-S', quantity, access_token: shop.token };
        assert.equal((await service().request('POST', '/variations/update', { form })).status, 200);
        const failed = await changed(`${name}/refunds/refund-1`, { state: 'failed', failure: 'x' });
        assert.deepEqual([failed.status, failed.hold_reason], expected);
        assert.equal(await stockOf(), 0);
        const refill = { ...form, quantity: String(units) };
        assert.equal((await service().request('POST', '/variations/update', { form: refill })).status, 200);
      }
    });

    it('a held order that was canceled is not on hold again when the refund fails', async () => {
      await shop.push('E4', { status: 'unpaid' });
      await changed('E4/state', { state: 'held', reason: 'check' });
      await changed('E4/state', { state: 'canceled', reason: 'fraud' });
      const failed = await changed('E4/refunds/refund-1', { state: 'failed', failure: 'x' });
      assert.deepEqual([failed.status, failed.hold_reason], ['unpaid', null]);
    });

    it('400: a failure without a reason; 404: a refund that the order does not have', async () => {
      await shop.push('E5');
      expectError(await shop.put('E5/refunds/r', { state: 'settled' }), 404, 'The order has no refund r.');
      assert.match(
        await refused('E5/refunds/r', { state: 'failed' }),
        /^failure: missing, expected why the refund failed/,
      );
      assert.match(
        await refused('E5/refunds/r', { state: 'requested' }),
        /^state: expected one of settled, failed/,
      );
    });
  });

  describe('POST …/redact', () => {
    it('erases name, address lines, city and postal code for good, once', async () => {
      const { order_id } = await shop.push('F1', { address2: 'Floor 2' });
      const first = await redact('F1');
      assert.equal(first.status, 200, first.text);
      const { customer_name, address1, address2, city, postal_code, ...others } = first.json<OrderRecord>();
      assert.deepEqual([customer_name, address1, address2, city, postal_code], Array(5).fill(null));
      assert.deepEqual([others.state, others.country, others.customer_hidden], ['CA', 'USA', false]);
      assert.notEqual(others.redacted_at, null);
      service().passTime(1_000);
      assert.deepEqual((await redact('F1')).json(), first.json());
      assert.deepEqual(await shop.retrieve(order_id), first.json());
      expectError(await redact('NONE'), 404, 'There is no order with the ID NONE.');
    });

    it('an erased order can be shipped and refunded as before', async () => {
      const { order_id } = await shop.push('F2');
      await redact('F2');
      assert.equal((await shop.change('fulfill', { order_id, ...shipment })).status, 'shipped');
      const refunded = await shop.change('refund', { order_id, type: 'full', reason: 'other' });
      assert.deepEqual([refunded.status, refunded.customer_name], ['refunded', null]);
    });
  });
});
