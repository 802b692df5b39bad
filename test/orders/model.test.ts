import assert from 'node:assert/strict';
import { it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import type { OrderData } from '../../src/orders/record/order.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { newRandom } from '../support/seed.ts';
import { useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';
import { ModelOrder, viewOf } from './model.ts';
import { Shop } from './orders-support.ts';

const STOCK = 12;
const MIN_STEPS = runs(250);
const MAX_STEPS = 15_000;
const FEES = { buyer_fee: 1000, shipping_fee: 301 };

/** What has to happen before the test ends. */
const WANTED = [
  ...[
    'created',
    'oversold',
    'pushed',
    'push refused',
    'fulfilled',
    'shipped',
    'fulfill refused',
    'unfulfilled',
  ],
  ...[
    'unfulfill refused',
    'partly refunded',
    'fully refunded',
    'refund refused',
    'refund restocked',
    'canceled',
  ],
  ...[
    'cancel refused',
    'cancel restocked',
    'settled',
    'failed',
    'reserved again',
    'restored',
    'settle refused',
    'held',
    'hold refused',
  ],
  ...[
    'released',
    'operator canceled',
    'push canceled',
    'push refunded',
    'push shipped',
    'scanned',
    'acknowledged',
  ],
  ...['annotated', 'repeated', 'not writable'],
];

const listData = statement<{ merchantId: number }, { data: string }>(
  'SELECT data FROM orders WHERE merchant_id = :merchantId',
);

const inUnits = (fees: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(fees).map(([name, amount]) => [name, amount / 100]));

forEachEngine((engine) => {
  const service = useService(engine);

  it('pushes and calls do what the model does; no unit of the stock and no cent is lost or made', async (t) => {
    const shop = await Shop.open(service());
    await importDrafts(service(), shop.merchant, [
      [draft('VASE', {}, [{ identifier: 'VASE-S', quantity: STOCK }])],
    ]);
    const random = newRandom();
    const orders = new Map<string, ModelOrder>();
    const ids = new Map<string, number>();
    const seen = new Map<string, number>();
    let stock = STOCK;
    /** In stock, reserved and shipped. */
    let total = STOCK;
    const note = (...outcomes: (string | false)[]): void => {
      for (const outcome of outcomes) if (outcome !== false) seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    };
    const maybe = <T>(value: T): T | undefined => (random.chance(0.5) ? value : undefined);

    /** Calls as the merchant, sometimes with a batch. Resolves to whether the call was accepted. */
    async function call(action: string, order_id: number, input: object): Promise<boolean> {
      if (random.chance(0.7)) {
        const { status, text } = await shop.post(action, { order_id, ...input });
        assert.ok(status === 200 || status === 400, text);
        return status === 200;
      }
      const response = await shop.post('batch', [{ order_id, action, ...input }]);
      return response.json<{ rejected: number }>().rejected === 0;
    }
    const accepted = ({ status, text }: ClientResponse): boolean => {
      assert.ok([200, 201, 400, 404].includes(status), text);
      return status < 300;
    };

    /** Units arrive. Otherwise all of them would be shipped after a while, and later orders have none. */
    async function receive(): Promise<void> {
      const json = { identifier: 'VASE-S', quantity_change: STOCK };
      const headers = { authorization: `Bearer ${shop.token}` };
      const response = await service().request('POST', '/variations/update', { json, headers });
      assert.equal(response.status, 200, response.text);
      stock += STOCK;
      total += STOCK;
    }

    async function create(): Promise<string> {
      if (stock < 4 && random.chance(0.3)) await receive();
      const name = `M-${orders.size + 1}`;
      const status = random.pick(['unpaid', 'paid', 'paid', 'paid']);
      const quantity = random.whole(1, 4);
      const reserves = random.chance(0.8);
      const order = new ModelOrder(quantity, FEES, status);
      if (reserves && stock < quantity) order.hold('oversold');
      else if (reserves) {
        order.reserved = quantity;
        stock -= quantity;
      }
      const { order_id } = await shop.push(name, {
        status,
        product_quantity: quantity,
        available_refunds: inUnits(FEES),
        stock: reserves ? 'reserve' : 'none',
      });
      orders.set(name, order);
      ids.set(name, order_id);
      note('created', order.held !== null && 'oversold');
      return name;
    }

    async function push(name: string, order: ModelOrder): Promise<void> {
      const status = random.pick(['unpaid', 'paid', 'paid', 'shipped', 'refunded', 'canceled']);
      const fees = maybe({ buyer_fee: random.pick([500, 1000, 1200]), shipping_fee: 301 });
      const before = order.status;
      const units = order.push({ status, ...(fees !== undefined && { fees }) });
      const available_refunds = fees === undefined ? undefined : inUnits(fees);
      const sent = { status, carrier: 'ups', tracking_number: 'pushed', stock: 'reserve', available_refunds };
      assert.equal(accepted(await shop.put(name, sent)), units !== undefined, 'push');
      stock += units ?? 0;
      note(units === undefined ? 'push refused' : 'pushed');
      if (order.status !== before) note(`push ${order.status}`);
    }

    async function fulfill(name: string, order: ModelOrder, id: number): Promise<void> {
      const number = random.pick(['1', '2', '3']);
      const quantity = maybe(random.whole(1, 3));
      const package_id = maybe(random.pick(['box', 'ups:1']));
      const before = JSON.stringify(order.view());
      const wasWritable = order.isWritable;
      const isAccepted = order.fulfill(number, quantity, package_id);
      const input = { carrier: 'UPS', tracking_number: number, quantity, package_id };
      assert.equal(await call('fulfill', id, input), isAccepted, `fulfill ${name}`);
      note(isAccepted ? 'fulfilled' : 'fulfill refused', !wasWritable && 'not writable');
      note(
        order.status === 'shipped' && 'shipped',
        isAccepted && before === JSON.stringify(order.view()) && 'repeated',
      );
    }

    async function refund(name: string, order: ModelOrder, id: number): Promise<void> {
      const type = random.pick(['full', 'partial', 'partial']);
      const fees = random.pick([
        ['buyer_fee'],
        ['shipping_fee'],
        ['buyer_fee', 'shipping_fee'],
        ['gift_fee'],
        [],
      ]);
      const refund_id = maybe(random.pick(['a', 'b', 'refund-1']));
      const quantity = maybe(random.whole(1, 5));
      const restock = random.chance(0.5);
      const before = order.refunds.length;
      const optional = { ...(refund_id && { id: refund_id }), ...(quantity && { quantity }) };
      const units = order.refund({ type, fees, restock, ...optional });
      const input = {
        type,
        reason: 'other',
        fees: fees.length > 0 ? fees : undefined,
        refund_id,
        quantity,
        restock,
      };
      assert.equal(
        await call('refund', id, input),
        units !== undefined,
        `refund ${name} ${JSON.stringify(input)}`,
      );
      stock += units ?? 0;
      const isNew = order.refunds.length > before;
      note(
        units === undefined && 'refund refused',
        isNew && (type === 'full' ? 'fully refunded' : 'partly refunded'),
      );
      note((units ?? 0) > 0 && 'refund restocked', units !== undefined && !isNew && 'repeated');
    }

    async function cancel(order: ModelOrder, id: number): Promise<void> {
      const restock = random.chance(0.5);
      const units = order.cancel(restock);
      assert.equal(await call('cancel', id, { reason: 'other', restock }), units !== undefined, 'cancel');
      stock += units ?? 0;
      note(units === undefined ? 'cancel refused' : 'canceled', (units ?? 0) > 0 && 'cancel restocked');
    }

    async function operate(name: string, order: ModelOrder): Promise<void> {
      const state = random.pick(['held', 'released', 'released', 'canceled']);
      const response = accepted(await shop.put(`${name}/state`, { state, reason: 'check' }));
      if (state === 'held') {
        const isHeld = order.hold('check');
        assert.equal(response, isHeld, 'hold');
        note(isHeld ? 'held' : 'hold refused');
      } else if (state === 'released') {
        note(order.held !== null && 'released');
        order.release();
        assert.ok(response);
      } else {
        const isOver = order.status === 'canceled';
        const isPossible = !['shipped', 'refunded'].includes(order.status) && order.shipped === 0;
        assert.equal(response, isOver || isPossible, 'cancelation by the operator');
        if (isOver || !isPossible) return;
        stock += order.close('canceled', true);
        note('operator canceled');
      }
    }

    async function settle(name: string, order: ModelOrder): Promise<void> {
      const id = random.pick(['refund-1', 'refund-2', 'a', 'b', 'none']);
      const state = random.pick(['settled', 'failed']);
      const before = order.status;
      const taken = order.settle(id, state, stock);
      const isAccepted = taken !== undefined;
      stock -= taken ?? 0;
      const response = await shop.put(`${name}/refunds/${id}`, { state, failure: 'expired card' });
      assert.equal(accepted(response), isAccepted, `settle ${id} ${state}`);
      note(isAccepted ? state : 'settle refused', order.status !== before && 'restored');
      if (taken !== undefined) note(taken > 0 && 'reserved again');
    }

    async function scan(name: string, order: ModelOrder): Promise<void> {
      const [known] = order.packages;
      const state = random.pick(['accepted', 'delivered']);
      const response = await shop.put(`${name}/packages/${known?.id ?? 'none'}`, { state });
      assert.equal(accepted(response), known !== undefined, 'scan');
      if (known === undefined) return;
      known.state = state;
      note('scanned');
    }

    async function annotate(order: ModelOrder, id: number): Promise<void> {
      const annotation = random.pick(['x', 'y', null]);
      const isAcknowledging = random.chance(0.5);
      const input = isAcknowledging ? {} : { annotation };
      const isRepeated = isAcknowledging && order.isAcknowledged;
      const isAccepted = order.isWritable || isRepeated;
      assert.equal(await call(isAcknowledging ? 'acknowledge' : 'annotate', id, input), isAccepted, 'a note');
      note(
        isRepeated
          ? 'repeated'
          : order.isWritable
            ? isAcknowledging
              ? 'acknowledged'
              : 'annotated'
            : 'not writable',
      );
      if (!order.isWritable) return;
      if (isAcknowledging) order.isAcknowledged = true;
      else order.annotation = annotation;
    }

    async function unfulfill(order: ModelOrder, id: number): Promise<void> {
      const package_id = random.pick(['box', 'ups:1', 'ups:2', 'ups:pushed']);
      const isAccepted = order.unfulfill(package_id);
      assert.equal(await call('unfulfill', id, { package_id }), isAccepted, 'unfulfill');
      note(isAccepted ? 'unfulfilled' : 'unfulfill refused');
    }

    async function check(name: string, order: ModelOrder): Promise<void> {
      assert.deepEqual(viewOf(await shop.retrieve(ids.get(name) ?? 0)), order.view(), name);
      assert.equal(await shop.stockOf('VASE-S'), stock, `the stock after ${name}`);
    }

    /** Compares every order, and counts what the model does not need to know to be right. */
    async function checkAll(): Promise<void> {
      const listed = await shop.list({ per_page: '1000' });
      const views = new Map(listed.map((record) => [record.external_id, viewOf(record)]));
      assert.deepEqual(views, new Map([...orders].toReversed().map(([name, order]) => [name, order.view()])));
      const rows = await service().database.all(listData, { merchantId: shop.merchant.id });
      const stored = rows.map(({ data }) => JSON.parse(data) as OrderData);
      const reserved = stored.reduce((all, order) => all + order.reserved, 0);
      assert.equal((await shop.stockOf('VASE-S')) + reserved, total, 'units in stock and reserved');
      for (const { fees, refunds } of stored)
        for (const [fee, paid] of Object.entries(fees)) {
          const refunded = refunds.map((each) => (each.state === 'failed' ? 0 : (each.fees[fee] ?? 0)));
          assert.ok(
            refunded.reduce((all, amount) => all + amount, 0) <= paid,
            `${fee}: more was refunded than paid`,
          );
        }
    }

    let steps = 0;
    const missing = (): string[] => WANTED.filter((outcome) => !seen.has(outcome));
    for (; steps < MIN_STEPS || missing().length > 0; steps += 1) {
      assert.ok(steps < MAX_STEPS, `never happened: ${missing().join(', ')}`);
      const recent = [...orders.keys()].slice(-5);
      const name =
        recent.length < 3 || random.chance(0.06) ? await create() : random.pick(recent as [string]);
      const [order, id] = [orders.get(name), ids.get(name)];
      assert.ok(order !== undefined && id !== undefined);
      const step = random.pick([
        () => push(name, order),
        () => fulfill(name, order, id),
        () => fulfill(name, order, id),
        () => unfulfill(order, id),
        () => refund(name, order, id),
        () => refund(name, order, id),
        () => cancel(order, id),
        () => operate(name, order),
        () => operate(name, order),
        () => settle(name, order),
        () => settle(name, order),
        () => scan(name, order),
        () => annotate(order, id),
      ]);
      await step();
      service().passTime(1_000);
      await check(name, order);
      if (steps % 50 === 0) await checkAll();
    }
    await checkAll();
    t.diagnostic(`${steps} steps, ${orders.size} orders`);
  });
});
