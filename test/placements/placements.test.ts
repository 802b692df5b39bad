import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ClientEvent } from '../../src/events/event-types.ts';
import { ExpiredPlacements } from '../../src/placements/outcomes/release-expired.ts';
import type {
  CampaignPerformance,
  PerformanceReport,
} from '../../src/placements/performance/campaign-performance.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { FeedReader } from '../support/events.ts';
import { expectError } from '../support/expect.ts';
import { useService } from '../support/service.ts';
import { Advertiser } from './placements-support.ts';

const DAY_MS = 86_400_000;

forEachEngine((engine) => {
  const service = useService(engine, { environment: { LOW_BUDGET: '50' } });

  describe('GET /placements', () => {
    it('lists the placements of a campaign, a product and a day, page by page', async () => {
      const advertiser = await Advertiser.open(service());
      const yesterday = new Date(service().now() - DAY_MS).toISOString();
      await advertiser.state(
        { placement_id: 'a' },
        { placement_id: 'b', product_identifier: 'BOWL', delivered_at: yesterday },
        { placement_id: 'c', delivered_at: yesterday },
      );
      const ids = async (query: Record<string, string>) =>
        (await advertiser.list(query)).map(({ placement_id }) => placement_id);
      const { campaign } = advertiser;
      assert.deepEqual(await ids({ campaign }), ['b', 'c', 'a']);
      assert.deepEqual(await ids({ product_identifier: 'VASE' }), ['c', 'a']);
      assert.deepEqual(await ids({ day: yesterday.slice(0, 10) }), ['b', 'c']);
      assert.deepEqual(await ids({ campaign, product_identifier: 'BOWL', day: yesterday.slice(0, 10) }), [
        'b',
      ]);
      const before = new Date(service().now() - 2 * DAY_MS).toISOString().slice(0, 10);
      assert.deepEqual(await ids({ from: yesterday.slice(0, 10) }), ['b', 'c', 'a']);
      assert.deepEqual(await ids({ campaign, from: before, to: yesterday.slice(0, 10) }), ['b', 'c']);
      assert.deepEqual(await ids({ product_identifier: 'VASE', to: yesterday.slice(0, 10) }), ['c']);
      assert.deepEqual(await ids({ to: before }), []);
      const first = await service().get('/placements', advertiser.merchant, { campaign, per_page: '2' });
      const { cursor, more } = first.json<{ cursor: string; more: boolean }>();
      assert.equal(more, true);
      assert.deepEqual(await ids({ campaign, per_page: '2', after: cursor }), ['a']);
    });

    it('refuses a list of everything, a cursor of another list, and two kinds of lists at once', async () => {
      const advertiser = await Advertiser.open(service());
      await advertiser.state({ placement_id: 'a' });
      const { merchant, campaign } = advertiser;
      const get = (query: Record<string, string>) => service().get('/placements', merchant, query);
      expectError(await get({}), 400, /expected either changed_since, or some of campaign/);
      expectError(await get({ changed_since: 'start', campaign }), 400, /expected either changed_since/);
      expectError(
        await get({ changed_since: 'start', to: '2026-02-01' }),
        400,
        /expected either changed_since/,
      );
      const range = { from: '2026-02-02', to: '2026-02-01' };
      expectError(await get(range), 400, /^to: expected 2026-02-02 or a later day/);
      expectError(
        await get({ ...range, day: '2026-02-01' }),
        400,
        /^day: cannot be combined with from and to/,
      );
      expectError(await get({ changed_since: 'start', after: 'x' }), 400, /^after: expected only without/);
      const { cursor } = (await get({ campaign })).json<{ cursor: string }>();
      expectError(await get({ product_identifier: 'VASE', after: cursor }), 400, /^after: /);
      expectError(await get({ product_identifier: 'CUP' }), 404, /CUP/);
      expectError(await get({ campaign: 'unknown' }), 404, /unknown/);
    });

    it('shows another merchant nothing', async () => {
      const advertiser = await Advertiser.open(service());
      await advertiser.state({ placement_id: 'a' });
      const other = await service().newMerchant();
      const { campaign } = advertiser;
      expectError(await service().get('/placements', other, { campaign }), 404, /no campaign/);
      const performance = { internal_id: campaign };
      const response = await service().get('/campaigns/performance', other, performance);
      expectError(response, 404, /no campaign/);
      const changed = await service().get('/placements', other, { changed_since: 'start' });
      assert.deepEqual(changed.json<{ results: object[] }>().results, []);
    });
  });

  describe('GET /campaigns/performance', () => {
    it('counts a placement on its day in the merchant’s time zone', async () => {
      const advertiser = await Advertiser.open(service(), { timeZone: 'Pacific/Auckland' });
      await advertiser.state({ placement_id: 'a', delivered_at: '2026-01-31T10:59:59Z' });
      await advertiser.state({ placement_id: 'b', delivered_at: '2026-01-31T11:00:00Z' });
      const days = async (query: Record<string, string>) =>
        (await advertiser.performance({ by: 'day', ...query })).map((row) => Object.values(row)[0]);
      assert.deepEqual(await days({}), ['2026-01-31', '2026-02-01']);
      assert.deepEqual(await days({ from: '2026-02-01' }), ['2026-02-01']);
      assert.deepEqual(await days({ to: '2026-01-31' }), ['2026-01-31']);
    });

    it('finds a campaign by its name, and refuses an impossible range', async () => {
      const advertiser = await Advertiser.open(service());
      const get = (query: Record<string, string>) =>
        service().get('/campaigns/performance', advertiser.merchant, query);
      assert.equal((await get({ name: 'Spring sale' })).status, 200);
      expectError(
        await get({ name: 'Spring sale', from: '2026-02-02', to: '2026-02-01' }),
        400,
        /^to: expected 2026-02-02 or a later day/,
      );
      expectError(await get({ name: 'Spring sale', from: '2026-02-30' }), 400, /^from: expected a day/);
      expectError(await get({ sort: 'spend' }), 400, /^sort: expected one of spend_descending, /);
    });

    it('adds up all campaigns of the merchant if none is named', async () => {
      const advertiser = await Advertiser.open(service());
      const { merchant } = advertiser;
      const other = await Advertiser.open(service());
      await other.state({ placement_id: 'a' });
      const totals = async (query: Record<string, string> = {}) => {
        const response = await service().get('/campaigns/performance', merchant, query);
        return response.json<PerformanceReport>().results;
      };
      assert.deepEqual(
        (await totals()).map(({ placements, spend }) => [placements, spend]),
        [[0, 0]],
      );
      const json = { name: 'Clearance', type: 'AuctionCampaign' };
      const headers = { authorization: `Bearer ${merchant.token}` };
      const created = await service().request('POST', '/campaigns', { json, headers });
      const { internal_id: campaign_id } = created.json<{ internal_id: string }>();
      await advertiser.state(
        { placement_id: 'a', delivered_at: '2026-01-31T10:00:00Z' },
        { placement_id: 'b', delivered_at: '2026-01-31T11:00:00Z', campaign_id },
        { placement_id: 'c', delivered_at: '2026-02-01T11:00:00Z', campaign_id, product_identifier: 'BOWL' },
      );
      await advertiser.sell({ schedule_id: 'b' });
      const summarize = (rows: readonly CampaignPerformance[]) =>
        rows.map(({ day, product_identifier, placements, spend, orders, return_on_spend }) => [
          day ?? product_identifier,
          ...[placements, spend, orders, return_on_spend],
        ]);
      assert.deepEqual(summarize(await totals()), [[null, 3, 0.75, 1, 26.6667]]);
      assert.deepEqual(summarize(await totals({ from: '2026-02-01' })), [[null, 1, 0.25, 0, 0]]);
      assert.deepEqual(summarize(await totals({ by: 'day' })), [
        ['2026-01-31', 2, 0.5, 1, 40],
        ['2026-02-01', 1, 0.25, 0, 0],
      ]);
      assert.deepEqual(summarize(await totals({ by: 'product', to: '2026-01-31' })), [
        ['VASE', 2, 0.5, 1, 40],
      ]);
    });

    it('lists products by spend or by return, and says whether more follow', async () => {
      const advertiser = await Advertiser.open(service());
      const drafts = ['CUP', 'JUG'].map((identifier) => draft(identifier));
      await importDrafts(service(), advertiser.merchant, [drafts]);
      const placed = { VASE: 1, BOWL: 2, CUP: 3, JUG: 0 };
      for (const [product_identifier, price] of Object.entries(placed))
        await advertiser.state({ placement_id: product_identifier, product_identifier, price });
      await advertiser.sell(
        { schedule_id: 'VASE', sale_price: 6 },
        { schedule_id: 'BOWL', product_identifier: 'BOWL', sale_price: 8 },
      );
      const listed = async (query: Record<string, string>) => {
        const asked = { internal_id: advertiser.campaign, by: 'product', ...query };
        const response = await service().get('/campaigns/performance', advertiser.merchant, asked);
        const { results, more } = response.json<PerformanceReport>();
        return [...results.map(({ product_identifier }) => product_identifier), more];
      };
      assert.deepEqual(await listed({}), ['CUP', 'BOWL', 'VASE', 'JUG', false]);
      const [best, worst] = ['return_on_spend_descending', 'return_on_spend_ascending'] as const;
      assert.deepEqual(await listed({ sort: best }), ['VASE', 'BOWL', 'CUP', 'JUG', false]);
      assert.deepEqual(await listed({ sort: worst }), ['CUP', 'BOWL', 'VASE', 'JUG', false]);
      assert.deepEqual(await listed({ sort: best, per_page: '2' }), ['VASE', 'BOWL', true]);
      assert.deepEqual(await listed({ sort: best, per_page: '2', page: '2' }), ['CUP', 'JUG', false]);
    });
  });

  describe('what becomes of a campaign', () => {
    const typesOf = (events: readonly ClientEvent[]): string[] =>
      events.map(({ type }) => type).filter((type) => type.startsWith('campaign.'));

    it('is low, then exhausted, and active again once its budget is raised', async () => {
      const advertiser = await Advertiser.open(service(), { lifetime_budget: 1, bid_amount: 0.2 });
      const { merchant, campaign } = advertiser;
      const feed = await FeedReader.open(service());
      const after: [price: number, types: string[]][] = [
        [0.4, []],
        [0.2, ['campaign.low_budget']],
        [0.1, []],
        [0.2, ['campaign.exhausted']],
        [0.2, []],
      ];
      for (const [index, [price, types]] of after.entries()) {
        await advertiser.state({ placement_id: `p${index}`, price });
        assert.deepEqual(typesOf(await feed.readOf(merchant)), types, `after ${price}`);
      }
      await assert.rejects(advertiser.reserve(0.01), /lifetime_budget/);
      const json = { internal_id: campaign, lifetime_budget: 5 };
      const headers = { authorization: `Bearer ${merchant.token}` };
      await service().request('POST', '/campaigns/update', { json, headers });
      assert.deepEqual(typesOf(await feed.readOf(merchant)), ['campaign.resumed']);
      await advertiser.reserve(0.01);
    });

    it('says once a day that the daily budget is spent', async () => {
      const advertiser = await Advertiser.open(service(), { daily_budget: 1, bid_amount: 0.5 });
      const feed = await FeedReader.open(service());
      const after: [price: number, types: string[]][] = [
        [0.4, []],
        [0.2, ['campaign.daily_budget_spent']],
        [0.2, []],
      ];
      for (let day = 0; day < 2; day += 1) {
        for (const [price, types] of after) {
          const placement_id = await advertiser.reserve(price);
          await advertiser.report({ placement_id, outcome: 'delivered' });
          const events = typesOf(await feed.readOf(advertiser.merchant));
          assert.deepEqual(events, types, `after ${price} on day ${day}`);
        }
        service().passTime(DAY_MS);
      }
    });

    it('is exhausted however it comes that its budget no longer covers its bid', async () => {
      const cases: [what: string, spent: number, change: Record<string, number>][] = [
        ['a budget that is lowered below what is spent', 0.4, { lifetime_budget: 0.3 }],
        ['a bid that is raised above what is left', 0.5, { bid_amount: 0.8 }],
      ];
      for (const [what, price, change] of cases) {
        const advertiser = await Advertiser.open(service(), { lifetime_budget: 1, bid_amount: 0.2 });
        await advertiser.state({ placement_id: 'a', price });
        const updated = await advertiser.change('update', change);
        assert.equal(updated.status, 'Lifetime Budget Exhausted', what);
      }
      const paused = await Advertiser.open(service(), { lifetime_budget: 1, bid_amount: 0.2 });
      await paused.change('pause', {});
      await paused.state({ placement_id: 'a', price: 0.9 });
      assert.equal((await paused.change('resume', {})).status, 'Lifetime Budget Exhausted');
      assert.equal(
        (await paused.change('update', { lifetime_budget: 0.95 })).status,
        'Lifetime Budget Exhausted',
      );
      assert.equal((await paused.change('update', { lifetime_budget: 2 })).status, 'Active');
    });

    it('says that a budget is low once for each budget, and nothing about days without spending', async () => {
      const budgets = { lifetime_budget: 1, daily_budget: 0.1, bid_amount: 0.2 };
      const advertiser = await Advertiser.open(service(), budgets);
      const feed = await FeedReader.open(service());
      const yesterday = new Date(service().now() - DAY_MS).toISOString();
      for (const price of [0.6, 0.1, 0.6]) {
        await advertiser.state({ placement_id: 'a', delivered_at: yesterday, price });
      }
      assert.deepEqual(typesOf(await feed.readOf(advertiser.merchant)), ['campaign.low_budget']);
      await advertiser.change('update', { lifetime_budget: 1.1 });
      await advertiser.state({ placement_id: 'b', delivered_at: yesterday, price: 0.05 });
      const types = typesOf(await feed.readOf(advertiser.merchant));
      assert.deepEqual(types, ['campaign.updated', 'campaign.low_budget']);
    });

    it('gets back what expires', async () => {
      const advertiser = await Advertiser.open(service(), { daily_budget: 1 });
      await advertiser.reserve(0.75);
      await assert.rejects(advertiser.reserve(0.75), /daily_budget/);
      service().passTime(15 * 60_000);
      await new ExpiredPlacements({ ...service(), lowBudget: 80 }).release(() => false);
      assert.equal((await advertiser.list())[0]?.state, 'released');
      await advertiser.reserve(0.75);
    });
  });
});
