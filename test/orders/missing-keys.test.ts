import assert from 'node:assert/strict';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { OrderSearchPart, RevealedCustomers } from '../../src/console/order-api.ts';
import { statement } from '../../src/database/statement.ts';
import { readKeyFile } from '../../src/encryption/key-file.ts';
import { formatKeyLines, NO_KEYS, newMonthlySecret } from '../../src/encryption/key-lines.ts';
import { monthAt } from '../../src/encryption/month.ts';
import { addNextKeys, startNextKeys } from '../../src/encryption/rotate-keys.ts';
import { redactOldOrders } from '../../src/orders/customer/redact.ts';
import { renewKeys } from '../../src/orders/customer/renew-keys.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import type { ClientResponse } from '../support/client.ts';
import { signedIn } from '../support/console.ts';
import { copyTo, newCopyDatabase } from '../support/copies.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { vaultOf } from '../support/orders.ts';
import { startTestService, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { Shop } from './orders-support.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const shipment = { carrier: 'UPS', tracking_number: '1' };
const noCustomer = { customer_name: undefined, address1: undefined, city: undefined, postal_code: undefined };

const listKeys = statement<{ merchantId: number }, { key: string }>(
  'SELECT key FROM order_customers WHERE merchant_id = :merchantId ORDER BY order_id',
);

async function replaceFile(file: string, content: string): Promise<void> {
  await writeFile(`${file}.other`, content, { mode: 0o600 });
  await rename(`${file}.other`, file);
}

function expectUnavailable(
  response: ClientResponse,
  { encryptionKeyFile }: { encryptionKeyFile: string },
): void {
  assert.equal(response.status, 503, response.text);
  assert.match(response.message, /^Encrypted data, such as names and addresses of customers, is unavailable/);
  assert.equal(response.headers['tradepost-error'], 'encrypted_data_unavailable');
  assert.equal(response.headers['retry-after'], '30');
  assert.ok(!response.text.includes(encryptionKeyFile));
}

const listWith = (shop: Shop, query: Record<string, string> = {}): Promise<ClientResponse> =>
  shop.service.get('/orders', shop, query);

forEachEngine((engine) => {
  describe('if the key file lacks a key of customers’ data while the service runs', () => {
    const service = useService(engine, { pollMs: 0 });

    /** Puts another file in place, and the right one back. */
    async function withFile(shop: Shop, other: string, test: () => Promise<void>): Promise<void> {
      const { encryptionKeyFile: file } = service().config;
      const content = await readFile(file, 'utf8');
      await replaceFile(file, other);
      assert.equal((await listWith(shop)).status, 503);
      await test();
      await replaceFile(file, content);
      assert.equal((await listWith(shop)).status, 200);
    }

    const foreignFile = (): string =>
      formatKeyLines({ ...NO_KEYS, monthly: [newMonthlySecret(monthAt(service().now()))] });

    const stream = (shop: Shop, order: object): Promise<ClientResponse> =>
      service().operator('POST', `/merchants/${shop.merchant.id}/orders`, shop.operatorToken, {
        body: `${JSON.stringify({ product_identifier: 'VASE', ...order })}\n`,
        headers: { 'content-type': 'application/x-ndjson' },
      });

    it('calls that show customers respond 503, log which key is missing, and recover by themselves', async () => {
      const shop = await Shop.open(service());
      const { order_id } = await shop.push('A1');
      const { config, database, log } = service();
      const [stored] = await database.all(listKeys, { merchantId: shop.merchant.id });
      await withFile(shop, foreignFile(), async () => {
        const id = String(order_id);
        expectUnavailable(await listWith(shop), config);
        expectUnavailable(await listWith(shop, { changed_since: 'start' }), config);
        expectUnavailable(await service().get('/orders/retrieve', shop, { order_id: id }), config);
        const path = `/merchants/${shop.merchant.id}/orders/A1`;
        expectUnavailable(await service().operator('GET', path, shop.operatorToken), config);
        const reason = `The key file ${config.encryptionKeyFile} does not have the monthly key ${stored?.key.slice(8)}, `;
        const line = log.find((each) => each.includes(reason)) ?? assert.fail('not logged');
        const { msg, level } = JSON.parse(line) as { msg: string; level: number };
        assert.deepEqual([msg, level], ['request refused', 40]);
        assert.match(line, /Copy the file from another node, or from where you keep a copy of it\./);
      });
      assert.equal((await shop.retrieve(order_id)).customer_name, 'A. Customer');
    });

    it('callers without the scope see the orders, and changes succeed with the customer hidden', async () => {
      const shop = await Shop.open(service());
      const { order_id: shipped } = await shop.push('B1');
      const { order_id: refunded } = await shop.push('B2');
      await withFile(shop, foreignFile(), async () => {
        const listed = await service().get('/orders', shop.merchant);
        assert.equal(listed.status, 200);
        assert.equal(listed.json<OrderRecord[]>().length, 2);
        const changes = [
          await shop.change('acknowledge', { order_id: shipped }),
          await shop.change('fulfill', { order_id: shipped, ...shipment }),
          await shop.change('refund', { order_id: refunded, type: 'full', reason: 'other' }),
        ];
        for (const response of [
          await shop.put('B1/packages/ups:1', { state: 'delivered' }),
          await shop.put('B2/refunds/refund-1', { state: 'settled' }),
        ]) {
          assert.equal(response.status, 200, response.text);
          changes.push(response.json<OrderRecord>());
        }
        for (const { customer_hidden, customer_name } of changes)
          assert.deepEqual([customer_hidden, customer_name], [true, null]);
        assert.ok(service().log.some((line) => line.includes('"msg":"customer hidden"')));
      });
      const [second, first] = await shop.list();
      assert.deepEqual([first?.status, second?.status], ['shipped', 'refunded']);
      for (const order of [first, second]) {
        assert.equal(order?.customer_name, 'A. Customer');
        assert.equal(order?.customer_hidden, false);
      }
    });

    it('the console lists, finds and changes orders, and cannot reveal their customers', async () => {
      const shop = await Shop.open(service());
      const editor = await signedIn(service(), shop.merchant, 'editor');
      const { order_id } = await shop.push('CONSOLE-1');
      const reveal = () => editor.post('/orders/reveal', { order_ids: String(order_id) });
      await withFile(shop, foreignFile(), async () => {
        const refused = await reveal();
        assert.equal(refused.status, 503, refused.text);
        assert.match(refused.message, /^Encrypted data, such as names and addresses/);
        const found = (await editor.get('/orders/search?query=console-1')).json<OrderSearchPart>();
        assert.deepEqual(
          found.orders.map((order) => order.order_id),
          [order_id],
        );
      });
      const revealed = (await reveal()).json<RevealedCustomers>();
      assert.equal(revealed.customers[0]?.customer_name, 'A. Customer');
    });

    it('orders with customers are refused, and orders without are stored; nothing gets a key that the right file lacks', async () => {
      const shop = await Shop.open(service());
      await shop.push('C1');
      const { config, database } = service();
      const stated = { product_identifier: 'VASE', customer_name: 'B. Customer' };
      await withFile(shop, foreignFile(), async () => {
        expectUnavailable(await shop.put('C2', stated), config);
        expectUnavailable(await shop.put('C1', { customer_name: 'B. Customer' }), config);
        expectUnavailable(await stream(shop, { external_id: 'C3', customer_name: 'C. Customer' }), config);
        const path = `/merchants/${shop.merchant.id}/orders/C2`;
        assert.equal((await service().operator('GET', path, shop.operatorToken)).status, 404);
        await shop.push('C4', { ...noCustomer, product_quantity: 1 });
        await shop.push('C1', { ...noCustomer, service_type: 'Express' });
        const streamed = await stream(shop, { external_id: 'C5' });
        assert.equal(streamed.json<{ created: number }>().created, 1, streamed.text);
      });
      await shop.push('C2', stated);
      const listed = await shop.list();
      assert.deepEqual(
        listed.map(({ external_id, customer_name }) => [external_id, customer_name]),
        [
          ['C2', 'B. Customer'],
          ['C5', null],
          ['C4', null],
          ['C1', 'A. Customer'],
        ],
      );
      assert.equal(listed.at(-1)?.service_type, 'Express');
      const keys = await database.all(listKeys, { merchantId: shop.merchant.id });
      assert.equal(new Set(keys.map(({ key }) => key)).size, 1);
    });

    it('another secret under the same ID counts as missing', async () => {
      const shop = await Shop.open(service());
      await shop.push('D1');
      const { config, log } = service();
      const { monthly } = await readKeyFile(config.encryptionKeyFile);
      const { secret } = newMonthlySecret('2026-01');
      const changed = formatKeyLines({ ...NO_KEYS, monthly: monthly.map((each) => ({ ...each, secret })) });
      await withFile(shop, changed, async () => {
        expectUnavailable(await listWith(shop), config);
        expectUnavailable(await shop.put('D2', { product_identifier: 'VASE', customer_name: 'x' }), config);
        const id = monthly[0]?.id;
        const problem = `or monthly key ${id} in the key file ${config.encryptionKeyFile} was changed`;
        assert.ok(log.some((line) => line.includes(problem)));
        assert.ok(log.some((line) => line.includes(`has another secret as monthly key ${id} than before`)));
      });
    });

    it('a file from before a rotation lacks only the keys since', async () => {
      const shop = await Shop.open(service());
      const { order_id: early } = await shop.push('E1');
      const { config, now } = service();
      const { encryptionKeyFile: file } = config;
      const before = await readFile(file, 'utf8');
      await addNextKeys(file, monthAt(now()));
      const [id = ''] = await startNextKeys(file);
      const { order_id: late } = await shop.push('E2');
      const keys = await service().database.all(listKeys, { merchantId: shop.merchant.id });
      assert.ok(keys.some(({ key }) => key.endsWith(id)));
      await withFile(shop, before, async () => {
        assert.equal((await shop.retrieve(early)).customer_name, 'A. Customer');
        const retrieved = await service().get('/orders/retrieve', shop, { order_id: String(late) });
        expectUnavailable(retrieved, config);
        expectUnavailable(await shop.put('E3', { product_identifier: 'VASE', customer_name: 'x' }), config);
      });
      assert.equal((await shop.retrieve(late)).customer_name, 'A. Customer');
    });

    it('a file that is gone or cannot be read changes nothing until a restart', async () => {
      const shop = await Shop.open(service());
      const { order_id } = await shop.push('F1');
      const { encryptionKeyFile: file } = service().config;
      const content = await readFile(file, 'utf8');
      const goesOn = async (): Promise<void> => {
        assert.equal((await shop.retrieve(order_id)).customer_name, 'A. Customer');
        await shop.push('F1', { customer_name: 'B. Customer' });
        await shop.push('F1');
      };
      await rm(file);
      await goesOn();
      await replaceFile(file, 'other');
      await goesOn();
      await replaceFile(file, content);
    });
  });

  it('customers of a backup whose keys were destroyed stay erased after it is restored', async (t) => {
    const first = await startTestService(engine);
    t.after(() => first.close());
    first.passTime(-100 * DAY_MS);
    const shop = await Shop.open(first);
    const { order_id: shipped } = await shop.push('G1');
    await shop.change('fulfill', { order_id: shipped, ...shipment });
    const { order_id: open } = await shop.push('G2');
    await first.stop();
    const backup = await newCopyDatabase(t, sqlite);
    await copyTo(first.environment, backup.environment);

    const second = await startTestService(engine, { environment: first.environment });
    t.after(() => second.stop());
    const { database, now } = second;
    const customers = vaultOf(second);
    await redactOldOrders({ database, now }, now() - 30 * DAY_MS);
    await renewKeys({ database, now, customers }, now() - 30 * DAY_MS, () => false);
    await customers.destroyUnusedKeys(database, now());
    await second.stop();

    const { encryptionKeyFile: ENCRYPTION_KEY_FILE } = first.config;
    const settings = { ...backup.environment, ENCRYPTION_KEY_FILE };
    const restored = await startTestService(sqlite, { environment: settings });
    t.after(() => restored.close());
    const there = shop.in(restored);
    assert.deepEqual(
      (await there.list()).map(({ order_id, customer_name, address1 }) => [
        order_id,
        customer_name,
        address1,
      ]),
      [
        [open, null, null],
        [shipped, null, null],
      ],
    );
    await until(async () => (await there.retrieve(shipped)).redacted_at !== null);
    assert.equal((await there.push('G2')).customer_name, 'A. Customer', 'the operator can state it again');
  });
});
