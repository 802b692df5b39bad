import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { OffLoopReads } from '../../src/database/off-loop-reads.ts';
import { statement } from '../../src/database/statement.ts';
import { fillDemo } from '../../src/demo/fill-demo.ts';
import { MonthlyKeys } from '../../src/encryption/monthly-keys.ts';
import { dayIn } from '../../src/merchants/time-zone.ts';
import { CustomerVault } from '../../src/orders/customer/customer-vault.ts';
import { exportOrders } from '../../src/orders/list/export-orders.ts';
import { orderStatuses } from '../../src/orders/record/order.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { diagnose } from '../../src/placements/diagnosis/diagnose.ts';
import { exportPlacements } from '../../src/placements/list/export-placements.ts';
import { type Product, productStatuses } from '../../src/products/record/product.ts';
import { exportSchedules } from '../../src/sales/export-schedules.ts';
import { monthlySales } from '../../src/sales/monthly-sales.ts';
import { allProducts } from '../support/catalog.ts';
import { sqlite } from '../support/engines.ts';
import { campaignsOf } from '../support/stored.ts';
import { useDatabase } from '../support/test-database.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const findLastSchedule = statement<{ merchantId: number }, { at: number }>(
  'SELECT max(scheduled_at) AS at FROM schedules WHERE merchant_id = :merchantId',
);

for (const day of ['2026-11-22', '2028-02-29']) {
  describe(`the demo on ${day}`, () => {
    const now = Date.parse(`${day}T15:30:00Z`);
    const opened = useDatabase(sqlite);
    let merchantId: number;
    let products: Product[];
    let orders: OrderRecord[];
    let directory: string;

    before(async () => {
      const { database } = opened();
      directory = await mkdtemp(join(tmpdir(), 'tradepost-'));
      const keys = new MonthlyKeys({ file: join(directory, 'keys'), onCreated: () => {} });
      const customers = new CustomerVault(keys, database.dialect);
      const [merchant] = await fillDemo({
        database,
        now: () => now,
        lowInventory: 5,
        lowBudget: 80,
        customers,
        origin: 'https://demo.example',
      });
      assert(merchant !== undefined);
      merchantId = merchant.id;
      products = await allProducts({ database }, merchant);
      orders = (await Array.fromAsync(exportOrders({ database, customers }, merchantId, true))).flat();
    });
    after(() => rm(directory, { recursive: true }));

    it('has no times in the future, and recent products', () => {
      const timesOf = ({ created_at, updated_at, disabled_at, deleted_at }: Partial<Product>): number[] =>
        [created_at, updated_at, disabled_at, deleted_at].flatMap((time) => (time ? [Date.parse(time)] : []));
      const times = products.flatMap((product) => [product, ...product.variations].flatMap(timesOf));
      assert.ok(Math.max(...times) <= now);
      const newest = Math.max(...products.map(({ created_at }) => Date.parse(created_at ?? '')));
      assert.ok(now - newest < 3 * DAY_MS);
    });

    it('has products of every status, consistent with their stock', () => {
      assert.deepEqual(new Set(products.map(({ status }) => status)), new Set(productStatuses));
      for (const { identifier, status, available_quantity: quantity } of products) {
        const stock = quantity ?? 0;
        if (status === 'sold_out' || status === 'deleted') assert.equal(stock, 0, `${identifier}: ${status}`);
        if (status === 'low_inventory') assert.ok(stock > 0 && stock <= 5, `${identifier}: ${status}`);
        if (status === 'in_stock') assert.ok(stock > 5, `${identifier}: ${status}`);
      }
    });

    it('has orders of every status, and none in the future, with customers that are no people', () => {
      assert.ok(orders.length >= 300);
      assert.deepEqual(new Set(orders.map(({ status }) => status)), new Set(orderStatuses));
      const times = orders.flatMap(({ created_at, paid_at, packages }) =>
        [created_at, paid_at, ...packages.map((each) => each.shipped_at)].filter((time) => time !== null),
      );
      assert.ok(Math.max(...times.map((time) => Date.parse(time))) <= now);
      const toShip = orders.filter(({ status }) => status === 'paid');
      const isOverdue = ({ fulfillment_due_date: due }: OrderRecord): boolean => Date.parse(due ?? '') < now;
      assert.ok(toShip.some(isOverdue) && !toShip.every(isOverdue));
      assert.ok(toShip.some(({ shipped_quantity: shipped }) => shipped > 0));
      const states = orders.flatMap(({ packages }) => packages.map(({ state }) => state));
      assert.ok(states.includes('delivered') && states.includes('in_transit'));
      const refunds = orders.flatMap((order) => order.refunds.map(({ state }) => state));
      assert.deepEqual(new Set(refunds), new Set(['requested', 'settled', 'failed']));
      assert.ok(orders.some(({ redacted_at: at }) => at !== null));
      for (const { customer_name: name } of orders) if (name !== null) assert.match(name, /^Customer \d+$/);
    });

    it('has two years of auctions, up to today', async () => {
      const { database } = opened();
      const last = await database.first(findLastSchedule, { merchantId });
      assert.ok(last !== undefined && last.at <= now && now - last.at < DAY_MS);
      const months = await monthlySales({ database }, merchantId);
      assert.equal(months.at(-1)?.month, day.slice(0, 7));
      assert.ok(months.length >= 25 && months.every(({ schedules }) => schedules > 0));
    });

    it('has campaigns whose placements sold, on every day up to today, within their budgets', async () => {
      const { database } = opened();
      const campaigns = await campaignsOf({ database, now: () => now }, { id: merchantId });
      const placements = (await Array.fromAsync(exportPlacements({ database }, merchantId))).flat();
      const times = placements.map(({ delivered_at: at }) => Date.parse(at ?? ''));
      assert.ok(Math.max(...times) <= now);
      assert.equal(campaigns.length, 2);
      for (const { internal_id: id, created_at, ...campaign } of campaigns) {
        assert.ok(campaign.products > 0 && Date.parse(created_at) < Math.min(...times), campaign.name);
        assert.equal(campaign.status, 'Active', campaign.name);
        const own = placements.filter(({ campaign_id }) => campaign_id === id);
        const days = Map.groupBy(own, (placement) => placement.day);
        assert.ok(days.size >= 56 && days.has(dayIn('Europe/Amsterdam')(now)), campaign.name);
        for (const [day, list] of days) {
          const cents = list.reduce((sum, { price }) => sum + Math.round(price * 100), 0);
          assert.ok(cents <= 100 * (campaign.daily_budget ?? 0), `${campaign.name} on ${day}`);
        }
        const sold = own.filter(({ revenue }) => revenue !== null && revenue > 0);
        assert.ok(sold.length > 20 && sold.every((placement) => placement.schedule_id !== null));
        assert.ok(own.some((placement) => placement.schedule_id === null));
      }
    });

    it('has requests of the last 24 hours that each campaign won, or lost for several reasons', async () => {
      const { database } = opened();
      const services = { database, now: () => now, offLoop: new OffLoopReads(database), qualityOf: () => 1 };
      for (const campaign of await campaignsOf({ database, now: () => now }, { id: merchantId })) {
        const { internal_id: campaignId, name } = campaign;
        const diagnosis = await diagnose(services, { merchantId, campaignId, identifier: undefined });
        const { requests, won, lost, bids } = diagnosis;
        assert.ok(requests >= 250 && won > 0 && won < requests, name);
        assert.ok(lost.outbid > 0 && lost.paced > 0 && lost.below_floor > 0, name);
        assert.ok(bids !== null && new Set(bids.map(({ bid }) => bid)).size > 1, name);
      }
    });

    it('has the auction in which each order was sold', async () => {
      const exported = await Array.fromAsync(exportSchedules(opened(), merchantId));
      const schedules = exported.flat().filter(({ order_id }) => order_id !== null);
      const saleOf = new Map(schedules.map((schedule) => [schedule.order_id, schedule]));
      assert.equal(saleOf.size, orders.length);
      for (const { order_id, product_identifier, variation_identifier, created_at } of orders) {
        const sale = saleOf.get(order_id);
        assert.ok(sale?.sold && sale.sale_price !== null && sale.sale_price > 0);
        assert.deepEqual(
          [sale.product_identifier, sale.variation_identifier, sale.scheduled_at],
          [product_identifier, variation_identifier, created_at],
        );
      }
    });
  });
}
