import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import {
  ApiError,
  type ClientOptions,
  ConnectionError,
  Tradepost,
} from '../../clients/typescript/src/index.ts';
import { readRetryAfter, waitAfter } from '../../clients/typescript/src/retry.ts';
import { DatabaseUnavailable } from '../../src/database/database.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { FailingDatabase } from '../support/failing-database.ts';
import { HeldDatabase } from '../support/held-database.ts';
import { fc } from '../support/seed.ts';
import { startTestService, type TestMerchant, useService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';
import { type Fault, FaultyProxy } from './faulty-proxy.ts';
import { trustCertificate } from './trust-certificate.ts';

const MINUTE = 60_000;
const campaign = { name: 'Spring', type: 'AuctionCampaign', daily_budget: 12.5 };

/** Resolves to the milliseconds that `work` took. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

forEachEngine((engine) => {
  describe('the TypeScript client on unreliable connections', () => {
    const service = useService(engine);
    let merchant: TestMerchant;
    before(() => trustCertificate(service()));
    beforeEach(async () => {
      merchant = await service().newMerchant();
    });

    const through = ({ baseUrl }: FaultyProxy, options: Partial<ClientOptions> = {}): Tradepost =>
      new Tradepost({ baseUrl, token: merchant.token, ...options });

    for (const [fault, failure] of [
      ['drop-request', 'never arrive'],
      ['truncate', 'are cut in the middle of the response'],
      ['drop-response', 'lose their responses'],
    ] satisfies [Fault, string][]) {
      it(`creates one campaign, with one key, even if the first three requests ${failure}`, async () => {
        await using proxy = await FaultyProxy.start(service());
        proxy.faults = [fault, fault, fault];
        assert.equal((await through(proxy).createCampaign(campaign)).name, 'Spring');
        assert.equal((await campaignsOf(service(), merchant)).length, 1);
        assert.equal(proxy.keys.length, 4);
        assert.equal(new Set(proxy.keys).size, 1);
        assert.match(proxy.keys[0] ?? '', /^[0-9a-f-]{36}$/);
      });
    }

    it('retries a read, without a key', async () => {
      await using proxy = await FaultyProxy.start(service());
      proxy.faults = ['drop-request', 'truncate', 'drop-response'];
      assert.deepEqual(await through(proxy).listProducts(), []);
      assert.deepEqual(proxy.keys, Array(4).fill(undefined));
    });

    it('continues with the key in the error after all attempts failed', async () => {
      await using proxy = await FaultyProxy.start(service());
      proxy.faults = ['drop-response', 'drop-response'];
      const client = through(proxy, { tries: 2 });
      const error = await client.createCampaign(campaign).catch((error: unknown) => error);
      assert.ok(error instanceof ConnectionError);
      assert.equal(error.tries, 2);
      assert.ok(error.idempotencyKey !== null);
      assert.equal(error.message.includes(merchant.token), false);
      await client.createCampaign(campaign, { idempotencyKey: error.idempotencyKey });
      assert.equal((await campaignsOf(service(), merchant)).length, 1);
    });

    it('waits no longer for a response than configured, per attempt and in total', async () => {
      await using proxy = await FaultyProxy.start(service());
      proxy.faults = ['hang'];
      assert.deepEqual(await through(proxy, { timeoutMs: 1_000 }).listProducts(), []);
      proxy.faults = Array(9).fill('hang');
      await assert.rejects(through(proxy, { timeoutMs: 200, totalMs: 500, tries: 9 }).listProducts(), {
        name: 'ConnectionError',
        message: /^No response from https:.*: timed out after 0\.\d+ s\.$/,
      });
      assert.ok(proxy.faults.length >= 6, 'there is time for three tries at most');
    });

    it('ends a call as soon as it is aborted, during an attempt and between two', async () => {
      await using proxy = await FaultyProxy.start(service());
      for (const faults of [['hang'], Array(50).fill('drop-request')] satisfies Fault[][]) {
        proxy.faults = faults;
        const reason = new Error('enough');
        const controller = new AbortController();
        const call = through(proxy, { tries: 50 }).listProducts({}, { signal: controller.signal });
        setTimeout(() => controller.abort(reason), 50);
        assert.ok((await timed(() => assert.rejects(call, reason))) < 2_000);
      }
      await assert.rejects(through(proxy).listMonthlySales({ signal: AbortSignal.abort() }), {
        name: 'AbortError',
      });
    });
  });
});

describe('the TypeScript client and Retry-After', () => {
  const failing = new FailingDatabase();
  const held = new HeldDatabase();
  const service = useService(sqlite, { wrap: (database) => failing.wrap(held.wrap(database)) });
  let merchant: TestMerchant;
  before(async () => {
    await trustCertificate(service());
    merchant = await service().newMerchant();
  });

  it('waits for it after 429', async () => {
    await using limited = await startTestService(sqlite, { environment: { RATE_LIMIT: '2' } });
    await trustCertificate(limited);
    const { token } = await limited.newMerchant();
    const statuses: number[] = [];
    let last = performance.now();
    const client = new Tradepost({
      baseUrl: limited.baseUrl,
      token,
      // The service's clock moves with the real one.
      fetch: async (url, init) => {
        const now = performance.now();
        limited.passTime(now - last);
        last = now;
        const response = await fetch(url, init);
        statuses.push(response.status);
        return response;
      },
    });
    limited.passTime(MINUTE - (limited.now() % MINUTE) + MINUTE - 1_500);
    last = performance.now();
    const took = await timed(async () => {
      for (let call = 0; call < 3; call += 1) await client.listProducts();
    });
    assert.deepEqual(statuses, [200, 200, 429, 200]);
    assert.ok(took >= 1_000, `${took} ms`);
  });

  it('waits for it after 503', async () => {
    failing.failure = new DatabaseUnavailable('unavailable');
    const statuses: number[] = [];
    const client = new Tradepost({
      baseUrl: service().baseUrl,
      token: merchant.token,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        statuses.push(response.status);
        failing.failure = undefined;
        return response;
      },
    });
    const took = await timed(() => client.createCampaign(campaign));
    assert.deepEqual(statuses, [503, 200]);
    assert.ok(took >= 2_000, `${took} ms`);
    assert.equal((await campaignsOf(service(), merchant)).length, 1);
  });

  it('waits for it after 409, if the first attempt timed out and is still in progress', async () => {
    const own = await service().newMerchant();
    const statuses: number[] = [];
    using hold = held.hold(own.id);
    const client = new Tradepost({
      baseUrl: service().baseUrl,
      token: own.token,
      timeoutMs: 500,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        statuses.push(response.status);
        if (response.status === 409) hold.release();
        return response;
      },
    });
    assert.equal((await client.createCampaign(campaign)).name, 'Spring');
    assert.deepEqual([...new Set(statuses)], [409, 200]);
    assert.equal((await campaignsOf(service(), own)).length, 1);
  });

  it('gives up at once if the wait is too long, and reports how long it would be', async () => {
    await using limited = await startTestService(sqlite, { environment: { RATE_LIMIT: '1' } });
    await trustCertificate(limited);
    const { token } = await limited.newMerchant();
    const client = new Tradepost({ baseUrl: limited.baseUrl, token, totalMs: 20_000 });
    limited.passTime(MINUTE - (limited.now() % MINUTE) + 10_000);
    await client.listProducts();
    const took = await timed(async () => {
      const error = await client.listProducts().catch((error: unknown) => error);
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.status, error.retryAfterMs, error.tries], [429, 50_000, 1]);
      assert.match(error.message, /^Too many requests with this key/);
    });
    assert.ok(took < 2_000, `${took} ms`);
  });

  it('does not retry requests that would fail again', () => {
    const sent = { tries: 1, idempotencyKey: null };
    const apiError = (status: number, retryAfterMs: number | null) =>
      new ApiError({ status, code: null, message: '', problems: [], requestId: null, retryAfterMs }, sent);
    for (const status of [200, 301, 400, 401, 404, 405, 409, 500]) {
      assert.equal(waitAfter(apiError(status, null), 1), null);
    }
    assert.equal(waitAfter(new TypeError('ours'), 1), null);
    const wait = waitAfter(apiError(409, 1_000), 1) ?? 0;
    assert.ok(wait >= 1_000, 'the first request with this key is still in progress');
  });

  it('waits at least as long as requested, plus a random part of a time that doubles', () => {
    const retryAfter = fc.option(fc.integer({ min: 0, max: 3_600_000 }));
    const status = fc.constantFrom(408, 429, 502, 503, 504);
    fc.assert(
      fc.property(status, retryAfter, fc.integer({ min: 1, max: 40 }), (status, retryAfterMs, tries) => {
        const sent = { tries, idempotencyKey: null };
        const error = new ApiError(
          { status, code: null, message: '', problems: [], requestId: null, retryAfterMs },
          sent,
        );
        const maximum = Math.min(8_000, 250 * 2 ** (tries - 1));
        for (const wait of [
          waitAfter(error, tries),
          (retryAfterMs ?? 0) + (waitAfter(new ConnectionError('', sent), tries) ?? -1),
        ]) {
          assert.ok(wait !== null && wait >= (retryAfterMs ?? 0) && wait <= (retryAfterMs ?? 0) + maximum);
        }
      }),
    );
    const waits = Array.from({ length: 50 }, () =>
      waitAfter(new ConnectionError('', { tries: 1, idempotencyKey: null }), 1),
    );
    assert.ok(new Set(waits).size > 40, 'clients do not retry at the same time');
  });

  it('accepts seconds or a date, and ignores anything else', () => {
    const now = Date.parse('2026-11-21T10:00:00Z');
    const read = (value: string | null) => readRetryAfter(value, now);
    assert.deepEqual(
      ['0', '17', 'Sat, 21 Nov 2026 10:00:30 GMT', 'Sat, 21 Nov 2026 09:00:00 GMT', 'soon', '', null].map(
        read,
      ),
      [0, 17_000, 30_000, 0, null, null, null],
    );
  });
});
