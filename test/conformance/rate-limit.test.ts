import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findTokenOwner } from '../../src/api-keys/queries.ts';
import { countByName } from '../../src/budgets/count-by-name.ts';
import { deleteEndedCounts } from '../../src/budgets/queries.ts';
import type { Connection } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import { statement } from '../../src/database/statement.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { type TestService, useService } from '../support/service.ts';
import { countRuns } from './run-counter.ts';

const MINUTE = 60_000;

function toNextMinute(service: TestService): void {
  service.passTime(MINUTE - (service.now() % MINUTE));
}

forEachEngine((engine) => {
  describe('with RATE_LIMIT=60000, the default', () => {
    const service = useService(engine);

    it('200: reports the remaining requests in cached responses too', async () => {
      toNextMinute(service());
      const merchant = await service().newMerchant();
      for (let left = 59_999; left > 59_980; left -= 1) {
        const { status, headers } = await service().get('/products.json', merchant);
        assert.deepEqual([status, headers.ratelimit], [200, `"key";r=${left};t=60`]);
      }
    });

    it('shared counts are deleted once their window has ended, by one statement in each window', async () => {
      const { database } = service();
      let deletions = 0;
      const watched = intercept(database, {
        transaction: (work, options) =>
          database.transaction((connection) => {
            const run: Connection['run'] = async (asked, ...parameters) => {
              if (asked.sql === deleteEndedCounts.sql) deletions += 1;
              return await connection.run(asked, ...parameters);
            };
            return work({
              all: (...asked) => connection.all(...asked),
              allEach: (...asked) => connection.allEach(...asked),
              first: (...asked) => connection.first(...asked),
              runEach: (...asked) => connection.runEach(...asked),
              send: (...asked) => connection.send(...asked),
              run,
            });
          }, options),
      });
      const count = countByName(watched, MINUTE);
      const stored = async (): Promise<number> =>
        (
          await database.first(
            statement<unknown, { total: number }>('SELECT count(*) AS total FROM attempt_counts'),
          )
        )?.total ?? 0;
      assert.deepEqual(
        [await count('one', 10, 2), await count('two', 10, 1), await count('one', 10, 3)],
        [2, 1, 5],
      );
      assert.deepEqual([deletions, await stored()], [1, 2]);
      assert.equal(await count('one', 11, 1), 1);
      assert.deepEqual([deletions, await stored()], [2, 1]);
    });
  });

  describe('with RATE_LIMIT=3', () => {
    const service = useService(engine, { environment: { RATE_LIMIT: '3' } });
    const list = (key: { token: string }): Promise<ClientResponse> => service().get('/products.json', key);

    it('429: states the seconds to wait once the limit is exceeded, and 200 after that', async () => {
      toNextMinute(service());
      service().passTime(20_001);
      const merchant = await service().newMerchant();
      for (let time = 0; time < 3; time += 1) assert.equal((await list(merchant)).status, 200);
      const response = await list(merchant);
      expectError(response, 429, /try again in 40 s/);
      assert.equal(response.headers['retry-after'], '40');
      service().passTime(40_000 - 2);
      assert.equal((await list(merchant)).headers['retry-after'], '1');
      service().passTime(1);
      assert.equal((await list(merchant)).status, 200);
    });

    it('429: each key has its own limit, shared by all endpoints', async () => {
      toNextMinute(service());
      const merchant = await service().newMerchant();
      const further = await service().newKey(merchant);
      for (const path of ['/products.json', '/performance/sales', '/products']) {
        assert.equal((await service().get(path, merchant)).status, 200);
      }
      const form = { access_token: merchant.token, name: 'N', type: 'T' };
      expectError(await service().request('POST', '/campaigns.json', { form }), 429, /Too many requests/);
      expectError(await service().get('/variations/retrieve.json', merchant), 429, /Too many requests/);
      assert.equal((await list(further)).status, 200);
    });

    it('401: an invalid token never gets the rate limit of a key', async () => {
      for (let time = 0; time < 5; time += 1) expectError(await list({ token: 'unknown' }), 401, /not valid/);
    });

    it('reports the remaining requests in every response to a valid key, with any status', async () => {
      toNextMinute(service());
      service().passTime(18_000);
      const merchant = await service().newMerchant();
      const responses = [
        await list(merchant),
        await service().get('/products.json', merchant, { page: 'x' }),
        await service().get('/variations/retrieve.json', merchant, { identifier: 'NONE' }),
        await list(merchant),
      ];
      assert.deepEqual(
        responses.map(({ status, headers }) => [status, headers.ratelimit, headers['ratelimit-policy']]),
        [
          [200, '"key";r=2;t=42', '"key";q=3;w=60'],
          [400, '"key";r=1;t=42', '"key";q=3;w=60'],
          [404, '"key";r=0;t=42', '"key";q=3;w=60'],
          [429, '"key";r=0;t=42', '"key";q=3;w=60'],
        ],
      );
      assert.equal((await list({ token: 'unknown' })).headers.ratelimit, undefined);
    });
  });

  describe('with RATE_LIMIT=off', () => {
    const service = useService(engine, { environment: { RATE_LIMIT: 'off' } });

    it('200: admits every request, and sends no rate-limit headers', async () => {
      const merchant = await service().newMerchant();
      for (let time = 0; time < 100; time += 1) {
        const { status, headers } = await service().get('/products.json', merchant);
        assert.deepEqual([status, headers.ratelimit], [200, undefined]);
      }
    });
  });

  describe('with ADDRESS_RATE_LIMIT=4', () => {
    const environment = { ADDRESS_RATE_LIMIT: '4', TRUST_PROXY: '127.0.0.1' };
    const service = useService(engine, { environment });
    const from = (
      address: string,
      path: string,
      more: Record<string, string> = {},
    ): Promise<ClientResponse> => {
      const headers = { 'x-forwarded-for': address, 'x-forwarded-proto': 'https', ...more };
      return service().request('GET', path, { headers });
    };

    it('429: limits an address over all paths, and no other address', async () => {
      toNextMinute(service());
      const { token } = await service().newMerchant();
      const path = `/products.json?access_token=${token}`;
      for (const target of [path, '/nowhere', path, '/performance/sales.json']) {
        assert.notEqual((await from('198.51.100.7', target)).status, 429);
      }
      const rejected = await from('198.51.100.7', path);
      expectError(rejected, 429, /this address; try again in \d+ s/);
      const { headers } = rejected;
      assert.equal(headers['ratelimit-policy'], '"address";q=4;w=60');
      assert.match(String(headers.ratelimit), /^"address";r=0;t=\d+$/);
      assert.equal(headers['retry-after'], /t=(\d+)/.exec(String(headers.ratelimit))?.[1]);
      assert.equal((await from('198.51.100.8', path)).status, 200);
      toNextMinute(service());
      assert.equal((await from('198.51.100.7', path)).status, 200);
    });

    it('429: all addresses of a /64 share one limit', async () => {
      toNextMinute(service());
      for (let time = 0; time < 6; time += 1) await from(`2001:db8:1:2::${time}`, '/nowhere');
      expectError(await from('2001:db8:1:2:ffff::9', '/nowhere'), 429, /this address/);
      assert.equal((await from('2001:db8:1:3::9', '/nowhere')).status, 404);
    });

    it('400: asks for HTTPS before it checks the limit', async () => {
      toNextMinute(service());
      for (let time = 0; time < 6; time += 1) await from('198.51.100.9', '/nowhere');
      expectError(await from('198.51.100.9', '/nowhere', { 'x-forwarded-proto': 'http' }), 400, /^Use HTTPS/);
    });

    it('404: does not limit the address of a trusted proxy', async () => {
      toNextMinute(service());
      for (let time = 0; time < 10; time += 1)
        assert.equal((await service().request('GET', '/nowhere')).status, 404);
    });
  });

  describe('with AUTH_FAILURE_LIMIT=5', () => {
    const lookups = countRuns(findTokenOwner);
    const service = useService(engine, { environment: { AUTH_FAILURE_LIMIT: '5' }, wrap: lookups.wrap });

    const guess = (token: string): Promise<ClientResponse> => service().get('/products.json', { token });

    it('429: past the limit, looks up only some guesses, and still accepts tokens that were valid before', async () => {
      toNextMinute(service());
      const merchant = await service().newMerchant();
      assert.equal((await service().get('/products.json', merchant)).status, 200);
      for (let time = 0; time < 5; time += 1) expectError(await guess(`guess-${time}`), 401, /not valid/);
      const response = await guess('guess');
      expectError(response, 429, /from this address had an access_token that is not valid/);
      assert.equal(response.headers['ratelimit-policy'], '"failed-authentication";q=5;w=60');
      assert.match(response.header('retry-after'), /^\d+$/);
      const before = lookups.count();
      for (let time = 0; time < 300; time += 1) expectError(await guess(`further-${time}`), 429, /not valid/);
      // A burst of 100, one of which is already used. The clock does not advance.
      assert.equal(lookups.count() - before, 99);
      const limited = await guess('guess');
      assert.equal(limited.header('retry-after'), '1');
      assert.equal(limited.headers.ratelimit, undefined);
      assert.equal((await service().get('/products.json', merchant)).status, 200);
      assert.equal((await service().get('/performance/sales', merchant)).status, 200);
      toNextMinute(service());
      expectError(await guess('guess'), 401, /not valid/);
    });

    it('200: past the limit, accepts a valid token that was never used before, after Retry-After at the latest', async () => {
      toNextMinute(service());
      const fresh = await Promise.all(Array.from({ length: 20 }, () => service().newMerchant()));
      const late = await service().newMerchant();
      for (let time = 0; time < 50; time += 1) await guess(`guess-${time}`);
      for (const merchant of fresh)
        assert.equal((await service().get('/products.json', merchant)).status, 200);
      for (let time = 0; time < 300; time += 1) await guess(`further-${time}`);
      const rejected = await service().get('/products.json', late);
      assert.equal(rejected.status, 429);
      service().passTime(1000 * Number(rejected.header('retry-after')));
      assert.equal((await service().get('/products.json', late)).status, 200);
    });

    it('429: counts two tokens in one request as two', async () => {
      toNextMinute(service());
      for (const status of [401, 401, 429]) {
        const response = await service().request('GET', '/products.json?access_token=one&access_token=two');
        expectError(response, status, /not valid/);
      }
    });

    it('401: does not count a request without a token', async () => {
      toNextMinute(service());
      for (let time = 0; time < 20; time += 1)
        expectError(await service().request('GET', '/products.json'), 401, /is required/);
    });
  });
});
