import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { createCampaign } from '../../src/campaigns/create-campaign.ts';
import type { CampaignChanges } from '../../src/campaigns/list-changes.ts';
import { startEpoch } from '../../src/database/epoch.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { UNSET_AMOUNTS } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import type { TestMerchant, TestService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';
import { useTwoNodes } from '../support/two-nodes.ts';

/** More than are numbered at once. */
const MANY = 1_050;

forEachEngine((engine) => {
  const nodes = useTwoNodes(engine);

  const since = (service: TestService, merchant: TestMerchant, cursor: string, query = {}) =>
    service.get('/campaigns', merchant, { changed_since: cursor, ...query });
  const post = async (service: TestService, { token }: TestMerchant, path: string, form: object) => {
    const response = await service.request('POST', path, { form: { ...form, access_token: token } });
    assert.equal(response.status, 200, response.text);
    return response.json<Campaign>();
  };
  const create = (service: TestService, merchant: TestMerchant, name: string) =>
    post(service, merchant, '/campaigns', { name, type: 'T' });

  /** A copy that is kept only by `changed_since`. */
  class Mirror {
    readonly campaigns = new Map<string, Campaign>();
    readonly #merchant: TestMerchant;
    #cursor = 'start';

    constructor(merchant: TestMerchant) {
      this.#merchant = merchant;
    }

    async follow(service: TestService, perPage = '1000'): Promise<string[][]> {
      const pages: string[][] = [];
      for (;;) {
        const response = await since(service, this.#merchant, this.#cursor, { per_page: perPage });
        assert.equal(response.status, 200, response.text);
        const { results, cursor, more } = response.json<CampaignChanges>();
        for (const campaign of results) this.campaigns.set(campaign.internal_id, campaign);
        pages.push(results.map(({ name }) => name));
        this.#cursor = cursor;
        if (!more) return pages;
      }
    }

    inOrder(): Campaign[] {
      const byId = (one: Campaign, other: Campaign) => (one.internal_id < other.internal_id ? -1 : 1);
      return [...this.campaigns.values()].sort(byId);
    }
  }

  describe('GET /campaigns?changed_since=', () => {
    it('lists everything from the start, then each change once, in its newest state', async () => {
      const [service] = nodes();
      const merchant = await service.newMerchant();
      const mirror = new Mirror(merchant);
      assert.deepEqual(await mirror.follow(service), [[]]);
      const campaigns = [];
      for (const name of ['A', 'B', 'C']) campaigns.push(await create(service, merchant, name));
      assert.deepEqual((await mirror.follow(service, '2')).flat(), ['A', 'B', 'C']);
      assert.deepEqual(await mirror.follow(service), [[]]);
      const [first, second] = campaigns.map(({ internal_id }) => ({ internal_id }));
      await post(service, merchant, '/campaigns/pause', second ?? {});
      await mirror.follow(service);
      await post(service, merchant, '/campaigns/update', { ...first, name: 'A2' });
      await post(service, merchant, '/campaigns/update', { ...second, name: 'B2' });
      await post(service, merchant, '/campaigns/end', second ?? {});
      assert.deepEqual((await mirror.follow(service)).flat().sort(), ['A2', 'B2']);
      assert.deepEqual(mirror.inOrder(), await campaignsOf(service, merchant));
    });

    it('loses no change of many writers, on two nodes', async () => {
      const [one, other] = nodes();
      const merchant = await one.newMerchant();
      const mirrors = [new Mirror(merchant), new Mirror(merchant)];
      let isWriting = true;
      const readers = mirrors.map(async (mirror, index) => {
        while (isWriting) await mirror.follow(index === 0 ? one : other, '7');
      });
      await Promise.all(
        [one, other, one, other].map(async (service, writer) => {
          for (let index = 0; index < 15; index += 1) {
            const { internal_id } = await create(service, merchant, `${writer}-${index}`);
            if (index % 2 === 0) await post(service, merchant, '/campaigns/pause', { internal_id });
            if (index % 3 === 0) await post(service, merchant, '/campaigns/end', { internal_id });
          }
        }),
      );
      isWriting = false;
      await Promise.all(readers);
      const stored = await campaignsOf(one, merchant);
      assert.equal(stored.length, 60);
      for (const mirror of mirrors) {
        await mirror.follow(other);
        assert.deepEqual(mirror.inOrder(), stored);
      }
    });

    it('lists more changes than it can number at once', async () => {
      const [service] = nodes();
      const merchant = await service.newMerchant();
      const { internal_id } = await create(service, merchant, 'first');
      const mirror = new Mirror(merchant);
      await mirror.follow(service);
      const caller = { merchantId: merchant.id, who: OPERATOR, budget: null };
      const createMany: typeof createCampaign = async (context, amounts) => {
        for (let number = 1; number < MANY; number += 1) await createCampaign(context, amounts);
        return await createCampaign(context, amounts);
      };
      await runVerb(service, caller, createMany, { ...UNSET_AMOUNTS, name: 'further', type: 'T' });
      await post(service, merchant, '/campaigns/pause', { internal_id });
      const pages = await mirror.follow(service);
      assert.ok(pages.length > 1);
      assert.equal(pages.flat().length, MANY + 1);
      assert.deepEqual(mirror.inOrder(), await campaignsOf(service, merchant));
    });

    it('400: with other parameters, and for a cursor of another list or merchant', async () => {
      const [service] = nodes();
      const [merchant, stranger] = [await service.newMerchant(), await service.newMerchant()];
      const { cursor } = (await since(service, merchant, 'start')).json<CampaignChanges>();
      expectError(
        await since(service, stranger, cursor),
        400,
        /^changed_since: a cursor of another merchant/,
      );
      const products = await service.get('/products', merchant, { changed_since: cursor });
      expectError(products, 400, /^changed_since: a cursor of another list/);
      expectError(await since(service, merchant, 'x'), 400, /^changed_since: not a complete cursor/);
      expectError(
        await since(service, merchant, 'start', { status: 'Active', page: '1' }),
        400,
        /^status: cannot be combined with changed_since\. page: cannot be combined/,
      );
    });

    it('410: for a cursor from before a restore', async () => {
      const [service] = nodes();
      const merchant = await service.newMerchant();
      await create(service, merchant, 'A');
      const { cursor } = (await since(service, merchant, 'start')).json<CampaignChanges>();
      await service.database.transaction(startEpoch);
      expectError(await since(service, merchant, cursor), 410, /^changed_since: this cursor is from before/);
      assert.equal((await since(service, merchant, 'start')).status, 200);
    });
  });
});
