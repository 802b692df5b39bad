import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ApiError, ConnectionError, TradepostOperator } from '../../clients/typescript/src/index.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { trustCertificate } from './trust-certificate.ts';

function* pots(count: number): Generator<object> {
  for (let number = 0; number < count; number += 1) yield { identifier: `P-${number}`, title: 'Pot' };
}

describe('the TypeScript client of the operator API', () => {
  const service = useService(sqlite);
  let token: string;
  let operator: TradepostOperator;
  before(async () => {
    await trustCertificate(service());
    token = await service().newOperatorToken();
    operator = new TradepostOperator({ baseUrl: service().operatorUrl, token });
    await operator.putMerchant('seller', { name: 'Seller' });
  });

  it('creates merchants and keys, and invites users', async () => {
    const merchant = await operator.putMerchant('seller-2', { name: 'Second', currency: 'EUR' });
    const { activity, ...retrieved } = await operator.retrieveMerchant('seller-2');
    assert.deepEqual(retrieved, merchant);
    assert.equal(activity.products, 0);
    const { results } = await operator.listMerchants({ limit: 200 });
    assert.ok(results.some(({ external_id }) => external_id === 'seller-2'));
    const key = await operator.createMerchantKey('seller-2', { name: 'ERP', expires_in: '1d' });
    assert.equal((await service().get('/products', { token: key.access_token })).status, 200);
    const keys = await operator.listMerchantKeys('seller-2');
    assert.deepEqual(
      keys.results.map(({ id }) => id),
      [key.id],
    );
    assert.equal((await operator.revokeMerchantKey('seller-2', key.id)).state, 'revoked');
    const { email, new_user } = await operator.inviteUser('seller-2', { email: 'ada@example.com' });
    assert.deepEqual([email, new_user], ['ada@example.com', true]);
    assert.equal((await operator.listMerchantUsers('seller-2')).results[0]?.email, email);
    assert.ok((await operator.retrieveOverview()).merchants.active >= 2);
    const marketplace = await operator.putMarketplace({ name: 'Alpine Market', currency: 'EUR' });
    assert.deepEqual(await operator.retrieveMarketplace(), marketplace);
    assert.equal((await operator.retrieveSystem()).nodes[0]?.running, true);
    assert.equal((await operator.retrieveSystemMetrics()).interval_seconds, 300);
    await assert.rejects(operator.backUp(), /BACKUP_TO|PostgreSQL/);
    assert.deepEqual(await operator.removeUser('seller-2', 'ada@example.com'), { removed: email });
  });

  it('streams products and schedules of any number, from lists and generators', async () => {
    const streamed = await operator.streamProducts('seller', () => pots(9_000));
    assert.deepEqual([streamed.created, streamed.rejected], [9_000, 0]);
    const schedule = {
      schedule_id: 'S',
      product_identifier: 'P-1',
      scheduled_at: '2026-01-01T00:00:00Z',
      sold: false,
    };
    assert.equal((await operator.streamSchedules('seller', () => [schedule])).created, 1);
    const changes = await operator.listScheduleChanges('seller', { changed_since: 'start' });
    assert.deepEqual(
      changes.results.map(({ schedule_id }) => schedule_id),
      ['S'],
    );
  });

  it('repeats a stream after a broken connection', async () => {
    let tries = 0;
    const flaky = new TradepostOperator({
      baseUrl: service().operatorUrl,
      token,
      fetch: async (url, init) => {
        tries += 1;
        if (tries === 1) throw new Error('cut');
        return await fetch(url, init);
      },
    });
    let calls = 0;
    const streamed = await flaky.streamProducts('seller', () => {
      calls += 1;
      return pots(10);
    });
    assert.equal(streamed.created + streamed.unchanged, 10);
    assert.deepEqual([tries, calls], [2, 2]);
  });

  it('fails with what the records throw, and with errors of the service', async () => {
    async function* broken(): AsyncGenerator<object> {
      yield* pots(10);
      throw new RangeError('no more pots');
    }
    await assert.rejects(operator.streamProducts('seller', broken), /^RangeError: no more pots$/);
    const unknown = operator.streamProducts('nobody', () => pots(10));
    await assert.rejects(unknown, (error) => error instanceof ApiError && error.status === 404);
    const signal = AbortSignal.timeout(50);
    async function* endless(): AsyncGenerator<object> {
      for (;;) {
        yield* pots(1);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    const aborted = operator.streamProducts('seller', endless, { signal });
    await assert.rejects(aborted, (error) => !(error instanceof ConnectionError) && error === signal.reason);
  });
});
