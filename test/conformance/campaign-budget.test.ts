import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ClientResponse } from '../support/client.ts';
import { signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { startHealthServer } from '../support/health.ts';
import { startTestService, type TestMerchant, type TestService, useService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const EXCEEDED = /^Budget campaigns_per_day exceeded: at most \d+ campaigns created per day \(UTC\)\.$/;

function toNextDay(service: TestService): void {
  service.passTime(DAY_MS - (service.now() % DAY_MS));
}

function create(
  service: TestService,
  { token }: TestMerchant,
  more: Record<string, string> = {},
): Promise<ClientResponse> {
  const { key, ...form } = { key: '', name: 'N', type: 'T', ...more };
  const headers: Record<string, string> = key === '' ? {} : { 'idempotency-key': key };
  return service.request('POST', '/campaigns.json', { form: { access_token: token, ...form }, headers });
}

forEachEngine((engine) => {
  describe('with BUDGETS=campaigns_per_day=3,campaign_changes_per_day=3', () => {
    const environment = { BUDGETS: 'campaigns_per_day=3,campaign_changes_per_day=3' };
    const service = useService(engine, { environment });

    // The first two, because sessions expire by the machine's clock, and other tests advance the service's.
    it('429: campaigns created in the console count against the budget too', async () => {
      const merchant = await service().newMerchant();
      const browser = await signedIn(service(), merchant);
      const form = { name: 'From the console', type: 'T' };
      for (let time = 0; time < 2; time += 1)
        assert.equal((await browser.post('/v1/campaigns', form)).status, 200);
      assert.equal((await create(service(), merchant)).status, 200);
      const rejected = await browser.post('/v1/campaigns', form);
      assert.equal(rejected.status, 429);
      assert.match(rejected.message, EXCEEDED);
      expectError(await create(service(), merchant), 429, EXCEEDED);
      assert.equal((await campaignsOf(service(), merchant)).length, 3);
    });

    it('429: names the daily budget once changes from the API and the console have used it up', async () => {
      const merchant = await service().newMerchant();
      const browser = await signedIn(service(), merchant);
      const { internal_id: id } = (await create(service(), merchant)).json<{ internal_id: string }>();
      const change = (path: string, fields: object = {}): Promise<ClientResponse> => {
        const json = { access_token: merchant.token, internal_id: id, ...fields };
        return service().request('POST', `/campaigns/${path}.json`, { json });
      };
      // What changes nothing causes no event, so it does not count.
      for (let time = 0; time < 5; time += 1) assert.equal((await change('resume')).status, 200);
      assert.equal((await change('pause')).status, 200);
      assert.equal((await change('update', { name: 'Autumn' })).status, 200);
      assert.equal((await browser.post('/v1/campaigns/resume', { internal_id: id })).status, 200);
      const exceeded =
        /^Budget campaign_changes_per_day exceeded: at most 3 changes of campaigns per day \(UTC\)\.$/;
      expectError(await change('update', { name: 'Winter' }), 429, exceeded);
      expectError(await change('pause'), 429, exceeded);
      const rejected = await browser.post(`/campaigns/${id}`, { name: 'Winter' });
      assert.equal(rejected.status, 429);
      assert.match(rejected.message, exceeded);
      const [campaign] = await campaignsOf(service(), merchant);
      assert.deepEqual([campaign?.name, campaign?.status], ['Autumn', 'Active']);
    });

    it('429: names the daily budget once it is used up, until 00:00 UTC', async () => {
      toNextDay(service());
      service().passTime(DAY_MS - 90_000);
      const [merchant, other] = [await service().newMerchant(), await service().newMerchant()];
      for (let time = 0; time < 3; time += 1) assert.equal((await create(service(), merchant)).status, 200);
      const rejected = await create(service(), merchant);
      expectError(rejected, 429, EXCEEDED);
      assert.equal(rejected.header('retry-after'), '90');
      assert.equal((await create(service(), other)).status, 200);
      assert.equal((await campaignsOf(service(), merchant)).length, 3);
      toNextDay(service());
      assert.equal((await create(service(), merchant)).status, 200);
    });

    it('200: rejected and repeated requests use no budget, and a repeat gets its first response after the budget is used up', async () => {
      toNextDay(service());
      const merchant = await service().newMerchant();
      const first = await create(service(), merchant, { key: 'one' });
      for (let time = 0; time < 5; time += 1) {
        assert.equal((await create(service(), merchant, { key: 'one' })).text, first.text);
        assert.equal((await create(service(), merchant, { key: 'one', name: 'other' })).status, 400);
        assert.equal((await create(service(), merchant, { daily_budget: '-1' })).status, 400);
      }
      for (let time = 0; time < 2; time += 1) assert.equal((await create(service(), merchant)).status, 200);
      expectError(await create(service(), merchant, { key: 'two' }), 429, EXCEEDED);
      assert.equal((await create(service(), merchant, { key: 'one' })).text, first.text);
    });

    it('counts its rejections in the metrics', async (t) => {
      const { text } = await (await startHealthServer(t, service().health))('/metrics');
      assert.match(text, /budget_refusals_total\{budget="campaigns_per_day"\} [1-9]/);
    });
  });

  it('429: all processes on one database share one budget', async () => {
    const environment = {
      ...(await engine.environment()),
      DATA_DIR: await mkdtemp(join(tmpdir(), 'tradepost-')),
      BUDGETS: 'campaigns_per_day=100',
    };
    const shared = { name: engine.name, environment: async () => environment };
    const nodes = await Promise.all([startTestService(shared), startTestService(shared)]);
    const [one, other] = nodes;
    try {
      for (const node of nodes) {
        toNextDay(node);
        node.passTime(60_000);
      }
      const merchant = await one.newMerchant();
      let created = 0;
      for (let time = 0; time < 150; time += 1) {
        const response = await create(time % 2 === 0 ? one : other, merchant);
        if (response.status === 200) created += 1;
        else expectError(response, 429, EXCEEDED);
      }
      // Each process may hold a share of 2 that the other does not know, plus one request in progress.
      assert.ok(created >= 96 && created <= 106, `${created} of 100`);
    } finally {
      await other.stop();
      await one.close();
    }
  });
});
