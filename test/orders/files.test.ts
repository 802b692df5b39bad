import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { runCommand } from '../commands/run-command.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { Shop } from './orders-support.ts';

const UNCHANGED = { created: 0, updated: 0, unchanged: 4, rejected: 0 };

/** What an order keeps in another shop. */
const kept = [
  ...(['order_id', 'external_id', 'product_name', 'product_quantity', 'customer_name', 'address1'] as const),
  ...(['address2', 'city', 'state', 'postal_code', 'country', 'available_refunds', 'seller_fees'] as const),
  ...(['upsells', 'related_order_ids', 'fulfillment_due_date', 'created_at', 'paid_at'] as const),
  ...(['placement_id', 'status'] as const),
];

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
  const service = useService(engine);
  let cwd: string;
  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'tradepost-'));
  });
  after(() => rm(cwd, { recursive: true }));

  const rejects = (): string[] => ['--rejects', join(cwd, 'rejects.csv')];
  const run = async (...commandLine: string[]): Promise<string> => {
    const { status, stdout, stderr } = await runCommand(commandLine, service().environment);
    assert.equal(status, 0, stderr + stdout);
    return stdout;
  };
  const importFile = async ({ merchant }: Shop, file: string): Promise<object> => {
    const words = ['import', 'orders', join(cwd, file), '--merchant', String(merchant.id), '--json'];
    const { created, updated, unchanged, rejected } = JSON.parse(await run(...words, ...rejects()));
    return { created, updated, unchanged, rejected };
  };
  const exportFile = async ({ merchant }: Shop, file: string, ...options: string[]): Promise<string> => {
    const output = join(cwd, file);
    await run('export', 'orders', '--merchant', String(merchant.id), '--output', output, ...options);
    return await readFile(output, 'utf8');
  };

  for (const [format, ...options] of [['ndjson'], ['csv', '--format', 'csv']] as const)
    it(`an export in ${format} has the records of the API, oldest ID first, and is imported again without a change, with customers or without, and into another shop`, async () => {
      const shop = await Shop.open(service());
      const listed = await fill(shop);
      const without = await exportFile(shop, `hidden.${format}`, ...options);
      assert.doesNotMatch(without, /Customer|Main Street|Springfield|90210|Floor/);
      assert.deepEqual(await importFile(shop, `hidden.${format}`), UNCHANGED);

      const all = await exportFile(shop, `all.${format}`, ...options, '--customers');
      const [first = '', ...others] = all.trimEnd().split(/\r?\n/);
      if (format === 'csv') assert.deepEqual(first.split(','), Object.keys(listed[0] ?? {}));
      else
        assert.deepEqual(
          [first, ...others].map((line): unknown => JSON.parse(line)),
          listed.toReversed(),
        );
      assert.deepEqual(await importFile(shop, `all.${format}`), UNCHANGED);
      assert.deepEqual(await shop.list(), listed);

      const other = await Shop.open(service());
      assert.deepEqual(await importFile(other, `all.${format}`), { ...UNCHANGED, created: 4, unchanged: 0 });
      const valuesOf = (orders: OrderRecord[]) =>
        orders.map((order) => kept.map((name): unknown => order[name]));
      assert.deepEqual(valuesOf(await other.list()), valuesOf(listed));
    });

  it('rejected rows are listed with line, column, value and reason; the others are imported', async () => {
    const shop = await Shop.open(service());
    const file = join(cwd, 'orders.csv');
    await writeFile(
      file,
      'external_id,product_identifier,available_refunds,product_quantity\r\n' +
        'Y-1,VASE,"{""buyer_fee"": 12.5}",2\r\nY-2,VASE,12.5,\r\nY-3,LAMP,,x\r\nY-4,VASE,,\r\n',
    );
    const words = ['import', 'orders', file, '--merchant', String(shop.merchant.id), ...rejects()];
    const { status, stdout } = await runCommand(words, service().environment);
    assert.equal(status, 1);
    assert.match(stdout, /^2 created, 0 updated, 0 unchanged, 2 rejected\./);
    const rejected = await readFile(join(cwd, 'rejects.csv'), 'utf8');
    assert.match(rejected, /3,available_refunds,12\.5,"?expected an object of amounts/);
    assert.match(rejected, /4,product_quantity,x,expected a whole number/);
    const { available_refunds, product_quantity } = await shop.read('Y-1');
    assert.deepEqual([available_refunds, product_quantity], [{ buyer_fee: 12.5 }, 2]);
  });

  it('a dry run reports what would change and stores nothing', async () => {
    const shop = await Shop.open(service());
    const line = JSON.stringify({ external_id: 'Z-1', product_identifier: 'VASE' });
    const file = join(cwd, 'o.ndjson');
    await writeFile(file, `${line}\n`);
    const words = ['import', 'orders', file, '--merchant', String(shop.merchant.id), '--dry-run'];
    assert.match(await run(...words, ...rejects()), /^Dry run: 1 created/);
    assert.deepEqual(await shop.list(), []);
  });
});
