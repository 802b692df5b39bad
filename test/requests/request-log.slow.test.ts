import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type {
  FailedRequest,
  FailedRequestList,
  RefusedKeyList,
  UsageReport,
} from '../../src/console/catalog-api.ts';
import { listFailures } from '../../src/requests/list-failed-requests.ts';
import { countRefusals, listFailedRequests, listUsage } from '../../src/requests/queries.ts';
import { deleteOldRequests, MAX_FAILURES } from '../../src/requests/retention.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { createKey, revokeKey } from '../support/keys.ts';
import { startTestService, type TestMerchant, type TestService, useService } from '../support/service.ts';
import { useTwoNodes } from '../support/two-nodes.ts';
import { until } from '../support/until.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;

async function logOf(console: ConsoleClient, query: Record<string, string> = {}): Promise<FailedRequestList> {
  const response = await console.get(`/requests?${new URLSearchParams(query)}`);
  assert.equal(response.status, 200, response.text);
  return response.json<FailedRequestList>();
}

async function untilLogged(console: ConsoleClient, count: number): Promise<FailedRequest[]> {
  let requests: FailedRequest[] = [];
  await until(async () => {
    ({ requests } = await logOf(console, { limit: '200' }));
    return requests.length >= count;
  });
  assert.equal(requests.length, count);
  return requests;
}

const usageOf = async (console: ConsoleClient, query: Record<string, string> = {}): Promise<UsageReport> =>
  (await console.get(`/requests/usage?${new URLSearchParams(query)}`)).json<UsageReport>();

const totalOf = ({ hours }: UsageReport): number => hours.reduce((sum, { requests }) => sum + requests, 0);

async function newShopOf(service: TestService): Promise<{ merchant: TestMerchant; console: ConsoleClient }> {
  const merchant = await service.newMerchant();
  return { merchant, console: await signedIn(service, merchant) };
}

forEachEngine((engine) => {
  describe('tokens in the log of failed calls', () => {
    const service = useService(engine, { environment: { AUTH_FAILURE_LIMIT: 'off' } });
    const newShop = (): ReturnType<typeof newShopOf> => newShopOf(service());

    it('are in no name, path, client, message or request id, joined to other text or not', async () => {
      const { merchant, console } = await newShop();
      const { token: imported } = await createKey(service(), {
        merchantId: merchant.id,
        name: 'imported',
        expiresAt: null,
        token: `legacy/${randomUUID()}`,
      });
      const { token: generated } = await service().newKey(merchant);
      const bearer = { authorization: `Bearer ${merchant.token}` };
      await service().request('GET', `/products?access_token${merchant.token}`, { headers: bearer });
      await service().request('GET', `/products?access_token${generated}&page=0`, { headers: bearer });
      await service().request('GET', '/products?page=0', {
        headers: { ...bearer, 'user-agent': `curl/8 key_${generated}`, 'x-request-id': `key_${generated}` },
      });
      await service().request('GET', `/nowhere/key_${generated}`, { headers: bearer });
      const clientEnds = `${'x'.repeat(190)}${imported}`;
      await service().request('GET', `/products?access_token=${encodeURIComponent(imported)}&page=0`, {
        headers: { 'user-agent': clientEnds },
      });
      const own = { headers: { authorization: `Bearer ${imported}`, 'x-erp-name': `ERP ${imported}` } };
      await service().request('GET', `/nowhere/${encodeURIComponent(imported).toLowerCase()}`, own);
      const failures = await untilLogged(console, 6);
      const logged = JSON.stringify(failures).toLowerCase();
      for (const token of [merchant.token, generated, imported])
        assert.ok(!logged.includes(token.slice(-20).toLowerCase()), logged);
      assert.ok(!logged.includes('legacy'), logged);
      assert.deepEqual(failures.at(-1)?.parameters, ['access_token(token)']);
    });

    it('replace no client or name that only resembles a token', async () => {
      const { merchant, console } = await newShop();
      await service().request('GET', `/products?smtp_from=1&access_token=${merchant.token}`, {
        headers: { 'user-agent': 'my_http_client/2 (ftp_sync)' },
      });
      const [entry] = await untilLogged(console, 1);
      assert.equal(entry?.client, 'my_http_client/2 (ftp_sync)');
      assert.deepEqual(entry?.parameters, ['smtp_from']);
    });
  });

  describe('the log of failed calls', () => {
    const service = useService(engine, { environment: { AUTH_FAILURE_LIMIT: 'off' } });

    const newShop = (): ReturnType<typeof newShopOf> => newShopOf(service());

    it('has the time, key, client, method, path, names of parameters, status, message and request id', async () => {
      const { merchant, console } = await newShop();
      const response = await service().request('POST', '/campaigns', {
        form: { access_token: merchant.token, name: 'Secret name', type: '', bid_amount: 'much' },
        headers: { 'x-request-id': 'sync-1', 'x-erp-name': 'Ledger 7', 'user-agent': 'curl' },
      });
      assert.equal(response.status, 400);
      const [{ id, ...entry }, ...others] = (await untilLogged(console, 1)) as [FailedRequest];
      assert.equal(others.length, 0);
      assert.match(id, /^[0-9a-f-]{32}$/);
      assert.deepEqual(entry, {
        at: new Date(service().now()).toISOString(),
        key: merchant.keyId,
        client: 'Ledger 7',
        method: 'POST',
        path: '/v1/campaigns',
        parameters: ['name', 'type', 'bid_amount'],
        status: 400,
        error: 'invalid_parameters',
        message: response.json<{ message: string }>().message,
        request_id: 'sync-1',
      });
    });

    it('has every kind of failure, and no successful call', async () => {
      const { merchant, console } = await newShop();
      const { token } = merchant;
      const query = `access_token=${token}`;
      const reader = await service().newTestKey(merchant);
      for (const [status, method, path, options] of [
        [200, 'GET', `/account?${query}`],
        [404, 'GET', `/variations/retrieve?${query}&identifier=none`],
        [400, 'GET', `/products?${query}&colour=red`],
        [404, 'GET', `/nowhere?${query}`],
        [404, 'DELETE', `/products?${query}`],
        [400, 'POST', `/products?${query}`, { body: '{', headers: { 'content-type': 'application/json' } }],
        [
          503,
          'GET',
          `/account?access_token=${reader.token}`,
          { headers: { 'tradepost-simulate': 'status=503' } },
        ],
      ] as const) {
        const response = await service().request(method, path, options);
        if (method !== 'DELETE') assert.equal(response.status, status, response.text);
      }
      const statuses = (await untilLogged(console, 6)).map(({ status, path }) => `${status} ${path}`);
      assert.deepEqual(statuses.reverse(), [
        '404 /v1/variations/retrieve',
        '400 /v1/products',
        '404 /v1/nowhere',
        '405 /v1/products',
        '400 /v1/products',
        '503 /v1/account',
      ]);
    });

    it('stores neither values nor tokens, wherever they are sent', async () => {
      const { merchant, console } = await newShop();
      const { token } = merchant;
      const authorization = `Bearer ${token}`;
      const xml = `<product><token>${token}</token><title>Secret title</title></product>`;
      const form = { 'content-type': 'application/x-www-form-urlencoded', authorization };
      await service().request('POST', '/products', { body: xml, headers: form });
      await service().request('GET', `/products?access_token=${token}&${token}=1&status=Secret`);
      await service().request('GET', `/nowhere/${token}?Secret=1`, { headers: { authorization } });
      const logged = JSON.stringify(await untilLogged(console, 3));
      assert.ok(!logged.includes(token), logged);
      const [, , first] = await untilLogged(console, 3);
      assert.deepEqual(first?.parameters, ['(not a name)']);
    });

    it('lists calls by status, key, path and request id, page by page', async () => {
      const { merchant, console } = await newShop();
      const other = await service().newKey(merchant);
      for (let number = 0; number < 5; number += 1) {
        const headers = { 'x-request-id': `r-${number}` };
        const { token } = number % 2 === 0 ? merchant : other;
        await service().request('GET', `/products?access_token=${token}&page=0`, { headers });
      }
      await service().get('/variations/retrieve', merchant, { identifier: 'none' });
      await untilLogged(console, 6);
      const ids = async (query: Record<string, string>): Promise<string[]> =>
        (await logOf(console, query)).requests.map(({ request_id: id }) => id);
      assert.deepEqual(await ids({ key: other.id }), ['r-3', 'r-1']);
      assert.deepEqual(await ids({ request_id: 'r-2' }), ['r-2']);
      assert.deepEqual(await ids({ status: '400', path: '/v1/products', limit: '2' }), ['r-4', 'r-3']);
      assert.equal((await ids({ status: '404' })).length, 1);
      const { next, statuses, keys, paths } = await logOf(console, { status: '400', limit: '2' });
      assert.deepEqual(await ids({ status: '400', before: next ?? '' }), ['r-2', 'r-1', 'r-0']);
      assert.deepEqual(statuses, [400, 404]);
      assert.deepEqual(keys, [merchant.keyId, other.id].sort());
      assert.deepEqual(paths, ['/v1/products', '/v1/variations/retrieve']);
    });

    it('has calls with keys that were revoked or have expired, and the response reveals nothing', async () => {
      const { merchant, console } = await newShop();
      const revoked = await service().newKey(merchant);
      const expired = await service().newKey(merchant, service().now() + 1000);
      await revokeKey(service(), revoked.id);
      service().passTime(2000);
      const unknown = await service().get('/account', { token: 'unknown' });
      for (const { token } of [revoked, expired, expired]) {
        const response = await service().get('/account', { token });
        assert.deepEqual([response.status, response.text], [401, unknown.text]);
        assert.deepEqual(Object.keys(response.headers), Object.keys(unknown.headers));
      }
      const logged = await untilLogged(console, 3);
      assert.deepEqual(
        logged.map(({ key, status }) => [key, status]),
        [
          [expired.id, 401],
          [expired.id, 401],
          [revoked.id, 401],
        ],
      );
      const { keys } = (await console.get('/requests/refused-keys')).json<RefusedKeyList>();
      assert.deepEqual(
        keys.map(({ id, reason, requests }) => [id, reason, requests]),
        [
          [expired.id, 'expired', 2],
          [revoked.id, 'revoked', 1],
        ],
      );
      assert.ok(keys.every(({ since }) => since !== null));
    });

    it('has calls with a token that a rotation has replaced', async () => {
      const { merchant, console } = await newShop();
      const { id, token } = await service().newKey(merchant);
      assert.equal((await console.post(`/keys/${id}/rotate`)).status, 200);
      assert.equal((await service().get('/account', { token })).status, 401);
      const [entry] = await untilLogged(console, 1);
      assert.equal(entry?.key, id);
      const { keys } = (await console.get('/requests/refused-keys')).json<RefusedKeyList>();
      assert.deepEqual(
        keys.map(({ id, reason, since, requests }) => [id, reason, since, requests]),
        [[id, 'valid', null, 1]],
      );
    });

    it('has calls without the scope, and does not count their key as one that is not valid any more', async () => {
      const { database } = service();
      const { id: merchantId } = await service().newMerchant();
      const key = { merchantId, name: 'reader', scopes: ['read'] as const, expiresAt: null };
      const { token } = await createKey(service(), key);
      const form = { access_token: token, identifier: 'POT', title: 'Pot' };
      assert.equal((await service().request('POST', '/products', { form })).status, 401);
      const since = { merchantId, since: 0 };
      await until(async () => (await database.all(listFailedRequests, since)).length > 0);
      const [entry] = await database.all(listFailedRequests, since);
      assert.deepEqual([entry?.status, entry?.error], [401, 'scope_missing']);
      const counts = await database.all(listUsage, since);
      assert.deepEqual(
        counts.map(({ status, requests }) => [status, requests]),
        [[403, 1]],
      );
      assert.deepEqual(await database.all(countRefusals, since), []);
    });

    it('has only some of many calls with a revoked key, which are all counted', async () => {
      const { merchant, console } = await newShop();
      const { id, token } = await service().newKey(merchant);
      await revokeKey(service(), id);
      await Promise.all(Array.from({ length: 100 }, () => service().get('/account', { token })));
      await until(async () => {
        const { keys } = (await console.get('/requests/refused-keys')).json<RefusedKeyList>();
        return keys[0]?.requests === 100;
      });
      const { requests } = await logOf(console, { limit: '200' });
      assert.ok(requests.length < 50, String(requests.length));
    });

    it(`has the newest ${MAX_FAILURES} calls`, async () => {
      const { merchant, console } = await newShop();
      for (let sent = 0; sent < MAX_FAILURES + 100; sent += 100) {
        const numbers = Array.from({ length: 100 }, (_, index) => sent + index);
        await Promise.all(
          numbers.map((number) =>
            service().request('GET', `/products?access_token=${merchant.token}&page=0`, {
              headers: { 'x-request-id': `n-${number}` },
            }),
          ),
        );
      }
      await until(async () => totalOf(await usageOf(console)) === MAX_FAILURES + 100);
      const ids: string[] = [];
      for (let before: string | undefined = '~'; before !== undefined; ) {
        const page: FailedRequestList = await logOf(console, { before, limit: '200' });
        ids.push(...page.requests.map(({ request_id: id }) => id));
        before = page.next ?? undefined;
      }
      assert.equal(ids.length, MAX_FAILURES);
      assert.equal(new Set(ids).size, MAX_FAILURES);
      assert.ok(!ids.includes('n-0'));
    });

    it('shows a merchant only its own calls, with live and test keys', async () => {
      const [one, other] = [await newShop(), await newShop()];
      const test = await service().newTestKey(one.merchant);
      await service().get('/products', one.merchant, { page: '0' });
      await service().get('/products', test, { page: '0' });
      await untilLogged(one.console, 2);
      assert.deepEqual((await logOf(other.console)).requests, []);
      assert.equal(totalOf(await usageOf(other.console)), 0);
      const { requests } = await logOf(one.console);
      assert.deepEqual(requests.map(({ key }) => key).sort(), [one.merchant.keyId, test.id].sort());
    });
  });

  describe('old calls', () => {
    const service = useService(engine);

    it('are shown and kept for seven days, and their counts for thirty', async () => {
      const merchant = await service().newMerchant();
      await service().get('/products', merchant, { page: '0' });
      await untilLogged(await signedIn(service(), merchant), 1);
      const { id: merchantId } = merchant;
      const stored = async (): Promise<[number, number]> => {
        await deleteOldRequests(service().database, service().now());
        const { database } = service();
        return [
          (await database.all(listFailedRequests, { merchantId, since: 0 })).length,
          (await database.all(listUsage, { merchantId, since: 0 })).length,
        ];
      };
      assert.deepEqual(await stored(), [1, 1]);
      service().passTime(7 * DAY_MS + 1);
      const { requests } = await listFailures(service(), merchantId, { limit: 10 });
      assert.deepEqual(requests, []);
      assert.deepEqual(await stored(), [0, 1]);
      service().passTime(24 * DAY_MS);
      assert.deepEqual(await stored(), [0, 0]);
    });
  });

  describe('the counts of calls', () => {
    const nodes = useTwoNodes(engine);

    it('add up by hour, endpoint, key and status, over all nodes', async () => {
      const [one, other] = nodes();
      const merchant = await one.newMerchant();
      const key = await one.newKey(merchant);
      const console = await signedIn(one, merchant);
      const send = async (node: TestService, token: string, times: number, query = {}): Promise<void> => {
        for (let time = 0; time < times; time += 1) await node.get('/products', { token }, query);
      };
      await send(one, merchant.token, 3);
      await send(other, merchant.token, 4, { page: '0' });
      await send(other, key.token, 2);
      await until(async () => totalOf(await usageOf(console)) === 9);
      const { hours, endpoints, keys, statuses } = await usageOf(console, { hours: '48' });
      assert.equal(hours.length, 48);
      assert.equal(Date.parse(hours.at(-1)?.at ?? '') % HOUR_MS, 0);
      assert.equal(
        hours.reduce((sum, { failed }) => sum + failed, 0),
        4,
      );
      assert.deepEqual(endpoints, [{ endpoint: 'GET /v1/products', requests: 9, failed: 4 }]);
      assert.deepEqual(
        keys.map(({ id, requests, failed }) => [id, requests, failed]),
        [
          [merchant.keyId, 7, 4],
          [key.id, 2, 0],
        ],
      );
      assert.deepEqual(statuses, [
        { status: 200, requests: 5 },
        { status: 400, requests: 4 },
      ]);
      assert.equal(totalOf(await usageOf(console, { key: key.id })), 2);
    });

    it('include what a node had not written when it stopped', async () => {
      const [one] = nodes();
      const DATA_DIR = one.config.dataDirectory;
      const environment = { ...one.environment, DATA_DIR };
      const node = await startTestService({ name: engine.name, environment: async () => environment });
      const merchant = await one.newMerchant();
      await node.get('/account', merchant);
      await node.get('/products', merchant, { page: '0' });
      await node.stop();
      const console = await signedIn(one, merchant);
      assert.equal(totalOf(await usageOf(console)), 2);
      assert.equal((await logOf(console)).requests.length, 1);
    });
  });
});
