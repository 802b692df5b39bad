import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SERVICE } from '../../src/audit/record-audit.ts';
import { defaultBudgets } from '../../src/budgets/budgets.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import type { OrderCall } from '../../src/orders/change/change-orders.ts';
import { groupOrderCalls } from '../../src/orders/change/grouped-order-calls.ts';
import { keyedRequest } from '../../src/requests/run-once.ts';
import { forEachEngine } from '../support/engines.ts';
import { newRandom } from '../support/seed.ts';
import { useService } from '../support/service.ts';
import { Shop } from './orders-support.ts';

const ROUNDS = 8;
const IDS = [1, 2, 3, 4, 5] as const;

forEachEngine((engine) => {
  const service = useService(engine);

  it('calls that arrive together have the results of the same calls one after the other', async () => {
    const random = newRandom();
    const together = await Shop.open(service());
    const separate = await Shop.open(service());
    const { database, now } = service();
    const calls = groupOrderCalls({ database, now, lowInventory: 2, budgets: defaultBudgets });
    const call = (): OrderCall => {
      const order_id = random.pick([...IDS, ...IDS, 99]);
      return random.pick<() => OrderCall>([
        () => ({ order_id, action: 'acknowledge', input: { merchant_order_id: 'M' } }),
        () => ({ order_id, action: 'annotate', input: { annotation: random.pick(['x', 'y', null]) } }),
        () => {
          const tracking_number = random.pick(['1', '2', '3']);
          return { order_id, action: 'fulfill', input: { carrier: 'ups', tracking_number, quantity: 1 } };
        },
        () => ({ order_id, action: 'unfulfill', input: { package_id: 'ups:1' } }),
        () => {
          const fees = [random.pick(['buyer_fee', 'shipping_fee'])];
          const input = { type: 'partial', reason: 'other', fees, quantity: 1, restock: true } as const;
          return { order_id, action: 'refund', input };
        },
        () => ({ order_id, action: 'cancel', input: { reason: 'other' } }),
      ])();
    };
    let changed = 0;
    let refused = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const shop of [together, separate])
        for (const order_id of IDS)
          await shop.push(`R${round}-${order_id}`, {
            order_id: round * 100 + order_id,
            product_quantity: 3,
            stock: order_id === 1 ? 'reserve' : 'none',
            created_at: '2026-01-01T00:00:00Z',
            paid_at: '2026-01-01T00:00:00Z',
          });
      const made = Array.from({ length: random.whole(1, 70) }, (_, index) => {
        const one = call();
        // Two requests with one key are never in progress at the same time.
        const key = random.chance(0.4) ? `${round - random.whole(0, 1)} ${index}` : undefined;
        return { call: { ...one, order_id: round * 100 + one.order_id }, key };
      });
      const run = async ({ merchant: { id: merchantId } }: Shop, { call, key }: (typeof made)[number]) => {
        const keyed = keyedRequest({ merchantId, key, endpoint: 'POST /orders', input: call });
        const made = { call, keyed, who: SERVICE, isAudited: false };
        try {
          return await calls.run(merchantId, made);
        } catch (error) {
          assert.ok(error instanceof DomainError, String(error));
          return error.message;
        }
      };
      const expected: string[] = [];
      for (const each of made) expected.push(await run(separate, each));
      const found = await Promise.all(made.map((each) => run(together, each)));
      for (const [index, outcome] of found.entries()) {
        assert.equal(
          outcome,
          expected[index],
          `round ${round}, call ${index}: ${JSON.stringify(made[index])}`,
        );
        if (outcome.startsWith('{')) changed += 1;
        else refused += 1;
      }
      assert.deepEqual(await together.list({ per_page: '1000' }), await separate.list({ per_page: '1000' }));
    }
    assert.ok(changed > 20 && refused > 10, `${changed} calls succeeded, ${refused} were refused`);
  });
});
