import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { forEachEngine } from '../support/engines.ts';
import { temporaryDirectory, tradepost } from '../support/process.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { Shop } from './orders-support.ts';

const UNCHANGED = { created: 0, updated: 0, unchanged: 4, rejected: 0 };

/** Orders of every kind, of one merchant. */
async function fill(shop: Shop): Promise<OrderRecord[]> {
  await shop.push('X-1', {
    product_quantity: 3,
    order_id: 70,
    address2: 'Floor "2", left',
    upsells: [{ type_description: 'Gift, wrapped', amount: 2.5, description: 'with "ribbon"' }],
    seller_fees: [{ type: 'commission', amount: 4.5 }],
    related_order_ids: [71],
    fulfillment_due_date: '2026-05-01T12:00:00Z',
    placement_id: 'p-1',
  });
  await shop.push('X-2', { order_id: 71, status: 'unpaid', customer_name: '=1+1' });
  await shop.push('X-3', { order_id: 72 });
  await shop.push('X-4', { order_id: 73 });
  await shop.change('fulfill', { order_id: 70, carrier: 'UPS', tracking_number: '1Z', quantity: 1 });
  await shop.change('refund', {
    order_id: 70,
    type: 'partial',
    reason: 'other',
    fees: ['buyer_fee'],
    quantity: 1,
  });
  await shop.change('fulfill', {
    order_id: 72,
    carrier: 'other',
    carrier_name: 'Bike, fast',
    tracking_number: '7',
  });
  await shop.change('annotate', { order_id: 72, annotation: 'two\nlines' });
  await shop.change('cancel', { order_id: 73, reason: 'out_of_stock' });
  return await shop.list();
}

forEachEngine((engine) => {
  async function withShop(t: TestContext, work: (shop: Shop, service: TestService) => Promise<void>) {
    const service = await startTestService(engine);
    t.after(() => service.close());
    await work(await Shop.open(service), service);
  }

  async function commands(t: TestContext, { environment }: TestService, { merchant }: Shop) {
    const cwd = await temporaryDirectory(t);
    const run = async (...commandLine: string[]): Promise<string> => {
      const { status, stdout, stderr } = await tradepost(commandLine, environment, { cwd });
      assert.equal(status, 0, stderr + stdout);
      return stdout;
    };
    const id = String(merchant.id);
    const importFile = async (file: string): Promise<object> => {
      const { created, updated, unchanged, rejected } = JSON.parse(
        await run('import', 'orders', file, '--merchant', id, '--json'),
      );
      return { created, updated, unchanged, rejected };
    };
    const exportFile = async (file: string, ...options: string[]): Promise<string> => {
      await run('export', 'orders', '--merchant', id, '--output', file, ...options);
      return await readFile(join(cwd, file), 'utf8');
    };
    return { cwd, importFile, exportFile };
  }

  for (const format of ['ndjson', 'csv'])
    it(`an export in ${format} is imported again without a change, with customers or without them`, (t) =>
      withShop(t, async (shop, service) => {
        const listed = await fill(shop);
        const { importFile, exportFile } = await commands(t, service, shop);
        const without = await exportFile(`hidden.${format}`, '--format', format);
        assert.doesNotMatch(without, /Customer|Main Street|Springfield|90210|Floor/);
        assert.deepEqual(await importFile(`hidden.${format}`), UNCHANGED);
        const all = await exportFile(`all.${format}`, '--format', format, '--customers');
        assert.match(all, /A\. Customer/);
        assert.deepEqual(await importFile(`all.${format}`), UNCHANGED);
        assert.deepEqual(await shop.list(), listed);
      }));

  it('an export has the records of the API, oldest ID first', (t) =>
    withShop(t, async (shop, service) => {
      const listed = await fill(shop);
      const { exportFile } = await commands(t, service, shop);
      const lines = (await exportFile('o.ndjson', '--customers')).trimEnd().split('\n');
      assert.deepEqual(
        lines.map((line): unknown => JSON.parse(line)),
        listed.toReversed(),
      );
      const [header = ''] = (await exportFile('o.csv', '--format', 'csv')).split(/\r?\n/);
      assert.deepEqual(header.split(','), Object.keys(listed[0] ?? {}));
    }));

  for (const format of ['ndjson', 'csv'])
    it(`an export in ${format} with customers can be imported into another shop`, (t) =>
      withShop(t, async (shop, service) => {
        const listed = await fill(shop);
        const { exportFile, cwd } = await commands(t, service, shop);
        const text = await exportFile(`all.${format}`, '--format', format, '--customers');
        const other = await Shop.open(service);
        const { importFile, cwd: target } = await commands(t, service, other);
        await writeFile(join(target, `all.${format}`), text);
        assert.notEqual(cwd, target);
        assert.deepEqual(await importFile(`all.${format}`), { ...UNCHANGED, created: 4, unchanged: 0 });
        const kept = [
          ...([
            'order_id',
            'external_id',
            'product_name',
            'product_quantity',
            'customer_name',
            'address1',
          ] as const),
          ...([
            'address2',
            'city',
            'state',
            'postal_code',
            'country',
            'available_refunds',
            'seller_fees',
          ] as const),
          ...([
            'upsells',
            'related_order_ids',
            'fulfillment_due_date',
            'created_at',
            'paid_at',
            'placement_id',
          ] as const),
          'status',
        ] as const;
        const valuesOf = (orders: OrderRecord[]) =>
          orders.map((order) => kept.map((name): unknown => order[name]));
        assert.deepEqual(valuesOf(await other.list()), valuesOf(listed));
      }));

  it('rejected rows are listed with line, column, value and reason; the others are imported', (t) =>
    withShop(t, async (shop, service) => {
      const { cwd } = await commands(t, service, shop);
      await writeFile(
        join(cwd, 'orders.csv'),
        'external_id,product_identifier,available_refunds,product_quantity\r\n' +
          'Y-1,VASE,"{""buyer_fee"": 12.5}",2\r\nY-2,VASE,12.5,\r\nY-3,LAMP,,x\r\nY-4,VASE,,\r\n',
      );
      const id = String(shop.merchant.id);
      const command = ['import', 'orders', 'orders.csv', '--merchant', id];
      const { status, stdout } = await tradepost(command, service.environment, { cwd });
      assert.equal(status, 1);
      assert.match(stdout, /^2 created, 0 updated, 0 unchanged, 2 rejected\./);
      const rejects = await readFile(join(cwd, 'orders.csv.rejects.csv'), 'utf8');
      assert.match(rejects, /3,available_refunds,12\.5,"?expected an object of amounts/);
      assert.match(rejects, /4,product_quantity,x,expected a whole number/);
      const { available_refunds, product_quantity } = await shop.read('Y-1');
      assert.deepEqual([available_refunds, product_quantity], [{ buyer_fee: 12.5 }, 2]);
    }));

  it('a dry run reports what would change and stores nothing', (t) =>
    withShop(t, async (shop, service) => {
      const { cwd } = await commands(t, service, shop);
      await writeFile(
        join(cwd, 'o.ndjson'),
        `${JSON.stringify({ external_id: 'Z-1', product_identifier: 'VASE' })}\n`,
      );
      const command = ['import', 'orders', 'o.ndjson', '--merchant', String(shop.merchant.id), '--dry-run'];
      const { stdout, stderr } = await tradepost(command, service.environment, { cwd });
      assert.match(stdout, /^Dry run: 1 created/, stderr);
      assert.deepEqual(await shop.list(), []);
    }));
});
