import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { runCommand } from '../commands/run-command.ts';
import { auditLogOf } from '../support/audit.ts';
import { signedIn } from '../support/console.ts';
import { readTables } from '../support/copies.ts';
import { forEachEngine } from '../support/engines.ts';
import { FeedReader } from '../support/events.ts';
import { startHealthServer } from '../support/health.ts';
import { temporaryDirectory } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { Shop } from './orders-support.ts';

/** Texts that occur nowhere else. */
const CUSTOMER = {
  customer_name: 'Zyxwvut Customerson',
  address1: '77 Quibble Lane',
  address2: 'Wobble Floor',
  city: 'Vexville',
  postal_code: 'QX-91827',
};
const SECRET = /zyxwvut|customerson|quibble|wobble|vexville|qx-91827/i;
const shipment = { carrier: 'UPS', tracking_number: '1' };

/** Names what is around a customer's data, without printing a whole file. */
function assertClean(text: string, place: string): void {
  const at = text.search(SECRET);
  assert.equal(at, -1, `${place}: …${text.slice(Math.max(0, at - 200), at + 100)}`);
}

async function filesIn(directory: string): Promise<[string, string][]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }): Promise<[string, string]> => {
        const path = join(parentPath, name);
        return [path, await readFile(path, 'latin1')];
      }),
  );
}

forEachEngine((engine) => {
  it('after a day of orders, no customer’s name or address is in files, tables, logs, events, metrics or responses to keys without the scope', async (t) => {
    const service = await startTestService(engine);
    t.after(() => service.close());
    const metrics = await startHealthServer(t, service.health);
    const shop = await Shop.open(service);
    const feed = await FeedReader.open(service, 'start');
    const editor = await signedIn(service, shop.merchant, 'editor');
    const hidden: string[] = [];
    const { token } = shop.merchant;
    const asOther = async (path: string, query: Record<string, string> = {}): Promise<void> => {
      const response = await service.get(path, { token }, query);
      assert.equal(response.status, 200, response.text);
      hidden.push(response.text, JSON.stringify(response.headers));
    };

    // The operator's back end, with mistakes.
    const { order_id } = await shop.push('A1', { ...CUSTOMER, product_quantity: 2, stock: 'reserve' });
    const { order_id: canceled } = await shop.push('A2', CUSTOMER);
    await shop.push('A3', { ...CUSTOMER, fulfillment_due_date: new Date(service.now() - 1).toISOString() });
    await shop.push('A4', { ...CUSTOMER, product_quantity: 99, stock: 'reserve' });
    await shop.push('A1', { ...CUSTOMER, customer_name: 'Zyxwvut M. Customerson' });
    const long = CUSTOMER.customer_name.repeat(20);
    for (const wrong of [
      { customer_name: long },
      { customer_name: [CUSTOMER.city] },
      { country: CUSTOMER.city },
    ])
      assert.equal((await shop.put('A5', { ...CUSTOMER, product_identifier: 'VASE', ...wrong })).status, 400);
    assert.equal((await shop.put('A5', { ...CUSTOMER, product_identifier: 'NONE' })).status, 400);
    const lines = [
      { external_id: 'B1', product_identifier: 'VASE', ...CUSTOMER },
      { external_id: 'B2', product_identifier: 'VASE', ...CUSTOMER, city: long },
    ];
    const streamed = await service.operator(
      'POST',
      `/merchants/${shop.merchant.id}/orders`,
      shop.operatorToken,
      {
        body: `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"customer_name": "${CUSTOMER.customer_name}`,
        headers: { 'content-type': 'application/x-ndjson' },
      },
    );
    assert.equal(streamed.json<{ created: number }>().created, 1, streamed.text);
    const directory = await temporaryDirectory(t);
    const file = join(directory, 'orders.csv');
    const exported = [
      'export',
      'orders',
      '--merchant',
      String(shop.merchant.id),
      '--customers',
      '--format',
      'csv',
    ];
    assert.equal((await runCommand([...exported, '--output', file], service.environment)).status, 0);
    const imported = ['import', 'orders', file, '--merchant', String(shop.merchant.id)];
    const rejects = ['--rejects', join(directory, 'rejects.csv')];
    const command = await runCommand([...imported, ...rejects], service.environment);
    assert.equal(command.status, 0, command.stderr);

    // The merchant's ERP and console, with mistakes.
    for (let time = 0; time < 2; time += 1) {
      const headers = { authorization: `Bearer ${shop.token}`, 'idempotency-key': 'ship' };
      const json = { order_id, ...shipment, quantity: 1 };
      const response = await service.request('POST', '/orders/fulfill', { json, headers });
      assert.equal(response.json<OrderRecord>().city, CUSTOMER.city, response.text);
    }
    await shop.change('acknowledge', { order_id });
    await shop.change('cancel', { order_id: canceled, reason: 'other' });
    await shop.change('refund', { order_id, type: 'partial', reason: 'other', fees: ['shipping_fee'] });
    await shop.put('A1/refunds/refund-1', { state: 'settled' });
    await shop.refused('refund', { order_id, type: 'partial', reason: 'other', fees: ['shipping_fee'] });
    assert.equal((await service.get('/orders', { token }, { status: 'lost' })).status, 400);
    await asOther('/orders');
    await asOther('/orders/retrieve', { order_id: String(order_id) });
    await asOther('/orders', { changed_since: 'start' });
    const noted = await service.request('POST', '/orders/annotate', {
      form: { access_token: token, order_id: String(order_id), annotation: 'gift' },
    });
    hidden.push(noted.text);
    assert.match((await shop.retrieve(order_id)).customer_name ?? '', /^Zyxwvut M\./);
    const revealed = await editor.post('/orders/reveal', { order_ids: String(order_id) });
    assert.match(revealed.text, SECRET);
    const search = `/orders/search?${new URLSearchParams({ query: 'Customerson' })}`;
    assert.match((await editor.get(search)).text, new RegExp(String(order_id)));
    const found = await editor.post('/find', { text: 'Customerson' });
    assert.match(found.text, new RegExp(String(order_id)));
    hidden.push(found.text);
    for (const path of ['/activity?limit=200', '/activity.csv', '/requests'])
      hidden.push((await editor.get(path)).text);
    hidden.push(JSON.stringify(await auditLogOf(service, editor)));

    await until(async () => (await feed.readOf(shop.merchant)).some(({ type }) => type === 'order.overdue'));
    const all = await FeedReader.open(service, 'start');
    hidden.push(JSON.stringify(await all.readOf(shop.merchant)), (await metrics('/metrics')).text);
    hidden.push(...service.log, command.stdout, command.stderr);
    hidden.push(JSON.stringify(await readTables(service.database)));
    assert.ok(hidden.every((text) => text.length > 0 || text === command.stderr));
    for (const [index, text] of hidden.entries()) assertClean(text, `no. ${index}`);

    const encoded = Object.values(CUSTOMER).flatMap((value) => [
      Buffer.from(value).toString('hex'),
      Buffer.from(value).toString('base64').slice(0, -4),
    ]);
    const searched: string[] = [];
    const searchFiles = async (): Promise<void> => {
      for (const [path, bytes] of await filesIn(service.config.dataDirectory)) {
        searched.push(path);
        assertClean(bytes, path);
        for (const text of encoded) assert.ok(!bytes.includes(text), path);
      }
    };
    await searchFiles();
    await service.stop();
    await searchFiles();
    assert.ok(searched.some((path) => path.endsWith('encryption.keys')));
    if (engine.name === 'sqlite') assert.ok(searched.some((path) => path.endsWith('tradepost.db-wal')));
  });
});
