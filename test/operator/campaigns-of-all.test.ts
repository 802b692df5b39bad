import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { MerchantCampaign } from '../../src/operator/campaigns/list-schema.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';

interface Page {
  results: MerchantCampaign[];
  next: string | null;
}

forEachEngine((engine) => {
  describe('the campaigns of all merchants', () => {
    const service = useService(engine);
    let token: string;
    const created: string[] = [];

    async function create(merchant: TestMerchant, name: string): Promise<void> {
      const response = await service().request('POST', '/campaigns.json', {
        json: { access_token: merchant.token, name, type: 'T' },
      });
      assert.equal(response.status, 200, response.text);
      created.unshift(response.json<Campaign>().internal_id);
    }
    const list = async (query = ''): Promise<Page> => {
      const response = await service().operator('GET', `/campaigns${query}`, token);
      assert.equal(response.status, 200, response.text);
      return response.json<Page>();
    };

    before(async () => {
      token = await service().newOperatorToken(['campaigns']);
      const merchants = [await service().newMerchant(), await service().newMerchant()];
      for (let index = 0; index < 5; index += 1) {
        const merchant = merchants[index % 2] ?? assert.fail();
        await create(merchant, `Campaign ${index}`);
        // The IDs of one millisecond are in no order.
        service().passTime(1);
      }
    });

    it('are listed newest first, page by page, each with its merchant', async () => {
      const found: MerchantCampaign[] = [];
      let query = '?limit=2';
      for (;;) {
        const { results, next } = await list(query);
        found.push(...results);
        if (next === null) break;
        assert.equal(results.length, 2);
        query = `?limit=2&after=${next}`;
      }
      assert.deepEqual(new Set(found.map(({ campaign }) => campaign.internal_id)), new Set(created));
      assert.equal(found.length, created.length);
      assert.ok(found.every(({ merchant, currency }) => merchant.name !== '' && currency === 'USD'));
      assert.equal(new Set(found.map(({ merchant }) => merchant.external_id)).size, 2);
    });

    it('of one status are listed alone', async () => {
      const [first] = (await list('?limit=1')).results;
      const { merchant, campaign } = first ?? assert.fail();
      const path = `/merchants/${merchant.external_id}/campaigns/${campaign.internal_id}/state`;
      const paused = await service().operator('PUT', path, token, { json: { state: 'Paused' } });
      assert.equal(paused.status, 200, paused.text);
      const { results } = await list('?status=Paused');
      assert.deepEqual(
        results.map((one) => one.campaign.internal_id),
        [campaign.internal_id],
      );
      assert.equal((await list('?status=Active')).results.length, created.length - 1);
    });
  });
});
