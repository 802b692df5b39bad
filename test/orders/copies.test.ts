import assert from 'node:assert/strict';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { testSideOf } from '../../src/database/sides.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { runCommand } from '../commands/run-command.ts';
import { copyTo, directions, newCopyDatabase } from '../support/copies.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { orderDraft, pushDrafts } from '../support/orders.ts';
import { temporaryDirectory } from '../support/process.ts';
import { startTestService, type TestService, useService } from '../support/service.ts';
import { Shop } from './orders-support.ts';

const shipment = { carrier: 'UPS', tracking_number: '1' };

async function fill(shop: Shop): Promise<OrderRecord[]> {
  const { order_id } = await shop.push('A1', { product_quantity: 3, stock: 'reserve' });
  await shop.change('fulfill', { order_id, ...shipment, quantity: 1 });
  await shop.change('refund', { order_id, type: 'partial', reason: 'other', fees: ['shipping_fee'] });
  await shop.push('A2', { order_id: 4711, status: 'unpaid' });
  const { order_id: canceled } = await shop.push('A3');
  await shop.change('cancel', { order_id: canceled, reason: 'other' });
  return await shop.list();
}

/** What the other service does must not differ from what the first one would have done. */
async function assertContinues(shop: Shop, listed: OrderRecord[]): Promise<void> {
  assert.deepEqual(await shop.list(), listed);
  assert.equal(listed.at(-1)?.customer_name, 'A. Customer');
  const changes = await shop.service.get('/orders', shop, { changed_since: 'start' });
  assert.equal(changes.json<{ results: object[] }>().results.length, listed.length);
  assert.deepEqual(await shop.push('A1', { product_quantity: 3, stock: 'reserve' }), listed.at(-1));
  assert.equal(await shop.stockOf('VASE-S'), 2);
  const { order_id } = await shop.push('A9');
  assert.equal(order_id, 4713);
  assert.equal((await shop.change('fulfill', { order_id, ...shipment })).status, 'shipped');
  const summary = await shop.service.get('/orders', shop, { filter: 'fulfilled', pagination: 'true' });
  assert.equal(summary.json<{ total_entries: number }>().total_entries, 1);
}

async function restart(
  t: TestContext,
  shop: Shop,
  environment: Record<string, string> & { DATA_DIR: string },
  { config }: TestService,
): Promise<Shop> {
  const settings = { ...environment, ENCRYPTION_KEY_FILE: config.encryptionKeyFile };
  const service = await startTestService(sqlite, { environment: settings });
  t.after(() => service.close());
  return shop.in(service);
}

for (const { from, to } of directions)
  it(`tradepost copy moves orders and their customers from ${from.name} to ${to.name}`, async (t) => {
    const first = await startTestService(from);
    t.after(() => first.close());
    const shop = await Shop.open(first);
    const listed = await fill(shop);
    await first.stop();
    const copy = await newCopyDatabase(t, to);
    await copyTo(first.environment, copy.environment);
    await assertContinues(await restart(t, shop, copy.environment, first), listed);
  });

it('a backup contains orders, and is served with the key file', async (t) => {
  const first = await startTestService(sqlite);
  t.after(() => first.close());
  const shop = await Shop.open(first);
  const listed = await fill(shop);
  const directory = await temporaryDirectory(t);
  const file = join(directory, 'backup.db');
  const { status, stdout, stderr } = await runCommand(['backup', file, '--json'], first.environment);
  assert.equal(status, 0, stderr);
  const { rows, separate_key_file } = JSON.parse(stdout);
  assert.equal(rows.orders, listed.length);
  assert.equal(separate_key_file, first.config.encryptionKeyFile);
  await shop.push('AFTER');
  await first.stop();
  const environment = { DATA_DIR: join(directory, 'restored') };
  await mkdir(environment.DATA_DIR);
  await copyFile(file, join(environment.DATA_DIR, 'tradepost.db'));
  await assertContinues(await restart(t, shop, environment, first), listed);
});

forEachEngine((engine) => {
  const service = useService(engine);

  describe('POST test/reset', () => {
    it('deletes the orders of the test side, whose cursors expire, and no live order', async () => {
      const shop = await Shop.open(service());
      await shop.push('LIVE');
      const side = { id: testSideOf(shop.merchant.id) };
      const test = await service().newTestKey(shop.merchant);
      const form = { access_token: test.token, identifier: 'POT', title: 'Pot' };
      assert.equal((await service().request('POST', '/products', { form })).status, 200);
      const push = (name: string) =>
        pushDrafts(service(), side, [orderDraft(name, { product_identifier: 'POT', customer_name: 'T' })]);
      await push('T1');
      await push('T2');
      const list = async (key: { token: string }): Promise<string[]> =>
        (await service().get('/orders', key)).json<OrderRecord[]>().map(({ external_id }) => external_id);
      assert.deepEqual([await list(test), await list(shop)], [['T2', 'T1'], ['LIVE']]);
      const since = await service().get('/orders', test, { changed_since: 'start' });
      const { cursor } = since.json<{ cursor: string }>();
      const reset = await service().request('POST', '/test/reset', { form: { access_token: test.token } });
      assert.equal(reset.status, 200, reset.text);
      assert.deepEqual([await list(test), await list(shop)], [[], ['LIVE']]);
      expectError(
        await service().get('/orders', test, { changed_since: cursor }),
        410,
        /test side was reset/,
      );
      assert.equal((await service().request('POST', '/products', { form })).status, 200);
      const [again] = await push('T1');
      assert.equal(again?.order_id, 1);
    });
  });
});
