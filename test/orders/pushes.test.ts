import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { MAX_ORDER_ID, orderStatuses } from '../../src/orders/record/order.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { useService } from '../support/service.ts';
import { Shop } from './orders-support.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

forEachEngine((engine) => {
  const service = useService(engine);
  let shop: Shop;
  before(async () => {
    shop = await Shop.open(service());
  });

  describe('PUT merchants/{external_id}/orders/{order}', () => {
    it('201 for a new order, with what was stated; 200 and nothing changed for a repetition', async () => {
      const stated = {
        order_id: 4711,
        product_identifier: 'VASE',
        variation_identifier: 'VASE-L',
        product_name: 'Vase, blue',
        product_quantity: 2,
        customer_id: 'c-1',
        customer_name: 'B. Buyer',
        address1: '2 Side Street',
        address2: 'Floor 3',
        city: 'Graz',
        state: null,
        postal_code: '8010',
        country: 'AUT',
        available_refunds: { buyer_fee: 399, shipping_fee: 3 },
        disbursement_amount: 350.5,
        seller_fees: [{ type: 'commission', amount: 48.5 }],
        upsells: [{ type_description: 'Gift wrap', amount: 3, description: null }],
        related_order_ids: [4712],
        service_type: 'Ground',
        fulfillment_partner: 'warehouse',
        fulfillment_due_date: '2027-01-05T12:00:00Z',
        created_at: '2026-12-31T10:00:00Z',
        paid_at: '2026-12-31T10:05:00Z',
        placement_id: 'p-1',
      };
      const first = await shop.put('MP-1', stated);
      assert.equal(first.status, 201, first.text);
      assert.equal(first.header('cache-control'), 'private, no-store');
      const record = first.json<Record<string, unknown>>();
      const { product_internal_id, variation_internal_id, updated_at, ...others } = record;
      assert.deepEqual(others, {
        ...stated,
        external_id: 'MP-1',
        status: 'paid',
        carrier: null,
        tracking_number: null,
        refund_amount: 0,
        seller_fees_amount: 48.5,
        annotation: null,
        refunded_at: null,
        canceled_at: null,
        merchant_order_id: null,
        acknowledged_at: null,
        can_fulfill: true,
        can_cancel: true,
        can_refund: true,
        shipped_quantity: 0,
        packages: [],
        refunds: [],
        hold_reason: null,
        redacted_at: null,
        customer_hidden: false,
      });
      assert.ok(Number(product_internal_id) > 0 && Number(variation_internal_id) > 0);
      service().passTime(5_000);
      const again = await shop.put('MP-1', stated);
      assert.deepEqual([again.status, again.json()], [200, record]);
      assert.equal(again.header('cache-control'), 'private, no-store');
      assert.deepEqual(await shop.retrieve(4711), record);
    });

    it('responds to a change with the order, whatever If-None-Match says', async () => {
      const path = `/merchants/${shop.merchant.id}/orders/INM`;
      const options = { json: { product_identifier: 'VASE' }, headers: { 'if-none-match': '*' } };
      for (const status of [201, 200]) {
        const response = await service().operator('PUT', path, shop.operatorToken, options);
        assert.equal(response.status, status, response.text);
        assert.equal(response.json<OrderRecord>().external_id, 'INM');
      }
    });

    it('takes the name and the price of the sale, which stay when the product changes', async () => {
      const { product_name } = await shop.push('N1');
      assert.equal(product_name, 'Vase');
      await importDrafts(service(), shop.merchant, [[draft('VASE', { title: 'Renamed' })]]);
      assert.equal((await shop.push('N1', { customer_id: 'c' })).product_name, 'Vase');
      assert.equal((await shop.push('N2')).product_name, 'Renamed');
      await importDrafts(service(), shop.merchant, [[draft('VASE', { title: 'Vase' })]]);
    });

    it('changes the fields that are sent and keeps the others; null clears a field', async () => {
      const before = await shop.push('C1', { customer_id: 'c-1', placement_id: 'p', address2: 'Floor 2' });
      service().passTime(1_000);
      const response = await shop.put('C1', { customer_id: null, city: 'Shelbyville', address2: null });
      assert.equal(response.status, 200, response.text);
      const { updated_at, ...after } = response.json<typeof before>();
      const { updated_at: earlier, ...kept } = before;
      assert.deepEqual(after, { ...kept, customer_id: null, city: 'Shelbyville', address2: null });
      assert.ok(updated_at > earlier);
    });

    it('an order without an ID gets the next one; a merchant’s IDs are its own', async () => {
      const own = await Shop.open(service());
      const ids = [];
      for (const [name, fields] of [
        ['I1', {}],
        ['I2', { order_id: 700 }],
        ['I3', {}],
        ['I4', { order_id: 5 }],
        ['I5', { order_id: null }],
      ] as const)
        ids.push((await own.push(name, fields)).order_id);
      assert.deepEqual(ids, [1, 700, 701, 5, 702]);
      assert.equal((await shop.push('I2', { order_id: 700 })).order_id, 700);
    });

    it('400: an ID that another order has, or that no signed 32-bit number is', async () => {
      const own = await Shop.open(service());
      await own.push('T1', { order_id: 9 });
      assert.match(
        await own.pushRefused('T2', { product_identifier: 'VASE', order_id: 9 }),
        /^order_id: another order of the merchant has this ID/,
      );
      for (const order_id of [0, -1, 1.5, MAX_ORDER_ID + 1, '7'])
        assert.match(
          await own.pushRefused('T3', { product_identifier: 'VASE', order_id }),
          /^order_id: expected a whole number from 1 to 2147483647/,
        );
      await own.push('T4', { order_id: MAX_ORDER_ID });
      assert.match(
        await own.pushRefused('T5', { product_identifier: 'VASE' }),
        /^order_id: missing, expected an unused number, because 2147483647 is taken/,
      );
      assert.equal((await own.push('T6', { order_id: 10 })).order_id, 10);
    });

    it('400: a product or variation that does not exist, or no product', async () => {
      for (const [fields, message] of [
        [{}, /^product_identifier: missing, expected the identifier of the product that was sold/],
        [
          { product_identifier: 'LAMP' },
          /^product_identifier: no product has this identifier; import the products/,
        ],
        [
          { product_identifier: 'VASE', variation_identifier: 'VASE-XL' },
          /^variation_identifier: the product VASE has no variation with this identifier/,
        ],
      ] as const)
        assert.match(await shop.pushRefused('U1', fields), message);
      const path = `/merchants/${shop.merchant.id}/orders/U1`;
      expectError(
        await service().operator('GET', path, shop.operatorToken),
        404,
        /^There is no order with the ID U1\.$/,
      );
    });

    it('accepts an order of a product that was deleted meanwhile', async () => {
      const own = await Shop.open(service());
      const { token: access_token } = own;
      const deleted = await service().request('POST', '/products/delete', {
        form: { access_token, identifier: 'VASE' },
      });
      assert.equal(deleted.status, 200);
      const order = await own.push('D1', { stock: 'reserve' });
      assert.deepEqual([order.status, order.product_name], ['paid', 'Vase']);
      const product = (await service().get('/products/retrieve', own, { identifier: 'VASE' })).json<{
        status: string;
      }>();
      assert.equal(product.status, 'deleted');
    });

    it('null clears what may be empty, and otherwise counts as missing or is refused', async () => {
      const cleared = {
        customer_id: null,
        fulfillment_due_date: null,
        disbursement_amount: null,
        city: null,
      };
      await shop.push('Z1', {
        customer_id: 'c',
        fulfillment_due_date: '2027-01-01T00:00:00Z',
        disbursement_amount: 3,
      });
      const { customer_id, fulfillment_due_date, disbursement_amount, city } = await shop.push('Z1', cleared);
      assert.deepEqual({ customer_id, fulfillment_due_date, disbursement_amount, city }, cleared);
      const kept = { status: null, stock: null, available_refunds: null, seller_fees: null, upsells: null };
      const { status, available_refunds, refunds } = await shop.push('Z1', {
        ...kept,
        product_quantity: null,
      });
      assert.deepEqual(
        [status, available_refunds, refunds],
        ['paid', { buyer_fee: 30, shipping_fee: 5 }, []],
      );
      assert.equal((await shop.push('Z2', { ...kept, available_refunds: {} })).status, 'paid');
      assert.match(await shop.pushRefused('Z3', { product_identifier: null }), /^product_identifier: /);
    });

    it('400: what was sold is fixed when the order is created', async () => {
      await shop.push('X1', { order_id: 800, product_quantity: 2 });
      for (const [fields, message] of [
        [
          { order_id: 801 },
          /^order_id: fixed when the order was created: expected 800; cancel the order and push/,
        ],
        [{ product_identifier: 'LAMP' }, /^product_identifier: fixed .* expected VASE/],
        [{ variation_identifier: 'VASE-L' }, /^variation_identifier: fixed .* expected VASE-S/],
        [{ product_quantity: 3 }, /^product_quantity: fixed .* expected 2/],
      ] as const)
        assert.match(await shop.pushRefused('X1', fields), message);
      const both = await shop.pushRefused('X1', { order_id: 801, product_quantity: 3 });
      assert.match(both, /order_id: .*product_quantity: /);
    });

    it('400: names every field with a wrong value and what was expected', async () => {
      for (const [fields, message] of [
        [{ status: 'on_hold' }, /^status: expected one of unpaid, /],
        [{ country: 'US' }, /^country: expected an ISO 3166-1 alpha-3 code/],
        [
          { available_refunds: { 'Buyer fee': 1 } },
          /^available_refunds: expected an object of amounts by the names/,
        ],
        [{ available_refunds: { buyer_fee: -1 } }, /^available_refunds: /],
        [{ available_refunds: { buyer_fee: '1' } }, /^available_refunds: /],
        [{ available_refunds: [] }, /^available_refunds: /],
        [{ seller_fees: [{ type: 'x' }] }, /^seller_fees: expected a list/],
        [{ seller_fees: [{ type: 'x', amount: 1, extra: 1 }] }, /^seller_fees: expected a list/],
        [{ upsells: [{ amount: 1 }] }, /^upsells: expected a list/],
        [{ upsells: [{ amount: 1, type_description: 'a\0' }] }, /^upsells: expected a list/],
        [{ related_order_ids: [0] }, /^related_order_ids: expected a list/],
        [{ fulfillment_due_date: '2026-01-01' }, /^fulfillment_due_date: expected an RFC 3339 time/],
        [{ product_quantity: 0 }, /^product_quantity: expected a whole number from 1/],
        [{ stock: 'take' }, /^stock: expected reserve or none/],
        [{ customer_name: 'x'.repeat(256) }, /^customer_name: /],
        [{ customer_name: { first: 'A' } }, /^customer_name: /],
        [{ packages: [] }, /^The following parameters were provided but are not recognized: packages\.$/],
      ] as const)
        assert.match(await shop.pushRefused('W1', { product_identifier: 'VASE', ...fields }), message);
      const response = await shop.put('a/b', { product_identifier: 'VASE' });
      assert.ok([400, 404].includes(response.status));
      assert.match(
        (await shop.put(encodeURIComponent('a?b'), { product_identifier: 'VASE' })).message,
        /1 to 100 letters/,
      );
    });

    it('moves the status forward only: an old push changes nothing of it', async () => {
      const { paid_at } = await shop.push('S1', { status: 'unpaid' });
      assert.equal(paid_at, null);
      for (const [status, expected] of [
        ['processing_payment', 'processing_payment'],
        ['unpaid', 'processing_payment'],
        ['pending_consolidation_decision', 'pending_consolidation_decision'],
        ['processing_payment', 'pending_consolidation_decision'],
        ['paid', 'paid'],
        ['pending_verification', 'paid'],
        ['unpaid', 'paid'],
      ] as const)
        assert.equal((await shop.push('S1', { status })).status, expected, status);
      const { order_id, paid_at: paidAt } = await shop.read('S1');
      assert.notEqual(paidAt, null);
      await shop.change('fulfill', { order_id, carrier: 'UPS', tracking_number: '1' });
      for (const status of ['unpaid', 'paid', 'pending_verification'])
        assert.equal((await shop.push('S1', { status })).status, 'shipped');
      await shop.change('refund', { order_id, type: 'full', reason: 'other' });
      for (const status of ['paid', 'shipped', 'canceled'] as const)
        assert.equal(
          (await shop.push('S1', { status, carrier: 'UPS', tracking_number: '2' })).status,
          'refunded',
        );
      assert.equal((await shop.read('S1')).packages.length, 1);
    });

    it('creates orders in every status; what was shipped or refunded before causes no events', async () => {
      for (const status of orderStatuses) {
        const order = await shop.push(`H-${status}`, { status, carrier: 'ups', tracking_number: '1Z' });
        assert.equal(order.status, status);
        const isOver = status === 'refunded' || status === 'canceled';
        assert.deepEqual(
          order.refunds.map(({ type, state }) => [type, state]),
          isOver ? [['full', 'settled']] : [],
        );
        assert.equal(order.refund_amount, isOver ? 35 : 0);
        assert.deepEqual(
          order.packages.map(({ package_id, quantity }) => [package_id, quantity]),
          status === 'shipped' ? [['ups:1Z', 1]] : [],
        );
      }
    });

    it('a carrier that the marketplace knows has its code, so that the merchant’s own call repeats the package', async () => {
      const shipped = { status: 'shipped', tracking_number: '1Z' };
      const order = await shop.push('Q1', { ...shipped, carrier: 'Royal Mail' });
      assert.deepEqual([order.carrier, order.packages[0]?.package_id], ['royal_mail', 'royal_mail:1Z']);
      const { order_id } = order;
      const repeated = { order_id, carrier: 'royal mail', tracking_number: '1Z' };
      assert.deepEqual(await shop.change('fulfill', repeated), order);
      assert.equal((await shop.push('Q2', { ...shipped, carrier: 'Bike' })).carrier, 'Bike');
    });

    it('400: shipped without a carrier or a tracking number, which would be shipped a second time', async () => {
      const sold = { product_identifier: 'VASE', status: 'shipped' };
      assert.match(
        await shop.pushRefused('P1', sold),
        /^carrier: missing, expected it for an order that has shipped/,
      );
      assert.match(await shop.pushRefused('P1', { ...sold, carrier: 'ups' }), /^tracking_number: missing/);
      const { order_id } = await shop.push('P1');
      await shop.change('fulfill', { order_id, carrier: 'UPS', tracking_number: '1' });
      assert.equal((await shop.push('P1', { status: 'shipped' })).status, 'shipped');
    });

    it('a push of a held order changes its fields and the status to which it returns', async () => {
      await shop.push('K1', { status: 'unpaid' });
      await shop.put('K1/state', { state: 'held', reason: 'address check' });
      const held = await shop.push('K1', { status: 'paid', city: 'Elsewhere' });
      assert.deepEqual(
        [held.status, held.hold_reason, held.city],
        ['pending_verification', 'address check', 'Elsewhere'],
      );
      assert.match(
        await shop.pushRefused('K1', { status: 'shipped', carrier: 'ups', tracking_number: '1' }),
        /^status: the order is on hold \(address check\); release it first/,
      );
      const released = (await shop.put('K1/state', { state: 'released' })).json<typeof held>();
      assert.deepEqual([released.status, released.hold_reason], ['paid', null]);
      assert.notEqual(released.paid_at, null);
    });

    it('400: fees below what was refunded; higher fees can be refunded too', async () => {
      const { order_id } = await shop.push('R1');
      await shop.change('refund', {
        order_id,
        type: 'partial',
        reason: 'other',
        fees: ['buyer_fee'],
        refund_id: 'a',
      });
      assert.match(
        await shop.pushRefused('R1', { available_refunds: { buyer_fee: 29.99 } }),
        /^available_refunds: 30 of buyer_fee was refunded already: expected at least this amount/,
      );
      assert.match(
        await shop.pushRefused('R1', { available_refunds: {} }),
        /^available_refunds: 30 of buyer_fee/,
      );
      const more = await shop.push('R1', { available_refunds: { buyer_fee: 31, gift_fee: 2 } });
      assert.deepEqual(more.available_refunds, { buyer_fee: 1, gift_fee: 2 });
      const failed = await shop.put('R1/refunds/a', { state: 'failed', failure: 'expired card' });
      assert.equal(failed.status, 200);
      assert.deepEqual((await shop.push('R1', { available_refunds: { buyer_fee: 5 } })).available_refunds, {
        buyer_fee: 5,
      });
    });

    it('a customer whose data was erased stays erased', async () => {
      await shop.push('E1');
      const path = `/merchants/${shop.merchant.id}/orders/E1/redact`;
      await service().operator('POST', path, shop.operatorToken, { json: {} });
      const { customer_name, city, redacted_at } = await shop.push('E1', { customer_name: 'Again' });
      assert.deepEqual([customer_name, city], [null, null]);
      assert.notEqual(redacted_at, null);
    });

    it('of several at once for the same order, one creates it, and all get the same', async () => {
      const fields = { product_identifier: 'VASE', variation_identifier: 'VASE-L', stock: 'reserve' };
      const before = await shop.stockOf('VASE-L');
      const responses = await Promise.all([1, 2, 3, 4].map(() => shop.put('ONCE', fields)));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 200, 200, 201]);
      assert.equal(new Set(responses.map(({ text }) => text)).size, 1);
      assert.equal(await shop.stockOf('VASE-L'), before - 1);
    });

    it('does not notice the clock: a due date in the past is accepted', async () => {
      const fulfillment_due_date = new Date(service().now() - DAY_MS).toISOString();
      const { fulfillment_due_date: due } = await shop.push('Q1', { fulfillment_due_date });
      assert.equal(Date.parse(due ?? ''), Date.parse(fulfillment_due_date));
    });
  });
});
