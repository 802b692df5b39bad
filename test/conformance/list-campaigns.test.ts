import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Campaign, type CampaignStatus, campaignStatuses } from '../../src/campaigns/campaign.ts';
import { CampaignCounter } from '../../src/campaigns/count-campaigns.ts';
import { CampaignLister } from '../../src/campaigns/list-campaigns.ts';
import { countStatusChange, insertCampaign } from '../../src/campaigns/queries.ts';
import { newEpoch, setEpoch } from '../../src/database/epoch.ts';
import { intercept } from '../../src/database/intercept.ts';
import { statement, type Value } from '../../src/database/statement.ts';
import { formatTime } from '../../src/shared/timestamps.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError, unrecognized } from '../support/expect.ts';
import { fc } from '../support/seed.ts';
import type { TestMerchant } from '../support/service.ts';
import { runs } from '../support/thorough.ts';
import { useTwoNodes } from '../support/two-nodes.ts';
import { CampaignModel } from './campaign-model.ts';

interface Summary {
  results: Campaign[];
  from: number;
  to: number;
  page: number;
  per_page: number;
  total_entries: number;
}

const amount = fc.constantFrom(null, 0, 0.1, 12.5, 1e15);
const node = fc.constantFrom(0 as const, 1 as const);
const anyStep = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('create' as const), node, name: fc.constantFrom('A', 'B') }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      node,
      of: fc.nat(12),
      changes: fc.record(
        {
          name: fc.constantFrom('A', 'ß "\\'),
          daily_budget: amount,
          bid_amount: amount,
          lifetime_budget: amount,
        },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'pause' as const,
        'pause' as const,
        'resume' as const,
        'resume' as const,
        'end' as const,
      ),
      node,
      of: fc.nat(12),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('list' as const),
      node,
      status: fc.constantFrom(undefined, ...campaignStatuses),
      page: fc.constantFrom(1, 1, 2, 3, 2 ** 31 - 1),
      perPage: fc.constantFrom(1, 2, 3, 50),
    }),
  },
);

forEachEngine((engine) => {
  const nodes = useTwoNodes(engine);
  const create = async (merchant: TestMerchant, name: string, at: 0 | 1 = 0): Promise<Campaign> => {
    const json = { access_token: merchant.token, name, type: 'T' };
    const response = await nodes()[at].request('POST', '/campaigns', { json });
    assert.equal(response.status, 200, response.text);
    return response.json<Campaign>();
  };
  const list = (
    merchant: TestMerchant,
    query: Record<string, string>,
    at: 0 | 1 = 1,
  ): Promise<ClientResponse> => nodes()[at].get('/campaigns', merchant, query);

  it('200: returns an empty array, or a summary of zeros, for a merchant without campaigns', async () => {
    const merchant = await nodes()[0].newMerchant();
    const response = await list(merchant, {});
    assert.equal(response.text, '[]');
    assert.equal(response.headers.link, undefined);
    assert.equal(
      (await list(merchant, { pagination: 'true', status: 'Paused' })).text,
      '{"results":[],"from":0,"to":0,"page":1,"per_page":50,"total_entries":0}',
    );
  });

  it('200: returns fifty per page, newest first, by default, with the summary and links of GET products', async () => {
    const merchant = await nodes()[0].newMerchant();
    const created: Campaign[] = [];
    for (let number = 0; number < 52; number += 1) created.unshift(await create(merchant, `No. ${number}`));
    created.sort((one, other) => (one.internal_id < other.internal_id ? 1 : -1));
    const response = await list(merchant, {});
    assert.deepEqual(response.json(), created.slice(0, 50));
    assert.equal(response.headers.link, '</v1/campaigns?page=2>; rel="next"');
    const query = { pagination: 'true', page: '3', per_page: '20', status: 'Active' };
    const { results, ...figures } = (await list(merchant, query)).json<Summary>();
    assert.deepEqual(results, created.slice(40));
    assert.deepEqual(figures, { from: 41, to: 52, page: 3, per_page: 20, total_entries: 52 });
    const links = (await list(merchant, query)).header('link');
    const url = (page: number) => `</v1/campaigns?status=Active&page=${page}&per_page=20&pagination=true>`;
    assert.equal(links, `${url(1)}; rel="first", ${url(2)}; rel="prev", ${url(3)}; rel="last"`);
  });

  it('400: accepts the values of page, per_page and pagination that GET products accepts, and known statuses', async () => {
    const merchant = await nodes()[0].newMerchant();
    for (const query of [
      { page: '0' },
      { page: '2147483648' },
      { per_page: '0' },
      { per_page: '1001' },
      { pagination: 'yes' },
    ]) {
      const products = await nodes()[0].get('/products', merchant, query);
      expectError(await list(merchant, query), 400, products.message);
    }
    expectError(
      await list(merchant, { status: 'active' }),
      400,
      'status: expected one of Active, Paused, Expired, Lifetime Budget Exhausted, not "active".',
    );
    expectError(await list(merchant, { sort: 'name' }), 400, unrecognized('sort'));
    assert.equal((await list(merchant, { per_page: '1000', page: '2147483647' })).text, '[]');
  });

  it('200: lists and totals of two nodes agree with a model after any sequence of calls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 30, maxLength: 60, size: 'max' }), async (steps) => {
        const merchant = await nodes()[0].newMerchant();
        const model = new CampaignModel();
        const { token: access_token } = merchant;
        const now = Math.max(...nodes().map((each) => each.now()));
        for (const each of nodes()) each.passTime(now - each.now());
        for (const step of steps) {
          for (const each of nodes()) each.passTime(1);
          const time = formatTime(nodes()[step.node].now());
          if (step.kind === 'create') {
            const campaign = await create(merchant, step.name, step.node);
            assert.deepEqual(
              [campaign.status, campaign.created_at, campaign.updated_at],
              ['Active', time, time],
            );
            model.add(campaign);
          } else if (step.kind === 'list') {
            const { status, page, perPage } = step;
            const query = { page: String(page), per_page: String(perPage), ...(status && { status }) };
            const all = model.list(status);
            const position = (page - 1) * perPage;
            const expected = all.slice(position, position + perPage);
            const plain = await list(merchant, query, step.node);
            assert.equal(plain.text, JSON.stringify(expected));
            const shown = await list(merchant, { ...query, pagination: 'true' }, step.node);
            const [from, to] = expected.length === 0 ? [0, 0] : [position + 1, position + expected.length];
            assert.equal(
              shown.text,
              `{"results":${plain.text},"from":${from},"to":${to},"page":${page},"per_page":${perPage},` +
                `"total_entries":${all.length}}`,
            );
          } else {
            const id = model.ids[step.of] ?? 'none';
            const [path, members, expected] =
              step.kind === 'update'
                ? ['update', step.changes, model.update(id, step.changes as Partial<Campaign>, time)]
                : [step.kind, {}, model.act(id, step.kind, time)];
            const json = { access_token, internal_id: id, ...members };
            const response = await nodes()[step.node].request('POST', `/campaigns/${path}`, { json });
            if ('campaign' in expected) assert.equal(response.text, JSON.stringify(expected.campaign));
            else assert.match(response.message, expected.error);
          }
        }
      }),
      { numRuns: runs(12) },
    );
  });

  describe('of many campaigns', () => {
    const CAMPAIGNS = 23_456;
    const statusOf = (index: number): CampaignStatus =>
      index % 100 === 0 ? 'Expired' : index % 3 === 0 ? 'Paused' : 'Active';
    const idOf = (index: number): string => `01${String(index).padStart(8, '0')}`;

    async function storeCampaigns(
      merchantId: number,
      length = CAMPAIGNS,
    ): Promise<Map<CampaignStatus | undefined, string[]>> {
      const ids = new Map<CampaignStatus | undefined, string[]>();
      const rows = Array.from({ length }, (_, index) => {
        const status = statusOf(index);
        for (const each of [undefined, status]) ids.set(each, ids.get(each) ?? []);
        for (const each of [undefined, status]) ids.get(each)?.push(idOf(index));
        return {
          merchant_id: merchantId,
          id: idOf(index),
          name: `No. ${index}`,
          type: 'T',
          daily_budget: null,
          bid_amount: null,
          status,
          daily_budget_per_product: null,
          lifetime_budget: null,
          lifetime_budget_per_product: null,
          created_at: 0,
          updated_at: null,
          hourly_schedule: null,
        };
      });
      for (const each of ids.values()) each.reverse();
      await nodes()[0].database.transaction(async (connection) => {
        await connection.runEach(insertCampaign, rows);
        const [paused, expired] = [ids.get('Paused')?.length ?? 0, ids.get('Expired')?.length ?? 0];
        await connection.run(countStatusChange, { merchantId, paused, expired, exhausted: 0 });
      });
      return ids;
    }

    it('are counted again after a reset deleted them', async () => {
      const { id: merchantId } = await nodes()[0].newMerchant();
      await storeCampaigns(merchantId, 300);
      const [{ database }, other] = nodes();
      const counter = new CampaignCounter(database);
      for (let time = 0; time < 2; time += 1) assert.equal((await counter.count(merchantId)).total, 300);
      await other.database.transaction(async (connection) => {
        for (const sql of ['campaigns', 'campaign_counts']) {
          const deleteAll = `DELETE FROM ${sql} WHERE merchant_id = :merchantId`;
          await connection.run(statement<{ merchantId: number }, never>(deleteAll), { merchantId });
        }
        await connection.run(setEpoch, { merchantId, epoch: newEpoch() });
      });
      const { total, byStatus } = await counter.count(merchantId);
      const none = Object.fromEntries(campaignStatuses.map((status) => [status, 0]));
      assert.deepEqual([total, byStatus], [0, none]);
    });

    it('pages of every status contain the expected campaigns, found in bounded steps that later pages share', async () => {
      const { id: merchantId } = await nodes()[0].newMerchant();
      const stored = await storeCampaigns(merchantId);
      const steps: number[] = [];
      const note = (parameters: readonly unknown[]): void => {
        const { offset = 0, limit = 1 } = parameters[0] as Record<string, Value>;
        steps.push(Number(offset) + Number(limit));
      };
      const { database } = nodes()[0];
      const watched = intercept(database, {
        first: (asked, ...parameters) => {
          note(parameters);
          return database.first(asked, ...parameters);
        },
        all: (asked, ...parameters) => {
          note(parameters);
          return database.all(asked, ...parameters);
        },
      });
      const lister = new CampaignLister(watched, new CampaignCounter(watched), Date.now);
      let reads = 0;
      const check = async (
        status: CampaignStatus | undefined,
        page: number,
        perPage: number,
      ): Promise<void> => {
        steps.length = 0;
        const ids = stored.get(status) ?? [];
        const found = await lister.list(merchantId, { status, page, perPage });
        const position = (page - 1) * perPage;
        assert.deepEqual(
          [found.total, found.campaigns.map(({ internal_id }) => internal_id)],
          [ids.length, ids.slice(position, position + perPage)],
          `${status} page ${page}`,
        );
        assert.ok(Math.max(...steps) <= 5_000 + 250, `a step of ${Math.max(...steps)}`);
        reads = steps.length;
      };
      for (const status of [undefined, ...campaignStatuses]) {
        for (const page of [1, 2, 5, 6, 8, 10, 11, 15, 16, 17, 20, 21, 23, 24, 25, 2 ** 31 - 1]) {
          for (let time = 0; time < 2; time += 1) await check(status, page, 1000);
          assert.ok(reads <= 5, `${reads} reads for a page that was read before`);
        }
        await check(status, 335, 7);
      }
      // Another process ends a campaign in the middle and creates one.
      const ended = stored.get('Active')?.splice(9_000, 1) ?? [];
      stored.get('Expired')?.push(...ended);
      stored.get('Expired')?.sort().reverse();
      const { token } = await nodes()[1].newKey({ id: merchantId, keyId: '', token: '' });
      const form = { access_token: token, internal_id: ended[0] ?? '' };
      assert.equal((await nodes()[1].request('POST', '/campaigns/end', { form })).status, 200);
      const json = { access_token: token, name: 'New', type: 'T' };
      const added = await nodes()[1].request('POST', '/campaigns', { json });
      for (const status of [undefined, 'Active'] as const)
        stored.get(status)?.unshift(added.json<Campaign>().internal_id);
      for (const status of [undefined, ...campaignStatuses]) {
        for (const page of [1, 6, 9, 10, 11, 16, 24]) await check(status, page, 1000);
      }
      await check(undefined, 23, 1000);
      assert.ok(reads <= 5, `${reads} reads: a new campaign does not move known places`);
    });
  });
});
