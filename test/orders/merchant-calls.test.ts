import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { createKey } from '../support/keys.ts';
import { useService } from '../support/service.ts';
import { Shop } from './orders-support.ts';

forEachEngine((engine) => {
  const service = useService(engine);
  let shop: Shop;
  before(async () => {
    shop = await Shop.open(service());
  });

  const ups = { carrier: 'UPS', tracking_number: '1Z999' };

  describe('orders/fulfill', () => {
    it('ships an order in packages; the last one makes it shipped, and the same one changes nothing', async () => {
      const { order_id, status } = await shop.push('F1', { product_quantity: 3 });
      assert.equal(status, 'paid');
      const first = await shop.change('fulfill', { order_id, ...ups, quantity: 1 });
      assert.deepEqual([first.status, first.shipped_quantity, first.can_fulfill], ['paid', 1, true]);
      assert.deepEqual([first.carrier, first.tracking_number], ['ups', '1Z999']);
      assert.deepEqual(await shop.change('fulfill', { order_id, ...ups }), first);
      const second = await shop.change('fulfill', {
        order_id,
        carrier: 'other',
        carrier_name: 'Bike',
        tracking_number: '7',
      });
      assert.deepEqual([second.status, second.shipped_quantity, second.can_fulfill], ['shipped', 3, false]);
      assert.deepEqual(
        second.packages.map(({ package_id, quantity, state }) => [package_id, quantity, state]),
        [
          ['ups:1Z999', 1, 'shipped'],
          ['Bike:7', 2, 'shipped'],
        ],
      );
      assert.deepEqual(
        await shop.change('fulfill', { order_id, carrier: 'ups', tracking_number: '1Z999' }),
        second,
      );
      assert.match(
        await shop.refused('fulfill', { order_id, carrier: 'UPS', tracking_number: '8' }),
        /0 of 3 units left to ship after ups:1Z999, Bike:7/,
      );
    });

    it('corrects a package until the carrier has scanned it', async () => {
      const { order_id, external_id } = await shop.push('F2');
      await shop.change('fulfill', { order_id, ...ups, package_id: 'box' });
      const corrected = await shop.change('fulfill', {
        order_id,
        ...ups,
        tracking_number: '2Z',
        package_id: 'box',
      });
      assert.equal(corrected.tracking_number, '2Z');
      const scan = { state: 'in_transit' };
      assert.equal((await shop.put(`${external_id}/packages/none`, scan)).status, 404);
      assert.equal((await shop.put(`${external_id}/packages/box`, scan)).status, 200);
      assert.match(
        await shop.refused('fulfill', { order_id, ...ups, tracking_number: '3Z', package_id: 'box' }),
        /package box is in_transit and cannot be changed; it is ups 2Z/,
      );
      assert.match(await shop.refused('unfulfill', { order_id, package_id: 'box' }), /is in_transit/);
    });

    it('400: more than 100 packages, which would fill the memory of whoever lists orders', async () => {
      const { order_id } = await shop.push('F-MANY', { product_quantity: 1_000 });
      const lines = Array.from({ length: 101 }, (_, index) => ({
        order_id,
        action: 'fulfill',
        quantity: 1,
        ...ups,
        tracking_number: `T${index}`,
      }));
      const batch = await shop.post('batch', lines);
      const { results, updated } = batch.json<{
        results: { errors: { name: string; reason: string }[] }[];
        updated: number;
      }>();
      assert.equal(updated, 100);
      assert.deepEqual(results.at(-1)?.errors, [
        { name: 'package_id', reason: `the order ${order_id} has 100 packages, the most possible` },
      ]);
      assert.match(
        await shop.refused('unfulfill', { order_id, package_id: 'none' }),
        /its packages: ups:T0, ups:T1, .*, ups:T9 and 90 more\.$/,
      );
      await shop.change('unfulfill', { order_id, package_id: 'ups:T0' });
      await shop.change('fulfill', { order_id, ...ups });
    });

    it('of two calls at once that ship the last unit, one is refused', async () => {
      const { order_id } = await shop.push('F3');
      const numbers = ['A', 'B'];
      const responses = await Promise.all(
        numbers.map((tracking_number) => shop.post('fulfill', { order_id, carrier: 'UPS', tracking_number })),
      );
      assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 400]);
      assert.equal((await shop.retrieve(order_id)).shipped_quantity, 1);
    });

    it('the service is the first package’s; a repeated package changes nothing, also after other ones and a scan', async () => {
      const { order_id } = await shop.push('F9', { product_quantity: 2 });
      const first = { order_id, ...ups, service_type: 'Ground', quantity: 1 };
      const second = { order_id, carrier: 'USPS', tracking_number: '9', service_type: 'Priority' };
      assert.equal((await shop.change('fulfill', first)).service_type, 'Ground');
      const shipped = await shop.change('fulfill', second);
      assert.deepEqual([shipped.status, shipped.carrier, shipped.service_type], ['shipped', 'ups', 'Ground']);
      assert.deepEqual(await shop.change('fulfill', first), shipped);
      for (const id of ['ups:1Z999', 'usps:9']) await shop.put(`F9/packages/${id}`, { state: 'accepted' });
      const scanned = await shop.retrieve(order_id);
      for (const package_ of [first, second])
        assert.deepEqual(await shop.change('fulfill', package_), scanned);
      assert.match(
        await shop.refused('fulfill', { ...second, service_type: 'Express' }),
        /package usps:9 is accepted/,
      );
    });

    it('takes the order from the path, a carrier by its code or name in any case, and no other carrier', async () => {
      const { order_id } = await shop.push('F4');
      assert.match(await shop.refused('fulfill', { order_id, ...ups, carrier: 'Pigeon' }), /carrier/);
      assert.match(await shop.refused('fulfill', { order_id, ...ups, carrier: 'other' }), /carrier_name/);
      const response = await shop.post(`${order_id}/fulfill`, { carrier: 'uPs', tracking_number: '1' });
      assert.equal(response.status, 200, response.text);
      assert.equal((await shop.post('4000/fulfill', ups)).status, 404);
    });

    it('unfulfill removes a package, and the order can be shipped again', async () => {
      const { order_id } = await shop.push('F5');
      await shop.change('fulfill', { order_id, ...ups });
      const again = await shop.change('unfulfill', { order_id, package_id: 'ups:1Z999' });
      assert.deepEqual([again.status, again.carrier, again.packages], ['paid', null, []]);
      assert.match(await shop.refused('unfulfill', { order_id, package_id: 'ups:1Z999' }), /has no package/);
    });

    it('400: a held, canceled or unpaid order names its status and says not to ship it', async () => {
      const held = await shop.push('F6');
      await shop.put('F6/state', { state: 'held', reason: 'address check' });
      const { order_id: canceled } = await shop.push('F7');
      await shop.change('cancel', { order_id: canceled, reason: 'out_of_stock' });
      const { order_id: unpaid } = await shop.push('F8', { status: 'unpaid' });
      for (const [order_id, expected] of [
        [held.order_id, /is pending_verification and on hold \(address check\): do not ship it/],
        [canceled, /is canceled: do not ship it/],
        [unpaid, /is unpaid: do not ship it/],
      ] as const)
        assert.match(await shop.refused('fulfill', { order_id, ...ups }), expected);
      await shop.put('F6/state', { state: 'released' });
      assert.equal((await shop.change('fulfill', { order_id: held.order_id, ...ups })).status, 'shipped');
    });
  });

  describe('orders/refund and orders/cancel', () => {
    it('refunds fees once, and all that is left once; the operator settles or fails it', async () => {
      const { order_id } = await shop.push('R1');
      const partial = { order_id, type: 'partial', reason: 'other', fees: ['shipping_fee'], refund_id: 'r' };
      const first = await shop.change('refund', partial);
      assert.deepEqual([first.status, first.available_refunds], ['paid', { buyer_fee: 30 }]);
      assert.deepEqual([first.refund_amount, first.refunds[0]?.amount], [0, 5]);
      assert.deepEqual(await shop.change('refund', partial), first);
      assert.match(
        await shop.refused('refund', { ...partial, refund_id: 's' }),
        /shipping_fee was refunded on \d{4}-.* \(r\); expected some of buyer_fee/,
      );
      const full = { order_id, type: 'full', reason: 'buyer_requested_a_return' };
      const refunded = await shop.change('refund', full);
      assert.deepEqual([refunded.status, refunded.available_refunds], ['refunded', {}]);
      assert.deepEqual(await shop.change('refund', full), refunded);
      await shop.put('R1/refunds/r', { state: 'settled' });
      const failed = await shop.put('R1/refunds/refund-2', { state: 'failed', failure: 'card expired' });
      assert.equal(failed.status, 200, failed.text);
      const after = await shop.retrieve(order_id);
      assert.deepEqual([after.status, after.refund_amount], ['paid', 5]);
      assert.deepEqual([after.refunded_at, after.available_refunds], [null, { buyer_fee: 30 }]);
    });

    it('400: a fee that the order does not have, whatever its name', async () => {
      const { order_id } = await shop.push('R-NAMES', {
        available_refunds: { constructor: 12, buyer_fee: 30 },
      });
      for (const fee of ['toString', '__proto__', 'hasOwnProperty', 'seller_fee'])
        assert.match(
          await shop.refused('refund', { order_id, type: 'partial', reason: 'other', fees: [fee] }),
          new RegExp(`the order has no fee ${fee}; expected some of constructor, buyer_fee`),
        );
      const refund = (fee: string) =>
        shop.change('refund', { order_id, type: 'partial', reason: 'other', fees: [fee] });
      assert.deepEqual((await refund('buyer_fee')).available_refunds, { constructor: 12 });
      const { refunds, available_refunds } = await refund('constructor');
      assert.deepEqual([refunds.at(-1)?.amount, available_refunds], [12, {}]);
      await shop.push('R-NAMES', { available_refunds: { constructor: 12, buyer_fee: 31 } });
    });

    it('400: more than 100 partial refunds; the order can still be refunded in full', async () => {
      const { order_id } = await shop.push('R-MANY', { product_quantity: 1_000 });
      const partial = { type: 'partial', reason: 'other', fees: ['buyer_fee'], quantity: 1 };
      const lines = Array.from({ length: 101 }, () => ({ order_id, action: 'refund', ...partial }));
      const batch = await shop.post('batch', lines);
      assert.equal(batch.json<{ updated: number }>().updated, 100, batch.text);
      assert.match(
        await shop.refused('refund', { order_id, ...partial }),
        /has 100 partial refunds, the most possible; refund it in full/,
      );
      const { status } = await shop.change('refund', { order_id, type: 'full', reason: 'other' });
      assert.equal(status, 'refunded');
    });

    it('takes fees as fees[], as fees[0] and as a JSON array', async () => {
      const form = (order_id: number, fees: Record<string, string>) =>
        service().request('POST', '/orders/refund', {
          form: {
            access_token: shop.token,
            order_id: String(order_id),
            type: 'partial',
            reason: 'other',
            ...fees,
          },
        });
      for (const [index, fees] of [
        { 'fees[]': 'buyer_fee' },
        { 'fees[0]': 'buyer_fee' },
        { fees: 'buyer_fee' },
        { fees: '["buyer_fee"]' },
      ].entries()) {
        const { order_id } = await shop.push(`R2-${index}`);
        const response = await form(order_id, fees);
        assert.equal(response.status, 200, response.text);
        assert.deepEqual(response.json<{ available_refunds: unknown }>().available_refunds, {
          shipping_fee: 5,
        });
      }
      const { order_id } = await shop.push('R3');
      const response = await form(order_id, { fees: '["buyer_fee"' });
      assert.equal(response.status, 400);
      assert.match(response.message, /^fees: expected 1 to 20 names of fees/);
    });

    it('400: more units than are left to refund, and a full refund of some fees only', async () => {
      const { order_id } = await shop.push('R4', {
        product_quantity: 3,
        available_refunds: { buyer_fee: 20, gift_fee: 2 },
      });
      const partial = { order_id, type: 'partial', reason: 'other', fees: ['buyer_fee'] };
      await shop.change('refund', { ...partial, quantity: 2 });
      assert.match(
        await shop.refused('refund', { ...partial, quantity: 2 }),
        /^quantity: 2 of 3 units are 13.33 of buyer_fee, and only 6.67 is left/,
      );
      const some = { order_id, type: 'full', reason: 'other', fees: ['buyer_fee'] };
      assert.match(
        await shop.refused('refund', some),
        /^fees: a full refund returns buyer_fee, gift_fee; expected all of them, or the type partial/,
      );
      await shop.change('refund', { ...partial, quantity: 1 });
      for (let unit = 0; unit < 3; unit += 1)
        await shop.change('refund', { ...partial, fees: ['gift_fee'], quantity: 1 });
      assert.match(
        await shop.refused('refund', { order_id, type: 'full', reason: 'other' }),
        /nothing left to refund: the last refund was on \d{4}-.* \(refund-5\)/,
      );
    });

    it('cancels what has not shipped, once; what has shipped is refunded', async () => {
      const { order_id } = await shop.push('C1', { stock: 'reserve', product_quantity: 2 });
      assert.equal(await shop.stockOf('VASE-S'), 3);
      const canceled = await shop.change('cancel', { order_id, reason: 'out_of_stock' });
      assert.deepEqual([canceled.status, canceled.refunds.length], ['canceled', 1]);
      assert.equal(await shop.stockOf('VASE-S'), 5);
      assert.deepEqual(await shop.change('cancel', { order_id, reason: 'out_of_stock' }), canceled);
      const { order_id: shipped } = await shop.push('C2');
      await shop.change('fulfill', { order_id: shipped, ...ups });
      assert.match(
        await shop.refused('cancel', { order_id: shipped, reason: 'other' }),
        /has shipped; refund it instead/,
      );
      assert.match(await shop.refused('cancel', { order_id: shipped, reason: 'no' }), /expected one of/);
    });
  });

  it('acknowledges once and annotates: the last note stays, and null clears it', async () => {
    const { order_id } = await shop.push('A1');
    const first = await shop.change('acknowledge', { order_id, merchant_order_id: 'SO-1' });
    assert.ok(first.acknowledged_at);
    assert.deepEqual(await shop.change('acknowledge', { order_id, merchant_order_id: 'SO-1' }), first);
    assert.equal((await shop.change('annotate', { order_id, annotation: 'Gift' })).annotation, 'Gift');
    assert.equal((await shop.change('annotate', { order_id, annotation: null })).annotation, null);
  });

  it('400: a note that is too long is not repeated, because the log of failed requests has the message', async () => {
    const { order_id } = await shop.push('A-LONG');
    const long = 'Ada Miller '.repeat(50);
    const expected = 'expected text of 1 to 500 characters.';
    assert.equal(await shop.refused('annotate', { order_id, annotation: long }), `annotation: ${expected}`);
    const refund = { order_id, type: 'full', reason: 'other', explanation: long };
    assert.equal(await shop.refused('refund', refund), `explanation: ${expected}`);
  });

  it('orders/batch has a result for each line, and accepted lines are stored', async () => {
    const { order_id: one } = await shop.push('B1');
    const { order_id: other } = await shop.push('B2');
    const response = await service().request('POST', '/orders/batch', {
      headers: { authorization: `Bearer ${shop.token}` },
      json: [
        { order_id: one, action: 'fulfill', ...ups },
        { order_id: one, action: 'fulfill', ...ups },
        { order_id: other, action: 'cancel' },
        { order_id: 9999, action: 'annotate', annotation: 'x' },
        { order_id: other, action: 'fly' },
      ],
    });
    assert.equal(response.status, 200, response.text);
    const { results, ...counts } = response.json<{
      results: { result: string; errors: { name: string }[] }[];
    }>();
    assert.deepEqual(counts, { updated: 1, unchanged: 1, rejected: 3 });
    assert.deepEqual(
      results.map(({ result, errors }) => [result, errors[0]?.name]),
      [
        ['updated', undefined],
        ['unchanged', undefined],
        ['rejected', 'reason'],
        ['rejected', 'order_id'],
        ['rejected', 'action'],
      ],
    );
    assert.equal((await shop.retrieve(one)).status, 'shipped');
  });

  it('a key without customers sees no customer, and the response of a repeated request has none stored', async () => {
    const key = { merchantId: shop.merchant.id, name: 'no customers', expiresAt: null };
    const { token } = await createKey(service(), key);
    const { order_id } = await shop.push('P1');
    const hidden = await shop.retrieve(order_id, token);
    assert.deepEqual([hidden.customer_name, hidden.city, hidden.customer_hidden], [null, null, true]);
    assert.deepEqual([hidden.state, hidden.country], ['CA', 'USA']);
    const seen = await shop.retrieve(order_id);
    assert.deepEqual(
      [seen.customer_name, seen.address1, seen.customer_hidden],
      ['A. Customer', '1 Main Street', false],
    );
    const headers = { authorization: `Bearer ${shop.token}`, 'idempotency-key': 'k1' };
    const json = { order_id, annotation: 'n' };
    const send = () => service().request('POST', '/orders/annotate', { json, headers });
    assert.equal((await send()).json<{ customer_name: string }>().customer_name, 'A. Customer');
    assert.equal((await send()).json<{ customer_name: string }>().customer_name, 'A. Customer');
  });
});
