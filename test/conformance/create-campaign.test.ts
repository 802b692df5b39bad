import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listKeys } from '../../src/api-keys/list-keys.ts';
import { KeyUsageRecorder } from '../../src/api-keys/record-usage.ts';
import { TokenVerifier } from '../../src/api-keys/verify-token.ts';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { intercept } from '../../src/database/intercept.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { formatTime } from '../../src/shared/timestamps.ts';
import type { ClientResponse, RequestOptions } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError, unrecognized } from '../support/expect.ts';
import { startTestService, type TestMerchant, useService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';

forEachEngine((engine) => {
  const service = useService(engine);
  const create = (
    { token }: TestMerchant,
    members: object,
    headers: RequestOptions['headers'] = {},
  ): Promise<ClientResponse> =>
    service().request('POST', '/campaigns.json', { json: { access_token: token, ...members }, headers });

  it('200: returns the keys of the specification in order, then its own, null for missing values, status Active', async () => {
    const merchant = await service().newMerchant();
    const response = await create(merchant, { name: 'Summer', type: 'AuctionCampaign', daily_budget: 12.5 });
    assert.equal(response.status, 200);
    const { internal_id: id } = response.json<Campaign>();
    assert.match(id, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    const time = formatTime(service().now());
    assert.equal(
      response.text,
      '{"name":"Summer","type":"AuctionCampaign","daily_budget":12.5,"bid_amount":null,"status":"Active",' +
        '"daily_budget_per_product":null,"lifetime_budget":null,"lifetime_budget_per_product":null,' +
        `"internal_id":"${id}","created_at":"${time}","updated_at":"${time}","products":0,"spend_today":0,"spend":0,"placements":0,` +
        '"limited_by":"no_products","hourly_schedule":null}',
    );
  });

  it('200: Location is the relative URL of the campaign, also when an Idempotency-Key repeats the response', async () => {
    const merchant = await service().newMerchant();
    const headers = { 'idempotency-key': 'key-1' };
    for (let time = 0; time < 2; time += 1) {
      const created = await create(merchant, { name: 'N', type: 'T' }, headers);
      const location = new URL(created.header('location'), 'https://shop.example/v1/campaigns.json');
      assert.equal(location.origin, 'https://shop.example');
      location.searchParams.set('access_token', merchant.token);
      const found = await service().client.request('GET', location.pathname + location.search);
      assert.equal(found.text, created.text);
    }
  });

  const newCampaign = {
    status: 'Active',
    products: 0,
    spend_today: 0,
    spend: 0,
    placements: 0,
    limited_by: 'no_products',
    hourly_schedule: null,
  };

  it('200: accepts and stores every amount from the query, a form, JSON and multipart', async () => {
    const merchant = await service().newMerchant();
    const campaign = {
      name: 'Größe & "more"',
      type: 'Any type',
      daily_budget: 0.1,
      bid_amount: 0,
      daily_budget_per_product: 1e-7,
      lifetime_budget: 1e308,
      lifetime_budget_per_product: 33.333333333333336,
    };
    const { token: access_token } = merchant;
    const text = Object.entries({ ...campaign, access_token }).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const responses = [
      await service().request('POST', `/campaigns.json?${new URLSearchParams(text)}`),
      await service().request('POST', '/campaigns.json', { form: { ...campaign, access_token } }),
      await service().request('POST', '/campaigns.json', { json: { ...campaign, access_token } }),
      await service().request('POST', '/campaigns.json', { multipart: text }),
    ];
    for (const response of responses) {
      const { internal_id: _, created_at: __, updated_at: ___, ...fields } = response.json<Campaign>();
      assert.deepEqual(fields, { ...campaign, ...newCampaign });
    }
    const stored = await campaignsOf(service(), merchant);
    assert.deepEqual(
      stored,
      responses.map((response) => response.json()),
    );
  });

  it('400: reports a missing, blank or null name and type, and creates nothing', async () => {
    const merchant = await service().newMerchant();
    for (const members of [{}, { name: '', type: ' ' }, { name: null, type: null }]) {
      expectError(
        await create(merchant, members),
        400,
        /^name: missing, expected .* type: missing, expected /,
      );
    }
    expectError(await create(merchant, { name: 'N' }), 400, /^type: missing/);
    expectError(await create(merchant, { type: 'T' }), 400, /^name: missing/);
    assert.deepEqual(await campaignsOf(service(), merchant), []);
  });

  it('200 or 400: limits name to 255 characters and type to 100, counted in characters, not bytes', async () => {
    const merchant = await service().newMerchant();
    for (const letter of ['a', 'ß', '漢', '🏺']) {
      const longest = { name: letter.repeat(255), type: letter.repeat(100) };
      const response = await create(merchant, longest);
      assert.equal(response.status, 200, response.text);
      assert.equal(response.json<{ name: string }>().name, longest.name);
      const longer = { name: letter.repeat(256), type: letter.repeat(101) };
      expectError(await create(merchant, longer), 400, /^name: .*255.* type: .*100/);
    }
  });

  it('200: two campaigns may share a name', async () => {
    const merchant = await service().newMerchant();
    for (let time = 0; time < 2; time += 1) await create(merchant, { name: 'Same', type: 'T' });
    assert.equal((await campaignsOf(service(), merchant)).length, 2);
  });

  it('400: rejects status as a parameter', async () => {
    const merchant = await service().newMerchant();
    expectError(
      await create(merchant, { name: 'N', type: 'T', status: 'Paused' }),
      400,
      unrecognized('status'),
    );
  });

  it('400: reports all invalid amounts in one message', async () => {
    const merchant = await service().newMerchant();
    const wrong = {
      daily_budget: -1,
      bid_amount: 'x',
      daily_budget_per_product: true,
      lifetime_budget: [1],
      lifetime_budget_per_product: '1,5',
    };
    const response = await create(merchant, { name: 'N', type: 'T', ...wrong });
    expectError(
      response,
      400,
      new RegExp(
        `^${Object.keys(wrong)
          .map((name) => `${name}: expected a number.*`)
          .join(' ')}$`,
      ),
    );
  });

  it('200: a campaign belongs only to the merchant of the token', async () => {
    const [one, other] = [await service().newMerchant(), await service().newMerchant()];
    await create(one, { name: 'Mine', type: 'T' });
    assert.equal((await campaignsOf(service(), one)).length, 1);
    assert.equal((await campaignsOf(service(), other)).length, 0);
  });

  it('200: stores X-ERP-Name and User-Agent as the key’s last client, cut to their maximum length', async () => {
    await using own = await startTestService(engine);
    const long = 'a'.repeat(5000);
    // 200 bytes of UTF-8 end in the middle of an é.
    const accented = Buffer.from(`a${'é'.repeat(150)}`).toString('latin1');
    const clients: [sent: Record<string, string | string[]>, stored: (string | null)[]][] = [
      [{}, [null, null]],
      [{ 'x-erp-name': 'ACME ERP', 'user-agent': 'acme/1.2' }, ['ACME ERP', 'acme/1.2']],
      [{ 'x-erp-name': long, 'user-agent': long }, [long.slice(0, 200), long.slice(0, 200)]],
      [{ 'x-erp-name': accented }, [`a${'é'.repeat(99)}`, null]],
      [{ 'x-erp-name': ['one', 'two'] }, ['one, two', null]],
    ];
    const merchants: TestMerchant[] = [];
    for (const [headers] of clients) {
      const merchant = await own.newMerchant();
      merchants.push(merchant);
      // Without a body: Node's client encodes headers differently when it sends them with text.
      const path = `/performance/sales.json?access_token=${merchant.token}`;
      assert.equal((await own.request('GET', path, { headers })).status, 200);
    }
    // A service writes its pending key usage when it stops.
    await own.stop();
    const database = await openDatabase(own.config, own.now());
    for (const [index, merchant] of merchants.entries()) {
      const [key] = await listKeys({ database, now: own.now }, merchant.id);
      assert.deepEqual([key?.last_erp_name, key?.last_user_agent], clients[index]?.[1]);
      assert.notEqual(key?.last_used_at, null);
    }
    await database.close();
  });

  it('200: a key’s uses by one client are written once a minute, and those of another client in between', async () => {
    const merchant = await service().newMerchant();
    const caller = await TokenVerifier.ofMerchants(service().database, service().now).verify(merchant.token);
    assert(caller !== undefined);
    const clock = { now: service().now() };
    let writes = 0;
    const counting = intercept(service().database, {
      transaction: async (work, options) => {
        writes += 1;
        return await service().database.transaction(work, options);
      },
    });
    const uses = new KeyUsageRecorder(
      counting,
      () => clock.now,
      (error) => assert.fail(String(error)),
    );
    const use = async (erpName: string | undefined, userAgent: string | undefined, passed: number) => {
      clock.now += passed;
      uses.record(caller, erpName, userAgent);
      await uses.flush();
      const [key] = await listKeys({ database: service().database, now: service().now }, merchant.id);
      return [writes, key?.last_erp_name, key?.last_user_agent];
    };
    assert.deepEqual(await use('one', 'a/1', 0), [1, 'one', 'a/1']);
    assert.deepEqual(await use('one', 'a/1', 1), [1, 'one', 'a/1']);
    assert.deepEqual(await use(undefined, undefined, 1), [1, 'one', 'a/1']);
    assert.deepEqual(await use('two', undefined, 1), [2, 'two', 'a/1']);
    assert.deepEqual(await use(undefined, 'b/2', 1), [3, 'two', 'b/2']);
    assert.deepEqual(await use('two', 'b/2', 59_999), [3, 'two', 'b/2']);
    assert.deepEqual(await use('two', 'b/2', 1), [4, 'two', 'b/2']);
    const long = 'x'.repeat(201);
    assert.deepEqual(await use(long, long, 0), [5, long.slice(1), long.slice(1)]);
    assert.deepEqual(await use(long, long, 0), [5, long.slice(1), long.slice(1)]);
  });

  describe('with CAMPAIGN_TYPES', () => {
    const limited = useService(engine, { environment: { CAMPAIGN_TYPES: 'AuctionCampaign, Other' } });

    it('200 or 400: accepts only the types that the setting lists, case-sensitively', async () => {
      const { token: access_token } = await limited().newMerchant();
      const create = (type: string): Promise<ClientResponse> =>
        limited().request('POST', '/campaigns.json', { json: { access_token, name: 'N', type } });
      for (const type of ['AuctionCampaign', 'Other']) assert.equal((await create(type)).status, 200);
      for (const type of ['auctioncampaign', 'Third', 'AuctionCampaign, Other']) {
        expectError(await create(type), 400, `type: expected one of AuctionCampaign, Other, not "${type}".`);
      }
    });
  });
});
