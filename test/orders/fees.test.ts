import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OffLoopReads } from '../../src/database/off-loop-reads.ts';
import type { OrderDraft } from '../../src/orders/push/order-draft.ts';
import type { Order } from '../../src/orders/record/order.ts';
import { durations } from '../../src/sales/periods.ts';
import { productSales } from '../../src/sales/product-sales.ts';
import type { ProductSales } from '../../src/sales/product-sales-record.ts';
import type { ScheduleDraft } from '../../src/sales/schedule-draft.ts';
import { draft, importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { importOrderDrafts, orderDraft, pushDrafts } from '../support/orders.ts';
import { unusualZones } from '../support/schedule-arbitraries.ts';
import { fc } from '../support/seed.ts';
import { useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';
import { Shop } from './orders-support.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PRODUCTS = ['A', 'B', 'C'];
const DAYS_AGO = { today: [0, 0], yesterday: [1, 1], last_week: [1, 7], last_30_days: [1, 30] } as const;

/** Each product has a schedule on every day, so that every list has it. */
function schedulesUntil(now: number): ScheduleDraft[] {
  return PRODUCTS.flatMap((product_identifier) =>
    Array.from({ length: 32 }, (_, day) => ({
      merchant: null,
      schedule_id: `${product_identifier}${day}`,
      product_identifier,
      scheduled_at: now - day * DAY,
      sold: false,
      sale_price: null,
      rating: null,
    })),
  );
}

/** Calculated from the orders and the calendar dates that clocks show. */
function expectedFees(
  orders: readonly Order[],
  { zone, now, duration }: { zone: string; now: number; duration: keyof typeof DAYS_AGO },
): (number | null)[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  const dayOf = (time: number): number => Date.parse(format.format(time)) / DAY;
  const [least, most] = DAYS_AGO[duration];
  const counted = orders.filter(({ paid_at, status }) => {
    if (paid_at === null || status === 'canceled') return false;
    const ago = dayOf(now) - dayOf(paid_at);
    return ago >= least && ago <= most;
  });
  return PRODUCTS.map((product) => {
    const of = counted.filter(({ product_identifier }) => product_identifier === product);
    const fees = of.flatMap(({ seller_fees }) => seller_fees.map(({ amount }) => amount));
    return of.length === 0 ? null : fees.reduce((sum, amount) => sum + amount, 0) / 100;
  });
}

const feesOf = (results: readonly ProductSales[]): (number | null)[] =>
  PRODUCTS.map((product) => {
    const found = results.find(({ identifier }) => identifier === product) ?? assert.fail(product);
    assert.equal(found.table.fees, found.fees);
    assert.equal(found.scheduling_fees, null);
    return found.fees;
  });

/** Orders around the ends of days, and what later pushes change of them. */
const pushes = fc.array(
  fc.record({
    number: fc.nat(9),
    halfHours: fc.option(fc.integer({ min: -33 * 48, max: 48 }), { nil: undefined }),
    fees: fc.option(fc.array(fc.constantFrom(0, 1, 99, 595, 10 ** 10), { maxLength: 3 }), {
      nil: undefined,
    }),
    status: fc.constantFrom(undefined, undefined, 'unpaid', 'paid', 'canceled', 'refunded'),
  }),
  { minLength: 5, maxLength: 30, size: 'max' },
);

forEachEngine((engine) => {
  describe('fees of GET performance/auctions', () => {
    const service = useService(engine);

    it('are the seller fees of the orders that were paid in the period, for any pushes, in every time zone', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...unusualZones),
          pushes,
          fc.boolean(),
          async (zone, all, isFile) => {
            const merchant = await service().newMerchant(zone);
            const now = service().now();
            await importDrafts(service(), merchant, [PRODUCTS.map((identifier) => draft(identifier))]);
            await importScheduleDrafts(service(), merchant, [schedulesUntil(now)]);
            const drafts = all.map(({ number, halfHours, fees, status }): OrderDraft => {
              const paid_at = halfHours === undefined ? undefined : now + (halfHours * HOUR) / 2;
              const seller_fees = fees?.map((amount, index) => ({ type: `fee ${index}`, amount }));
              const product_identifier = PRODUCTS[number % PRODUCTS.length];
              return orderDraft(`O${number}`, { product_identifier, paid_at, seller_fees, status });
            });
            if (isFile) await importOrderDrafts(service(), merchant, [drafts]);
            else await pushDrafts(service(), merchant, drafts);
            // A push that states nothing changes nothing, and returns the order.
            const names = new Set(drafts.map(({ external_id }) => external_id));
            const stateless = [...names].map((external_id) => ({ merchant: null, external_id }));
            const orders = await pushDrafts(service(), merchant, stateless);
            const { database } = service();
            const sources = { database, offLoop: new OffLoopReads(database), now: () => now };
            for (const duration of durations) {
              const page = { duration, page: 1, perPage: 1000 };
              const { results } = await productSales(sources, merchant.id, page);
              assert.deepEqual(feesOf(results), expectedFees(orders, { zone, now, duration }), duration);
            }
          },
        ),
        { numRuns: runs(30), interruptAfterTimeLimit: 100_000 },
      );
    });

    it('are null without orders, 0 if they have no fees, and follow cancellations and changes', async () => {
      const shop = await Shop.open(service());
      const schedule = { ...schedulesUntil(service().now())[0], product_identifier: 'VASE' } as ScheduleDraft;
      await importScheduleDrafts(service(), shop.merchant, [[schedule]]);
      const fees = async (): Promise<number | null> => {
        const response = await service().get('/performance/auctions', shop, { duration: 'today' });
        const [product] = response.json<ProductSales[]>();
        assert.equal(product?.table.fees, product?.fees);
        return product?.fees ?? null;
      };
      assert.equal(await fees(), null);
      await shop.push('A1', { status: 'unpaid', seller_fees: [{ type: 'commission', amount: 1 }] });
      assert.equal(await fees(), null);
      const { order_id: free } = await shop.push('A2');
      assert.equal(await fees(), 0);
      const commission = [
        { type: 'commission', amount: 4.55 },
        { type: 'processing', amount: 0.4 },
      ];
      const { order_id: charged } = await shop.push('A3', { seller_fees: commission });
      assert.equal(await fees(), 4.95);
      await shop.push('A1', { status: 'paid' });
      assert.equal(await fees(), 5.95);
      await shop.put('A3/state', { state: 'held', reason: 'address check' });
      assert.equal(await fees(), 5.95, 'an order on hold was paid');
      await shop.put('A3/state', { state: 'released' });
      await shop.change('refund', { order_id: charged, type: 'full', reason: 'other' });
      assert.equal(await fees(), 5.95, 'a refunded order has the fees that it states');
      await shop.push('A3', { seller_fees: [] });
      assert.equal(await fees(), 1);
      const { order_id: canceled } = await shop.push('A4', { seller_fees: commission });
      assert.equal(await fees(), 5.95);
      await shop.change('cancel', { order_id: canceled, reason: 'other' });
      assert.equal(await fees(), 1);
      await shop.put('A4/refunds/refund-1', { state: 'failed', failure: 'the card has expired' });
      assert.equal(await fees(), 5.95, 'it is not canceled after all');
      await shop.change('cancel', { order_id: free, reason: 'other' });
      assert.equal(await fees(), 5.95);
    });

    it('count orders of the merchant only, by the product that was sold', async () => {
      const [shop, other] = [await Shop.open(service()), await Shop.open(service())];
      const { merchant } = shop;
      await importDrafts(service(), merchant, [PRODUCTS.map((identifier) => draft(identifier))]);
      await importScheduleDrafts(service(), merchant, [schedulesUntil(service().now())]);
      const seller_fees = [{ type: 'commission', amount: 2 }];
      await other.push('A1', { seller_fees });
      for (const [id, product] of [
        ['A1', 'A'],
        ['A2', 'A'],
        ['A3', 'C'],
      ] as const)
        await shop.push(id, { product_identifier: product, variation_identifier: null, seller_fees });
      const response = await service().get('/performance/auctions', shop, { duration: 'today' });
      assert.deepEqual(feesOf(response.json<ProductSales[]>()), [4, null, 2]);
    });
  });
});
