import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { statement } from '../../src/database/database.ts';
import { fillDemo } from '../../src/demo/fill-demo.ts';
import { type Product, productStatuses } from '../../src/products/record/product.ts';
import { monthlySales } from '../../src/sales/monthly-sales.ts';
import { allProducts } from '../support/catalog.ts';
import { sqlite } from '../support/engines.ts';
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

    before(async () => {
      const { database } = opened();
      const [merchant] = await fillDemo({
        database,
        now: () => now,
        lowInventory: 5,
        origin: 'https://demo.example',
      });
      assert(merchant !== undefined);
      merchantId = merchant.id;
      products = await allProducts({ database }, merchant);
    });

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

    it('has two years of auctions, up to today', async () => {
      const { database } = opened();
      const last = await database.first(findLastSchedule, { merchantId });
      assert.ok(last !== undefined && last.at <= now && now - last.at < DAY_MS);
      const months = await monthlySales({ database }, merchantId);
      assert.equal(months.at(-1)?.month, day.slice(0, 7));
      assert.ok(months.length >= 25 && months.every(({ schedules }) => schedules > 0));
    });
  });
}
