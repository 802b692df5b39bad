import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Database } from '../../src/database/database.ts';
import { statement } from '../../src/database/statement.ts';
import { readKeyFile } from '../../src/encryption/key-file.ts';
import { monthAt } from '../../src/encryption/month.ts';
import { MonthlyKeys } from '../../src/encryption/monthly-keys.ts';
import { CustomerVault } from '../../src/orders/customer/customer-vault.ts';
import { redactOldOrders } from '../../src/orders/customer/redact.ts';
import { renewKeys } from '../../src/orders/customer/renew-keys.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { putCustomer } from '../../src/orders/record/queries.ts';
import { forEachEngine } from '../support/engines.ts';
import { startTestService, type TestService, useService } from '../support/service.ts';
import { streamLines } from '../support/streams.ts';
import { until } from '../support/until.ts';
import { Shop } from './orders-support.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const shipment = { carrier: 'UPS', tracking_number: '1' };

const listStored = statement<{ merchantId: number }, { order_id: number; key: string; data: Uint8Array }>(
  'SELECT order_id, key, data FROM order_customers WHERE merchant_id = :merchantId ORDER BY order_id',
);
const listNameWords = statement<{ merchantId: number }, { order_id: number }>(
  `SELECT DISTINCT order_id FROM order_words WHERE merchant_id = :merchantId AND word LIKE 'name:%'
   ORDER BY order_id`,
);

const ofCustomer = ({ customer_name, address1, address2, city, postal_code }: OrderRecord): unknown[] => [
  customer_name,
  address1,
  address2,
  city,
  postal_code,
];

async function storedIds(database: Database, { id: merchantId }: { id: number }): Promise<number[]> {
  const rows = await database.all(listStored, { merchantId });
  const withWords = await database.all(listNameWords, { merchantId });
  assert.deepEqual(
    withWords.map(({ order_id }) => order_id),
    rows.map(({ order_id }) => order_id),
    'the words of names are erased together with the names',
  );
  return rows.map(({ order_id }) => order_id);
}

forEachEngine((engine) => {
  describe('CUSTOMER_RETENTION', () => {
    const service = useService(engine);
    const renewKeysLater = async (): Promise<void> => {
      const { database, now, config } = service();
      service().passTime(65 * DAY_MS);
      const keys = new MonthlyKeys({ file: config.encryptionKeyFile, onCreated: () => {} });
      const customers = new CustomerVault(keys, database.dialect);
      await renewKeys({ database, now, customers }, now() - 30 * DAY_MS, () => false);
    };

    it('counts from when an order was shipped, refunded or canceled; an open order keeps its customer', async () => {
      const shop = await Shop.open(service());
      const { database, now } = service();
      const erase = (days: number): Promise<void> =>
        redactOldOrders({ database, now }, now() - days * DAY_MS);
      const { order_id: shipped } = await shop.push('A1');
      await shop.change('fulfill', { order_id: shipped, ...shipment });
      const { order_id: refunded } = await shop.push('A2');
      await shop.change('refund', { order_id: refunded, type: 'full', reason: 'other' });
      const { order_id: canceled } = await shop.push('A3');
      await shop.change('cancel', { order_id: canceled, reason: 'other' });
      const { order_id: open } = await shop.push('A4');
      const { order_id: failed } = await shop.push('A5');
      await shop.change('refund', { order_id: failed, type: 'full', reason: 'other' });
      await shop.put('A5/refunds/refund-1', { state: 'failed', failure: 'x' });
      const { order_id: unshipped } = await shop.push('A6');
      await shop.change('fulfill', { order_id: unshipped, ...shipment });
      await shop.change('unfulfill', { order_id: unshipped, package_id: 'ups:1' });
      const all = [shipped, refunded, canceled, open, failed, unshipped];
      service().passTime(30 * DAY_MS);
      await erase(30);
      assert.deepEqual(await storedIds(database, shop.merchant), all, 'not later than 30 days');
      const { order_id: late } = await shop.push('A7');
      await shop.change('fulfill', { order_id: late, ...shipment });
      service().passTime(1);
      await erase(30);
      assert.deepEqual(await storedIds(database, shop.merchant), [open, failed, unshipped, late]);
      for (const order of await shop.list()) {
        const isErased = [shipped, refunded, canceled].includes(order.order_id);
        assert.equal(order.redacted_at !== null, isErased, order.external_id);
        assert.deepEqual(
          ofCustomer(order),
          isErased ? Array(5).fill(null) : ['A. Customer', '1 Main Street', null, 'Springfield', '90210'],
        );
        assert.deepEqual([order.state, order.country, order.customer_hidden], ['CA', 'USA', false]);
      }
    });

    it('an order that was over when it was pushed counts from the push', async () => {
      const shop = await Shop.open(service());
      const { database, now } = service();
      const { order_id } = await shop.push('B1', { status: 'shipped', ...shipment });
      assert.deepEqual(await storedIds(database, shop.merchant), [order_id]);
      service().passTime(31 * DAY_MS);
      await redactOldOrders({ database, now }, now() - 30 * DAY_MS);
      assert.deepEqual(await storedIds(database, shop.merchant), []);
      assert.notEqual((await shop.read('B1')).redacted_at, null);
    });

    it('customers of open orders get the key of this month, and can be read and found as before', async () => {
      const { database, now } = service();
      const shop = await Shop.open(service());
      for (let count = 0; count < 3; count += 1)
        await shop.push(`R${count}`, { customer_name: `Customer ${count}` });
      const before = await shop.list();
      await renewKeysLater();
      const stored = await database.all(listStored, { merchantId: shop.merchant.id });
      assert.deepEqual(
        stored.map(({ key }) => key.slice(0, 7)),
        Array(3).fill(monthAt(now())),
      );
      assert.deepEqual((await shop.list()).map(ofCustomer), before.map(ofCustomer));
      await storedIds(database, shop.merchant);
    });

    it('a package that is shipped in the future delays nothing', async () => {
      const shop = await Shop.open(service());
      const { database, now } = service();
      const { order_id } = await shop.push('E1');
      await shop.change('fulfill', { order_id, ...shipment, shipped_at: '9999-12-31T00:00:00Z' });
      await shop.push('E1', { address1: '2 Main Street' });
      service().passTime(31 * DAY_MS);
      await redactOldOrders({ database, now }, now() - 30 * DAY_MS);
      assert.deepEqual(await storedIds(database, shop.merchant), []);
    });

    it('customers of an older backup, whose keys were destroyed, do not keep others from getting newer keys', async () => {
      const { database, now } = service();
      const shop = await Shop.open(service());
      const { order_id } = await shop.push('G1');
      const key = (await database.all(listStored, { merchantId: shop.merchant.id }))[0]?.key ?? '';
      const lost = { order_id: 4711, key: `1999-01${key.slice(7)}`, data: Buffer.from('x'), closed_at: null };
      const rows = [{ ...lost, merchant_id: shop.merchant.id }];
      for (let count = 0; count < 100; count += 1)
        rows.push({ ...lost, merchant_id: (await service().newMerchant()).id });
      await database.transaction(async (connection) => connection.send(putCustomer, rows), {
        everyNode: true,
      });
      await renewKeysLater();
      const stored = await database.all(listStored, { merchantId: shop.merchant.id });
      assert.deepEqual(
        stored.map((row) => [row.order_id, row.key.slice(0, 7)]),
        [
          [order_id, monthAt(now())],
          [4711, '1999-01'],
        ],
      );
    });

    it('erases thousands of orders, some in each transaction', async () => {
      const shop = await Shop.open(service());
      const { database, now } = service();
      const orders = Array.from({ length: 1_200 }, (_, index) => ({
        ...{ external_id: `C-${index}`, product_identifier: 'VASE', customer_name: `Customer ${index}` },
        ...{ status: 'shipped', ...shipment },
      }));
      const { created } = await streamLines(service(), shop.merchant, 'orders', orders);
      assert.equal(created, 1_200);
      service().passTime(31 * DAY_MS);
      await redactOldOrders({ database, now }, now() - 30 * DAY_MS);
      assert.deepEqual(await storedIds(database, shop.merchant), []);
      const left = (await shop.list({ per_page: '1000' })).filter(({ redacted_at }) => redacted_at === null);
      assert.deepEqual(left, []);
    });
  });

  it('the service erases old customers by itself, tells those who follow, and destroys the keys of their months', async (t) => {
    const first = await startTestService(engine);
    let running = first;
    t.after(() => running.close());
    const restart = async (): Promise<TestService> => {
      await running.stop();
      running = await startTestService(engine, { environment: first.environment });
      return running;
    };
    first.passTime(-100 * DAY_MS);
    const shop = await Shop.open(first);
    const ship = async (name: string): Promise<number> => {
      const { order_id } = await shop.push(name);
      await shop.change('fulfill', { order_id, ...shipment });
      return order_id;
    };
    const old = await ship('D1');
    const { order_id: open } = await shop.push('D2');
    const past = monthAt(first.now());
    first.passTime(95 * DAY_MS);
    const recent = await ship('D3');
    const { id: merchantId } = shop.merchant;
    const stored = await first.database.all(listStored, { merchantId });
    assert.deepEqual(
      stored.map(({ order_id }) => order_id),
      [old, open, recent],
    );
    assert.match(stored[0]?.key ?? '', new RegExp(`^${past}:`));
    const start = await first.get('/orders', shop, { changed_since: 'start' });
    const { cursor } = start.json<{ cursor: string }>();

    const second = shop.in(await restart());
    const changes = await until(async () => {
      const response = await second.service.get('/orders', shop, { changed_since: cursor });
      const { results } = response.json<{ results: OrderRecord[] }>();
      return results.length > 0 && results;
    });
    assert.deepEqual(
      changes.map(({ order_id }) => order_id),
      [old],
    );
    assert.notEqual(changes[0]?.redacted_at, null);
    assert.deepEqual(ofCustomer(changes[0] ?? assert.fail()), Array(5).fill(null));
    assert.deepEqual(await storedIds(second.service.database, shop.merchant), [open, recent]);

    // A backup from before has the rows.
    const decrypt = async (): Promise<(string | undefined)[]> => {
      const keys = new MonthlyKeys({ file: first.config.encryptionKeyFile, onCreated: () => {} });
      const decryptor = await keys.decryptorOf(stored.map(({ key }) => key));
      return stored.map(({ order_id, key, data }) =>
        decryptor({ keyName: key, bytes: data }, `customer of order ${order_id} of ${merchantId}`),
      );
    };
    assert.match((await decrypt())[0] ?? '', /A\. Customer/);
    // The customer of the open order gets a newer key before the old one is destroyed.
    await until(async () => {
      const keys = (await second.service.database.all(listStored, { merchantId })).map(({ key }) => key);
      return keys.every((key) => !key.startsWith(past));
    });
    const third = shop.in(await restart());
    await until(async () => (await decrypt())[0] === undefined);
    const [ofOld, ofOpen, ofRecent] = await decrypt();
    assert.deepEqual([ofOld, ofOpen], [undefined, undefined], 'no backup brings them back');
    assert.match(ofRecent ?? '', /A\. Customer/);
    const { monthly } = await readKeyFile(first.config.encryptionKeyFile);
    assert.ok(monthly.every(({ month }) => month > past));
    for (const id of [open, recent]) assert.equal((await third.retrieve(id)).customer_name, 'A. Customer');
    assert.equal((await third.retrieve(old)).customer_name, null);
  });
});
