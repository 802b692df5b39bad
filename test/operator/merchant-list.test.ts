import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import { runVerb } from '../../src/database/write-context.ts';
import type { ListedMerchant } from '../../src/operator/merchants/list-merchants.ts';
import type { MerchantActivity } from '../../src/operator/merchants/read-activity.ts';
import { createWebhook } from '../../src/webhooks/manage-webhooks.ts';
import { setFailing } from '../../src/webhooks/queries.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 60 * 60 * 1000;

const insertRunning = statement<{ merchantId: number; id: string }, never>(
  `INSERT INTO imports (merchant_id, id, name, bytes, state, progress, ignored_columns, created_at, alive_at)
   VALUES (:merchantId, :id, 'products.csv', 1, 'importing', 0.5, '[]', 0, 9000000000000)`,
);

forEachEngine((engine) => {
  const service = useService(engine);
  let token: string;
  before(async () => {
    token = await service().newOperatorToken();
  });

  const get = (query: string): Promise<ClientResponse> =>
    service().operator('GET', `/merchants${query}`, token);
  const list = async (query: Record<string, string>): Promise<ListedMerchant[]> => {
    const response = await get(`?${new URLSearchParams(query)}`);
    assert.equal(response.status, 200, response.text);
    return response.json<{ results: ListedMerchant[] }>().results;
  };
  const idsOf = async (query: Record<string, string>): Promise<string[]> =>
    (await list(query)).map(({ external_id }) => external_id);
  const put = async (externalId: string, json: unknown): Promise<void> => {
    const { status, text } = await service().operator('PUT', `/merchants/${externalId}`, token, { json });
    assert.ok(status === 200 || status === 201, text);
  };
  const activityOf = async ({ id }: TestMerchant): Promise<MerchantActivity> =>
    (await get(`/${id}`)).json<ListedMerchant>().activity;
  const fail = async (merchant: TestMerchant, calls: number): Promise<void> => {
    for (let call = 0; call < calls; call += 1)
      assert.equal((await service().get('/products.json', merchant, { per_page: 'many' })).status, 400);
  };

  describe('GET /merchants with query and state', () => {
    before(async () => {
      await put('fjord-1', { name: 'Ærlig Keramik', email: 'Post@Fjord.example' });
      await put('fjord-2', { name: 'Fjord Glass', email: null });
      await put('AB_1', { name: 'AB 100% Wool', state: 'suspended' });
    });

    it('finds a merchant by the beginning of its name, external ID or email, in any letter case', async () => {
      assert.deepEqual(await idsOf({ query: 'ÆRLIG' }), ['fjord-1']);
      assert.deepEqual(await idsOf({ query: 'FJORD' }), ['fjord-1', 'fjord-2']);
      assert.deepEqual(await idsOf({ query: 'post@fjord.' }), ['fjord-1']);
      assert.deepEqual(await idsOf({ query: 'glass' }), []);
    });

    it('takes every character of the query literally', async () => {
      assert.deepEqual(await idsOf({ query: 'ab_' }), ['AB_1']);
      assert.deepEqual(await idsOf({ query: 'ab%' }), []);
      assert.deepEqual(await idsOf({ query: 'ab 100%' }), ['AB_1']);
    });

    it('finds a merchant that has changed by its new values only', async () => {
      await put('moved', { name: 'Before', email: 'before@example.com' });
      await put('moved', { name: 'Afterwards', email: 'after@example.com' });
      assert.deepEqual(await idsOf({ query: 'before' }), []);
      assert.deepEqual(await idsOf({ query: 'after' }), ['moved']);
      await put('moved', { email: null });
      assert.deepEqual(await idsOf({ query: 'after@' }), []);
    });

    it('lists only merchants in a state, with a query or without one', async () => {
      assert.deepEqual(await idsOf({ state: 'suspended' }), ['AB_1']);
      assert.ok(!(await idsOf({ state: 'active' })).includes('AB_1'));
      assert.deepEqual(await idsOf({ query: 'ab', state: 'active' }), []);
      assert.deepEqual(await idsOf({ query: 'ab', state: 'suspended' }), ['AB_1']);
    });

    it('continues a search on the next page', async () => {
      const { next } = (await get('?query=fjord&limit=1')).json<{ next: string }>();
      assert.deepEqual(await idsOf({ query: 'fjord', limit: '1', after: next }), ['fjord-2']);
      expectError(await get(`?query=glass&after=${next}`), 400, /^after: a cursor of another list/);
    });

    it('400: names what is not a state or a failure', async () => {
      expectError(await get('?state=closed'), 400, /^state: expected one of active, suspended/);
      expectError(await get('?failing=orders'), 400, /^failing: expected one of calls, webhooks/);
    });
  });

  describe('the activity of a merchant', () => {
    it('is empty for a new merchant', async () => {
      assert.deepEqual(await activityOf(await service().newMerchant()), {
        products: 0,
        last_call_at: null,
        recent_calls: 0,
        recent_failed_calls: 0,
        calls_failing: false,
        failing_webhooks: 0,
        disabled_webhooks: 0,
        running_import: null,
      });
    });

    it('counts products without deleted ones, and names the import that runs', async () => {
      const merchant = await service().newMerchant();
      await importDrafts(service(), merchant, [[draft('A'), draft('B'), draft('C')]]);
      const form = { identifier: 'B', access_token: merchant.token };
      assert.equal((await service().request('POST', '/products/delete', { form })).status, 200);
      const running = { merchantId: merchant.id, id: 'import-1' };
      await service().database.transaction((connection) => connection.run(insertRunning, running), {
        merchantId: merchant.id,
      });
      const { products, running_import } = await activityOf(merchant);
      assert.deepEqual([products, running_import], [2, 'import-1']);
    });

    it('is failing while enough recent calls with live keys fail, and is listed as such', async () => {
      const [failing, few] = [await service().newMerchant(), await service().newMerchant()];
      const [busy, other] = [await service().newMerchant(), await service().newMerchant()];
      const test = await service().newTestKey(other);
      await fail(few, 4);
      await fail({ ...other, token: test.token }, 6);
      await fail(busy, 5);
      for (let call = 0; call < 21; call += 1) await service().get('/account.json', busy);
      await fail(failing, 5);
      for (const [merchant, calls, isFailing] of [
        [few, 4, false],
        [busy, 26, false],
        [failing, 5, true],
      ] as const) {
        const counted = await until(async () => {
          const activity = await activityOf(merchant);
          return activity.recent_calls === calls && activity;
        });
        assert.equal(counted.recent_failed_calls, Math.min(calls, 5));
        assert.equal(counted.calls_failing, isFailing);
        assert.ok(counted.last_call_at !== null);
      }
      assert.deepEqual(await idsOf({ failing: 'calls' }), [String(failing.id)]);
      assert.deepEqual(await idsOf({ failing: 'calls', query: 'no such name' }), []);
      service().passTime(2 * HOUR_MS);
      assert.equal((await activityOf(failing)).recent_calls, 0);
      assert.deepEqual(await idsOf({ failing: 'calls' }), []);
    });

    it('counts webhooks that fail or that the service has disabled, and the merchant is listed', async () => {
      const merchant = await service().newMerchant();
      const fields = { url: 'https://market.example/', types: [], description: '' };
      const owner = service().webhooksOf(merchant.id);
      const { id } = await runVerb(service(), owner, createWebhook, fields);
      assert.deepEqual(await idsOf({ failing: 'webhooks' }), []);
      await service().database.transaction((connection) =>
        connection.run(setFailing, { id, failingSince: service().now() }),
      );
      assert.equal((await activityOf(merchant)).failing_webhooks, 1);
      assert.deepEqual(await idsOf({ failing: 'webhooks' }), [String(merchant.id)]);
    });

    it('is the same in the list, however large its pages are', async () => {
      const all = await list({ limit: '200' });
      for (const { external_id: externalId, activity } of all)
        assert.deepEqual((await get(`/${externalId}`)).json<ListedMerchant>().activity, activity);
    });
  });
});
