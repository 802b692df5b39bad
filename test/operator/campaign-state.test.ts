import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Campaign, campaignStatuses } from '../../src/campaigns/campaign.ts';
import { statement } from '../../src/database/statement.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';

const EXHAUSTED = 'Lifetime Budget Exhausted';
const listEvents = statement<{ merchantId: number }, { type: string; data: string }>(
  `SELECT type, data FROM outbox WHERE merchant_id = :merchantId
   UNION ALL SELECT type, data FROM events WHERE merchant_id = :merchantId`,
);

forEachEngine((engine) => {
  const service = useService(engine);
  let token: string;
  before(async () => {
    token = await service().newOperatorToken();
  });

  const create = async ({ token: own }: TestMerchant): Promise<Campaign> => {
    const form = { name: 'Summer', type: 'T', access_token: own };
    return (await service().request('POST', '/campaigns', { form })).json<Campaign>();
  };
  const setState = (
    { id }: { id: number | string },
    { internal_id }: { internal_id: string },
    state: unknown,
  ): Promise<ClientResponse> =>
    service().operator('PUT', `/merchants/${id}/campaigns/${internal_id}/state`, token, { json: { state } });
  const act = (
    action: string,
    { token: own }: TestMerchant,
    { internal_id }: Campaign,
  ): Promise<ClientResponse> =>
    service().request('POST', `/campaigns/${action}`, { form: { internal_id, access_token: own } });

  describe('PUT /merchants/{external_id}/campaigns/{campaign}/state', () => {
    it('sets any state after any other, which v1 shows, lists and counts', async () => {
      const merchant = await service().newMerchant();
      const campaign = await create(merchant);
      for (const from of campaignStatuses) {
        for (const to of campaignStatuses) {
          await setState(merchant, campaign, from);
          const response = await setState(merchant, campaign, to);
          assert.equal(response.status, 200, response.text);
          assert.equal(response.json<Campaign>().status, to);
          const query = { internal_id: campaign.internal_id };
          assert.deepEqual(
            (await service().get('/campaigns/retrieve', merchant, query)).json(),
            response.json(),
          );
          for (const status of campaignStatuses) {
            const listed = await service().get('/campaigns', merchant, { status, pagination: 'true' });
            const { total_entries } = listed.json<{ total_entries: number }>();
            assert.equal(total_entries, status === to ? 1 : 0, `${from} → ${to}: ${status}`);
          }
        }
      }
    });

    it('records an event of each change, and none if it is repeated', async () => {
      const merchant = await service().newMerchant();
      const campaign = await create(merchant);
      const types = { Paused: 'paused', Active: 'resumed', [EXHAUSTED]: 'exhausted', Expired: 'ended' };
      for (const state of Object.keys(types)) {
        const first = await setState(merchant, campaign, state);
        service().passTime(1000);
        assert.deepEqual((await setState(merchant, campaign, state)).json(), first.json());
      }
      const events = await service().database.all(listEvents, { merchantId: merchant.id });
      const recorded = events
        .filter(({ type }) => type.startsWith('campaign.') && type !== 'campaign.created')
        .map(({ type, data }) => [type, (JSON.parse(data) as Campaign).status]);
      const expected = Object.entries(types).map(([state, type]) => [`campaign.${type}`, state]);
      assert.deepEqual(recorded.sort(), expected.sort());
    });

    it('merchants can change and end an exhausted campaign, but neither pause nor resume it', async () => {
      const merchant = await service().newMerchant();
      const campaign = await create(merchant);
      await setState(merchant, campaign, EXHAUSTED);
      for (const action of ['pause', 'resume']) {
        const pattern = /^internal_id: the lifetime budget of the campaign .* is exhausted/;
        expectError(await act(action, merchant, campaign), 400, pattern);
      }
      const form = { internal_id: campaign.internal_id, lifetime_budget: '20', access_token: merchant.token };
      const updated = await service().request('POST', '/campaigns/update', { form });
      assert.equal(updated.json<Campaign>().status, EXHAUSTED);
      assert.equal((await act('end', merchant, campaign)).json<Campaign>().status, 'Expired');
    });

    it('400 and 404: for another state, and for a campaign of another merchant', async () => {
      const [merchant, stranger] = [await service().newMerchant(), await service().newMerchant()];
      const campaign = await create(merchant);
      expectError(
        await setState(merchant, campaign, 'active'),
        400,
        /^state: expected one of Active, Paused/,
      );
      expectError(await setState(merchant, campaign, undefined), 400, /^state: missing/);
      expectError(await setState(stranger, campaign, 'Paused'), 404, /^There is no campaign/);
      expectError(await setState({ id: 'nobody' }, campaign, 'Paused'), 404, /^There is no merchant/);
      const query = { internal_id: campaign.internal_id };
      assert.deepEqual((await service().get('/campaigns/retrieve', merchant, query)).json(), campaign);
    });
  });
});
