import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { SERVICE } from '../../src/audit/record-audit.ts';
import { isPerMerchant, tables } from '../../src/copy/tables.ts';
import { intercept } from '../../src/database/intercept.ts';
import { testSideOf } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import { emptyTestSide } from '../../src/test-side/empty.ts';
import { Client, type ClientResponse, type RequestOptions } from '../support/client.ts';
import { readTables } from '../support/copies.ts';
import {
  allEndpoints,
  createEndpointCampaigns,
  createEndpointOrders,
  endpointProducts,
  testSideCalls,
} from '../support/endpoints.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { fc } from '../support/seed.ts';
import { startTestService, type TestMerchant, type TestService, useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';
import { until } from '../support/until.ts';

interface Row {
  merchant_id: number;
  [column: string]: unknown;
}

interface Pair {
  merchant: TestMerchant;
  live: string;
  test: string;
}

const SIMULATE = 'tradepost-simulate';
const DELAYED = 100;
const KEPT_TABLES = ['merchant_counters', 'api_keys', 'key_tokens', 'request_counts', 'budget_uses'];

async function newPair(service: TestService): Promise<Pair> {
  const merchant = await service.newMerchant('Europe/Vienna');
  return { merchant, live: merchant.token, test: (await service.newTestKey(merchant)).token };
}

/** All rows except what changes without a request: counts, uses of keys, logs, events to number. */
async function rowsOf(service: TestService, side: number): Promise<Record<string, unknown[]>> {
  const contents = await readTables(service.database);
  const changing = ['request_counts', 'api_keys', 'outbox', 'failed_requests', 'usage_hours'];
  const withoutAnnouncements = (row: Row): Partial<Row> =>
    Object.fromEntries(Object.entries(row).filter(([column]) => !/announce/.test(column)));
  return Object.fromEntries(
    tables
      .filter((table) => isPerMerchant(table) && !changing.includes(table.name))
      .map(({ name }) => {
        const rows = (contents[name] as Row[]).filter((row) => row.merchant_id === side);
        return [name, rows.map(withoutAnnouncements)];
      }),
  );
}

forEachEngine((engine) => {
  const service = useService(engine);
  const call = (
    method: string,
    path: string,
    token: string,
    query: Record<string, string> = {},
    sent: RequestOptions = {},
  ): Promise<ClientResponse> =>
    service().request(method, `${path}?${new URLSearchParams({ access_token: token, ...query })}`, sent);
  const reset = (token: string, samples = 'false', headers = {}): Promise<ClientResponse> =>
    call('POST', '/test/reset.json', token, { samples }, { headers });
  const fill = async (token: string): Promise<void> => {
    for (const { identifier, fields, variations } of endpointProducts) {
      const json = { access_token: token, identifier, title: fields.title ?? identifier, variations };
      const response = await service().request('POST', '/products.json', { json });
      assert.equal(response.status, 200, response.text);
    }
  };

  describe('keys', () => {
    it('GET account reports the mode, and the merchant’s name, time zone and currency with both', async () => {
      const { live, test } = await newPair(service());
      type Account = { mode: string; key: { id: string } };
      const { key: liveKey, ...liveAccount } = (await call('GET', '/account.json', live)).json<Account>();
      const { key: testKey, ...testAccount } = (await call('GET', '/account/me', test)).json<Account>();
      assert.deepEqual(testAccount, { ...liveAccount, mode: 'test' });
      assert.equal(liveAccount.mode, 'live');
      assert.match(test, /^tpt_[0-9A-Za-z]{38}$/);
      assert.match(liveKey.id, /^\d+-1$/);
      assert.equal(testKey.id, liveKey.id.replace('-', '-t'));
    });
  });

  describe('the sides of a merchant', () => {
    it('are separate in every call: neither key sees or changes the other side', async () => {
      const { merchant, live, test } = await newPair(service());
      const sides = [
        { token: live, other: test, id: merchant.id, otherId: testSideOf(merchant.id) },
        { token: test, other: live, id: testSideOf(merchant.id), otherId: merchant.id },
      ];
      for (const { token, other, otherId } of sides) {
        await fill(token);
        if (token === test) break;
        // Only the live side has products so far.
        const before = await rowsOf(service(), merchant.id);
        for (const { method, path, query } of allEndpoints) {
          const { status, text } = await call(method, path, other, query);
          assert.doesNotMatch(text, /POT-1-S"/, `${method} ${path}`);
          assert.ok(status === 200 || status === 404 || status === 400, `${method} ${path} ${text}`);
        }
        assert.deepEqual(await rowsOf(service(), merchant.id), before);
        await reset(test);
        assert.deepEqual(await rowsOf(service(), merchant.id), before);
        assert.ok(otherId < 0);
      }
      for (const { id } of [merchant, { id: testSideOf(merchant.id) }]) {
        await createEndpointCampaigns(service(), { id });
        await createEndpointOrders(service(), { id });
      }
      for (const { token, otherId } of sides) {
        const before = await rowsOf(service(), otherId);
        for (const { method, path, query } of allEndpoints) {
          const { status, text } = await call(method, path, token, query);
          assert.ok(status === 200 || status === 400, `${method} ${path} ${text}`);
        }
        assert.deepEqual(await rowsOf(service(), otherId), before);
      }
    });

    it('agree with a model of two unrelated catalogs, whatever both keys write', async () => {
      const { live, test } = await newPair(service());
      const step = fc.record({
        isTest: fc.boolean(),
        action: fc.constantFrom('create', 'update', 'delete', 'campaign', 'reset'),
        identifier: fc.constantFrom('A', 'B', 'C'),
        title: fc.constantFrom('One', 'Two', 'Three'),
      });
      const model = { live: new Map<string, string>(), test: new Map<string, string>() };
      const deleted = { live: new Set<string>(), test: new Set<string>() };
      const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const { isTest, action, identifier, title } of steps) {
          const mode = isTest ? 'test' : 'live';
          const token = isTest ? test : live;
          const isThere = model[mode].has(identifier);
          if (action === 'reset') {
            const { status } = await reset(token);
            assert.equal(status, isTest ? 200 : 401);
            if (isTest) model.test.clear();
            if (isTest) deleted.test.clear();
          } else if (action === 'campaign') {
            const query = { name: title, type: 'AuctionCampaign' };
            assert.equal((await call('POST', '/campaigns.json', token, query)).status, 200);
          } else if (action === 'create') {
            const { status } = await call('POST', '/products.json', token, { identifier, title });
            assert.equal(status, isThere ? 400 : 200);
            if (!isThere) model[mode].set(identifier, title);
            deleted[mode].delete(identifier);
          } else {
            const query = action === 'update' ? { identifier, title } : { identifier };
            const { status } = await call('POST', `/products/${action}.json`, token, query);
            const isGone = deleted[mode].has(identifier);
            assert.equal(status, isThere ? 200 : isGone ? (action === 'delete' ? 200 : 400) : 404);
            if (isThere && action === 'update') model[mode].set(identifier, title);
            if (isThere && action === 'delete') {
              model[mode].delete(identifier);
              deleted[mode].add(identifier);
            }
          }
          for (const [each, key] of [
            ['live', live],
            ['test', test],
          ] as const) {
            const listed = (await call('GET', '/products.json', key)).json<
              { identifier: string; title: string; status: string }[]
            >();
            const kept = listed.filter(({ status }) => status !== 'deleted');
            const titles = kept.map(({ identifier, title }) => [identifier, title]).sort();
            assert.deepEqual(titles, [...model[each]].sort(), each);
          }
        }
      });
      await fc.assert(property, { numRuns: runs(12) });
    });
  });

  describe('POST test/reset', () => {
    it('401: a live key is told that it needs a test key, and nothing is deleted', async () => {
      const { merchant, live } = await newPair(service());
      await fill(live);
      const before = await rowsOf(service(), merchant.id);
      expectError(await reset(live), 401, /requires a test key, whose access_token starts with tpt_/);
      assert.deepEqual(await rowsOf(service(), merchant.id), before);
    });

    it('200: fills the test side with the same samples each time, and empties every table without them', async () => {
      const { merchant, test } = await newPair(service());
      const first = await reset(test, 'true');
      assert.equal(first.status, 200, first.text);
      const { products, variations, campaigns, schedules, orders } = first.json<Record<string, number>>();
      assert.ok(products === 60 && Number(variations) > 0 && campaigns === 2 && Number(schedules) > 100);
      const sales = (await call('GET', '/performance/sales.json', test)).json<{ schedules: number }[]>();
      assert.equal(
        sales.reduce((sum, month) => sum + month.schedules, 0),
        schedules,
      );
      assert.equal((await reset(test, 'true')).text, first.text);
      const listed = (await call('GET', '/orders.json', test)).json<{ order_id: number; status: string }[]>();
      assert.deepEqual([listed.length, orders], [40, 40]);
      const [toShip] = listed.filter(({ status }) => status === 'paid');
      const shipment = { order_id: String(toShip?.order_id), carrier: 'UPS', tracking_number: '1' };
      const shipped = await call('POST', '/orders/fulfill.json', test, shipment);
      assert.equal(shipped.json<{ status: string }>().status, 'shipped', shipped.text);
      await fill(test);
      const side = testSideOf(merchant.id);
      const filled = await rowsOf(service(), side);
      for (const name of [
        'products',
        'product_counts',
        'variations',
        'campaigns',
        'schedules',
        'sales_months',
      ]) {
        assert.notEqual(filled[name]?.length, 0, name);
      }
      const empty = await reset(test);
      assert.deepEqual(empty.json(), { products: 0, variations: 0, campaigns: 0, schedules: 0, orders: 0 });
      for (const [name, rows] of Object.entries(await rowsOf(service(), side))) {
        if (!KEPT_TABLES.includes(name)) assert.deepEqual(rows, [], name);
      }
      assert.equal((await call('GET', '/account.json', test)).status, 200);
    });

    it('200: repeats the response to the same Idempotency-Key, and deletes nothing then', async () => {
      const { test } = await newPair(service());
      const headers = { 'idempotency-key': 'reset-1' };
      const first = await reset(test, 'false', headers);
      await fill(test);
      const again = await reset(test, 'false', headers);
      assert.deepEqual([again.status, again.text], [200, first.text]);
      assert.equal((await call('GET', '/products/retrieve.json', test, { identifier: 'POT-1' })).status, 200);
      expectError(await reset(test, 'true', headers), 400, /Idempotency-Key/);
    });

    it('410: refuses cursors from before, and no cached page survives', async () => {
      const { test } = await newPair(service());
      await reset(test, 'true');
      const changes = await call('GET', '/products.json', test, { changed_since: 'start' });
      const { cursor } = changes.json<{ cursor: string }>();
      const list = (): Promise<ClientResponse> => call('GET', '/products.json', test);
      const pages = [await list(), await list()];
      assert.deepEqual(
        pages.map(({ text }) => text === '[]'),
        [false, false],
      );
      await reset(test);
      assert.equal((await list()).text, '[]');
      expectError(await call('GET', '/products.json', test, { changed_since: cursor }), 410, /start again/);
    });

    it('leaves nothing that was written before its last transaction', async () => {
      const { merchant, test } = await newPair(service());
      const { database, now } = service();
      let written = 0;
      const interrupted = intercept(database, {
        transaction: async (work, options) => {
          written += 1;
          assert.ok(written < 100, 'the reset does not end');
          const product = { identifier: `P-${written}`, title: 'Late', category: 'A' };
          assert.equal((await call('POST', '/products.json', test, product)).status, 200);
          const campaign = { name: 'Late', type: 'AuctionCampaign' };
          assert.equal((await call('POST', '/campaigns.json', test, campaign)).status, 200);
          return await database.transaction(work, options);
        },
      });
      const side = testSideOf(merchant.id);
      await emptyTestSide({ database: interrupted, now }, { merchantId: side, who: SERVICE });
      assert.ok(written > 5);
      const { products, product_counts, campaigns } = await rowsOf(service(), side);
      assert.deepEqual([products, product_counts, campaigns], [[], [], []]);
    });

    it('under concurrent writes and resets, the last reset wins and every figure stays consistent', async () => {
      const { merchant, test } = await newPair(service());
      const side = testSideOf(merchant.id);
      await reset(test, 'true');
      let isDone = false;
      const write = async (writer: number): Promise<void> => {
        for (let number = 0; !isDone; number += 1) {
          const identifier = `W-${writer}-${number}`;
          const variations = [{ identifier: `${identifier}-S`, quantity: 3 }];
          const json = { access_token: test, identifier, title: 'Written', category: 'A | B', variations };
          const { status } = await service().request('POST', '/products.json', { json });
          assert.equal(status, 200);
          const answers = [
            await call('GET', '/products.json', test, { pagination: 'true', category: 'A' }),
            await call('GET', '/variations/retrieve.json', test, { identifier: `${identifier}-S` }),
            await call('POST', '/products/update.json', test, { identifier, title: 'Updated' }),
          ];
          for (const answer of answers) assert.ok([200, 404].includes(answer.status), answer.text);
        }
      };
      const writers = [1, 2, 3].map(write);
      for (let round = 0; round < 3; round += 1) {
        const responses = await Promise.all([reset(test, 'true'), reset(test), reset(test, 'true')]);
        const statuses = responses.map(({ status }) => status);
        assert.ok(statuses.includes(200), String(statuses));
        for (const response of responses) {
          if (response.status !== 200) expectError(response, 400, /Another reset .* started later/);
        }
      }
      isDone = true;
      await Promise.all(writers);
      const { products, variations, product_counts, schedules, sales_months } = (await rowsOf(
        service(),
        side,
      )) as Record<string, Row[]>;
      const owned = products?.flatMap(({ internal_id, record }) =>
        JSON.parse(String(record)).variations.map((each: { identifier: string }) => [
          each.identifier,
          internal_id,
        ]),
      );
      const stored = variations?.map(({ identifier, product_id }) => [identifier, product_id]);
      assert.deepEqual(stored?.sort(), owned?.sort());
      const all = product_counts?.find(({ status, category }) => status === '' && category === '');
      assert.equal(all?.products ?? 0, products?.length);
      const sum = sales_months?.reduce((total, month) => total + Number(month.schedules), 0);
      assert.equal(sum, schedules?.length);
      assert.equal((await reset(test, 'true')).json<{ products: number }>().products, 60);
      assert.deepEqual((await rowsOf(service(), side)).products?.length, 60);
    });
  });

  describe('Tradepost-Simulate', () => {
    const simulated = (header: string, token: string, path = '/products.json'): Promise<ClientResponse> =>
      call('GET', path, token, {}, { headers: { [SIMULATE]: header } });

    it('responds with the real error of each status, in every call, without an alarming log line or metric', async () => {
      const { test } = await newPair(service());
      const start = service().log.length;
      for (const { method, path, query } of [...allEndpoints, ...testSideCalls]) {
        for (const status of [429, 500, 503]) {
          const sent = { headers: { [SIMULATE]: `status=${status}` } };
          const response = await call(method, path, test, query, sent);
          expectError(response, status, status === 429 ? /^Too many requests with this key; / : /./);
          assert.equal('retry-after' in response.headers, status !== 500);
          if (status === 500) assert.match(response.message, new RegExp(response.header('x-request-id')));
          if (status === 429) {
            assert.match(response.header('ratelimit'), /^"key";r=0;t=\d+$/);
            assert.equal(response.header('ratelimit').split('=')[2], response.header('retry-after'));
          }
        }
      }
      const lines = service()
        .log.slice(start)
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        lines.filter(({ level }) => level > 30),
        [],
      );
      assert.ok(lines.some(({ status, simulated: mark }) => status === 503 && mark === true));
      assert.equal((await call('GET', '/products.json', test)).status, 200);
    });

    it('carries out no call whose error or end is simulated', async () => {
      const { merchant, test } = await newPair(service());
      const query = { identifier: 'NEW', title: 'New' };
      for (const header of ['status=503', 'drop', 'delay=0,drop', 'status=500, delay=0']) {
        const sent = { headers: { [SIMULATE]: header, 'idempotency-key': 'once' } };
        await call('POST', '/products.json', test, query, sent).catch(() => {});
      }
      assert.deepEqual((await rowsOf(service(), testSideOf(merchant.id))).products, []);
      const retried = { headers: { 'idempotency-key': 'once' } };
      assert.equal((await call('POST', '/products.json', test, query, retried)).status, 200);
    });

    it('drops the connection without a response, also for a response that is cached', async () => {
      const { test } = await newPair(service());
      for (let time = 0; time < 3; time += 1) {
        assert.equal((await call('GET', '/products.json', test)).status, 200);
        await assert.rejects(simulated('drop', test), /socket hang up|ECONNRESET/);
        assert.equal((await simulated('status=503', test)).status, 503);
      }
    });

    it('delays a call by the seconds given, and combines a delay with an error', async () => {
      const { test } = await newPair(service());
      const delayed = async (header: string, status: number): Promise<void> => {
        const start = performance.now();
        assert.equal((await simulated(header, test)).status, status);
        assert.ok(performance.now() - start >= 990, header);
      };
      await Promise.all([
        delayed('delay=1', 200),
        delayed('delay=1,status=503', 503),
        delayed('status=429, delay=1', 429),
      ]);
    });

    it('a delay takes no capacity from others, and ends when its client disconnects', async () => {
      const { test } = await newPair(service());
      const other = await service().newMerchant();
      const start = performance.now();
      const controller = new AbortController();
      const delayed = Array.from({ length: DELAYED }, () =>
        service().client.request('GET', `/v1/products.json?access_token=${test}`, {
          headers: { [SIMULATE]: 'delay=30' },
          signal: controller.signal,
        }),
      );
      const ended = Promise.allSettled(delayed);
      for (let time = 0; time < 20; time += 1) {
        assert.equal((await call('GET', '/products.json', other.token)).status, 200);
        assert.equal((await call('GET', '/products.json', test)).status, 200);
      }
      const lines = service().log.length;
      controller.abort();
      await ended;
      const closed = (): boolean => {
        const logged = service()
          .log.slice(lines)
          .map((line) => JSON.parse(line));
        return (
          logged.filter(({ status, simulated: mark }) => status === 499 && mark === true).length === DELAYED
        );
      };
      await until(closed);
      assert.ok(performance.now() - start < 29_000);
    });

    it('400: names the header and what is expected, for any other value', async () => {
      const { test } = await newPair(service());
      for (const header of [
        '',
        'x',
        'status=404',
        'delay=31',
        'delay=-1',
        'delay=1.5',
        'drop,status=503',
        'DROP',
      ]) {
        expectError(
          await simulated(header, test),
          400,
          /^Tradepost-Simulate: expected delay=SECONDS .* status=503/,
        );
      }
      expectError(await simulated('x', 'unknown'), 401, /access_token/);
    });

    it('is ignored with a live key, whatever its value', async () => {
      const { live } = await newPair(service());
      await fill(live);
      const plain = await call('GET', '/products.json', live);
      for (const header of ['status=503', 'drop', 'delay=30', 'x']) {
        const { status, text, headers } = await simulated(header, live);
        assert.deepEqual([status, text, headers.etag], [200, plain.text, plain.headers.etag]);
      }
    });
  });

  it('a delay ends early when the service stops, and its call is completed', async () => {
    await using own = await startTestService(engine);
    const { test } = await newPair(own);
    // Its connections stay open when the service stops.
    const ca = await readFile(join(own.config.dataDirectory, 'tls-cert.pem'), 'utf8');
    const client = new Client(new URL(own.baseUrl).origin, ca);
    const delayed = client.request('GET', `/v1/products.json?access_token=${test}`, {
      headers: { [SIMULATE]: 'delay=30' },
    });
    const uses = statement<unknown, { used: number }>(
      'SELECT count(*) AS used FROM api_keys WHERE last_used_at IS NOT NULL',
    );
    await until(async () => ((await own.database.first(uses))?.used ?? 0) > 0);
    const start = performance.now();
    await Promise.all([delayed.then(({ status }) => assert.equal(status, 200)), own.stop()]);
    client.close();
    assert.ok(performance.now() - start < 20_000);
  });
});
