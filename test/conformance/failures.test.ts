import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnavailable } from '../../src/database/database.ts';
import type { ClientResponse } from '../support/client.ts';
import { endpoints } from '../support/endpoints.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { FailingDatabase } from '../support/failing-database.ts';
import { type TestMerchant, type TestService, useService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';

const requestAll = (
  service: TestService,
  { token }: TestMerchant,
  ids: Record<string, string> = {},
): Promise<ClientResponse[]> =>
  Promise.all(
    endpoints.map(({ method, path, query }) =>
      service.request(method, `${path}?${new URLSearchParams({ ...query, access_token: token })}`, {
        headers: ids,
      }),
    ),
  );

forEachEngine((engine) => {
  describe('with a failing database', () => {
    const database = new FailingDatabase();
    const service = useService(engine, { wrap: (real) => database.wrap(real) });

    it('500: reports an unknown error with the request id and no details, and logs the cause', async () => {
      const merchant = await service().newMerchant();
      // Cached responses must not hide the failure.
      for (let time = 0; time < 3; time += 1) await requestAll(service(), merchant);
      database.failure = new TypeError('secret detail: SELECT * FROM api_keys');
      for (const response of await requestAll(service(), merchant, { 'x-request-id': 'req-17' })) {
        expectError(
          response,
          500,
          'An unknown error occurred. If it persists, report the request id req-17.',
        );
        assert.equal(response.headers['x-request-id'], 'req-17');
      }
      database.failure = undefined;
      const logged = service().log.filter(
        (line) => line.includes('secret detail') && line.includes('req-17'),
      );
      assert.equal(logged.length, endpoints.length);
      assert.equal(
        logged.some((line) => line.includes(merchant.token)),
        false,
      );
    });

    it('503: sends Retry-After while the database is unavailable, and recovers by itself', async () => {
      const merchant = await service().newMerchant();
      for (let time = 0; time < 3; time += 1) await requestAll(service(), merchant);
      database.failure = new DatabaseUnavailable('disk I/O error at /var/lib/secret');
      for (const response of await requestAll(service(), merchant)) {
        expectError(response, 503, 'The service is temporarily unavailable; try again shortly.');
        assert.match(response.header('retry-after'), /^[1-9]\d*$/);
      }
      database.failure = undefined;
      const statuses = (await requestAll(service(), merchant)).map(({ status }) => status);
      assert.deepEqual(
        statuses,
        [200, 200, 200, 404, 200, 200, 404, 404, 200, 200, 200, 404, 404, 404, 200, 200, 404, 404, 200],
      );
    });
  });

  if (engine.name === 'sqlite') {
    describe('with a database file that was moved away', () => {
      const service = useService(engine);

      it('503: never acknowledges a write that would be lost', async () => {
        const merchant = await service().newMerchant();
        const file = join(service().config.dataDirectory, 'tradepost.db');
        await rename(file, `${file}.elsewhere`);
        const create = (): Promise<ClientResponse> =>
          service().request('POST', '/campaigns.json', {
            form: { access_token: merchant.token, name: 'N', type: 'T' },
          });
        expectError(await create(), 503, /try again shortly/);
        await rename(`${file}.elsewhere`, file);
        assert.equal((await create()).status, 200);
        assert.equal((await campaignsOf(service(), merchant)).length, 1);
      });
    });

    describe('while another process holds the write lock', () => {
      const service = useService(engine);

      it('200 and 503: serves reads, rejects a write after 5 s, and accepts writes again once the lock is released', async () => {
        const merchant = await service().newMerchant();
        const create = (): Promise<ClientResponse> =>
          service().request('POST', '/campaigns.json', {
            form: { access_token: merchant.token, name: 'N', type: 'T' },
          });
        const other = new DatabaseSync(join(service().config.dataDirectory, 'tradepost.db'));
        await takeWriteLock(other);
        const [began, writes] = [performance.now(), Promise.all([create(), create(), create()])];
        assert.equal((await service().get('/products.json', merchant)).status, 200);
        assert.equal((await service().get('/performance/sales.json', merchant)).status, 200);
        assert.ok(performance.now() - began < 2000, 'reads waited for the lock');
        for (const response of await writes) {
          expectError(response, 503, /try again shortly/);
          assert.match(response.header('retry-after'), /^[1-9]\d*$/);
        }
        assert.ok(performance.now() - began > 4900, 'a write did not wait for the lock');
        const waiting = create();
        other.exec('ROLLBACK');
        assert.equal((await waiting).status, 200);
        assert.equal((await campaignsOf(service(), merchant)).length, 1);
        other.close();
      });
    });
  }
});

/** Tries again while the service writes. A wait in SQLite would block the service, which runs here. */
async function takeWriteLock(database: DatabaseSync): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    try {
      database.exec('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      if (!String(error).includes('database is locked')) throw error;
      await pause(5);
    }
  }
  throw new Error('the service did not end its write');
}
