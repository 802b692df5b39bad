import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ClientResponse, RequestOptions } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { HeldDatabase } from '../support/held-database.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';
import { until } from '../support/until.ts';

const HOUR = 3_600_000;

forEachEngine((engine) => {
  const held = new HeldDatabase();
  const service = useService(engine, { wrap: (database) => held.wrap(database) });
  const create = (
    { token }: { token: string },
    key: string | string[],
    members: object = {},
  ): Promise<ClientResponse> => {
    const json = { access_token: token, name: 'N', type: 'T', ...members };
    return service().request('POST', '/campaigns.json', { json, headers: { 'idempotency-key': key } });
  };
  const count = async (merchant: TestMerchant): Promise<number> =>
    (await campaignsOf(service(), merchant)).length;

  it('200: the same key and parameters return the first response again, and create nothing', async () => {
    const merchant = await service().newMerchant();
    const first = await create(merchant, 'key-1', { daily_budget: 12.5 });
    for (let time = 0; time < 3; time += 1) {
      service().passTime(HOUR);
      const again = await create(merchant, 'key-1', { daily_budget: 12.5 });
      assert.equal(again.status, 200);
      assert.equal(again.text, first.text);
      assert.equal(again.headers.etag, first.headers.etag);
    }
    assert.equal(await count(merchant), 1);
  });

  it('200: compares the parameters, not how they were sent', async () => {
    const merchant = await service().newMerchant();
    await create(merchant, 'key-1', { daily_budget: 12.5 });
    const key: RequestOptions = { headers: { 'idempotency-key': 'key-1' } };
    const { token: access_token } = merchant;
    const query = new URLSearchParams({
      daily_budget: '1.25e1',
      type: 'T',
      name: 'N',
      bid_amount: '',
      access_token,
    });
    assert.equal((await service().request('POST', `/campaigns.json?${query}`, key)).status, 200);
    const form = { daily_budget: '12.50', type: 'T', name: 'N', access_token };
    assert.equal((await service().request('POST', '/campaigns', { ...key, form })).status, 200);
    assert.equal(await count(merchant), 1);
  });

  it('200: another API key of the same merchant gets the same response', async () => {
    const merchant = await service().newMerchant();
    await create(merchant, 'key-1');
    assert.equal((await create(await service().newKey(merchant), 'key-1')).status, 200);
    assert.equal(await count(merchant), 1);
  });

  it('400: rejects the same key with different parameters', async () => {
    const merchant = await service().newMerchant();
    await create(merchant, 'key-1', { daily_budget: 1 });
    for (const other of [
      { daily_budget: 2 },
      {},
      { name: 'M' },
      { type: 'U' },
      { bid_amount: 1 },
      { lifetime_budget: 1 },
    ]) {
      expectError(await create(merchant, 'key-1', other), 400, /^Idempotency-Key: .*for a different request/);
    }
    assert.equal(await count(merchant), 1);
    assert.equal((await create(merchant, 'key-1', { daily_budget: 1 })).status, 200);
  });

  it('200: a key expires 24 hours after its first use, and may then be used for another campaign', async () => {
    const merchant = await service().newMerchant();
    await create(merchant, 'key-1');
    service().passTime(24 * HOUR - 1);
    expectError(await create(merchant, 'key-1', { name: 'Other' }), 400, /in the last 24 hours/);
    await create(merchant, 'key-1');
    assert.equal(await count(merchant), 1);
    service().passTime(1);
    assert.equal((await create(merchant, 'key-1', { name: 'Other' })).json<{ name: string }>().name, 'Other');
    assert.equal(await count(merchant), 2);
  });

  it('200: a key may be used again after 24 hours, even if many others expire at the same time', async () => {
    const merchant = await service().newMerchant();
    for (let number = 0; number < 50; number += 1) await create(merchant, `key-${number}`);
    service().passTime(24 * HOUR);
    assert.equal((await create(merchant, 'key-49', { name: 'Other' })).status, 200);
    assert.equal((await create(merchant, 'key-49', { name: 'Other' })).status, 200);
    assert.equal(await count(merchant), 51);
  });

  it('200: keys belong to one merchant and are case-sensitive', async () => {
    const [one, other] = [await service().newMerchant(), await service().newMerchant()];
    for (const merchant of [one, other])
      await create(merchant, 'key-1', { name: merchant.token.slice(0, 8) });
    await create(one, 'Key-1', { name: 'Case' });
    assert.deepEqual([await count(one), await count(other)], [2, 1]);
  });

  it('200: two merchants may use the same key at the same time; 400 for one merchant', async () => {
    const [one, other] = [await service().newMerchant(), await service().newMerchant()];
    using hold = held.hold(one.id, other.id);
    const responses: ClientResponse[] = [];
    const collect = async (creating: Promise<ClientResponse>): Promise<void> =>
      void responses.push(await creating);
    const first = collect(create(one, 'key-1'));
    await held.reached;
    expectError(await create(one, 'key-1'), 400, /^Idempotency-Key: /);
    const second = collect(create(other, 'key-1'));
    await until(() => held.waiting >= 2 || responses.length > 0);
    hold.release();
    await Promise.all([first, second]);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200],
    );
    assert.deepEqual([await count(one), await count(other)], [1, 1]);
  });

  it('400: a request that was rejected does not use up its key', async () => {
    const merchant = await service().newMerchant();
    expectError(await create(merchant, 'key-1', { daily_budget: -1 }), 400, /^daily_budget/);
    assert.equal((await create(merchant, 'key-1', { daily_budget: 1 })).status, 200);
  });

  it('200 or 400: a key has 1 to 255 visible characters', async () => {
    const merchant = await service().newMerchant();
    const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index)).join('');
    for (const key of ['a', visible, 'x'.repeat(255)])
      assert.equal((await create(merchant, key)).status, 200);
    const created = await count(merchant);
    for (const key of ['', 'x'.repeat(256), 'two words', 'tab\tbed', 'größe', ['one', 'two']]) {
      expectError(await create(merchant, key), 400, /^Idempotency-Key: expected 1 to 255 visible/);
    }
    assert.equal(await count(merchant), created);
  });

  it('200 and 400: of many requests at once, one creates, and the others get its response or a conflict', async () => {
    const merchant = await service().newMerchant();
    const responses = await Promise.all(Array.from({ length: 20 }, () => create(merchant, 'key-1')));
    for (const response of responses) {
      if (response.status === 200) continue;
      expectError(response, 400, /^Idempotency-Key: .*still in progress/);
      assert.equal(response.headers['retry-after'], '1');
    }
    assert.ok(responses.some(({ status }) => status === 200));
    assert.equal(await count(merchant), 1);
    assert.equal((await create(merchant, 'key-1')).status, 200);
  });
});
