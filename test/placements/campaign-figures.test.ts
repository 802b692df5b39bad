import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { FeedReader } from '../support/events.ts';
import { useService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';
import { Advertiser } from './placements-support.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

forEachEngine((engine) => {
  const service = useService(engine);
  let placed = 0;

  const read = async ({ merchant, campaign: internal_id }: Advertiser): Promise<Campaign> => {
    const response = await service().get('/campaigns/retrieve', merchant, { internal_id });
    assert.equal(response.status, 200, response.text);
    return response.json<Campaign>();
  };
  const change = async (
    { merchant, campaign: internal_id }: Advertiser,
    path: string,
    fields: object = {},
  ): Promise<Campaign> => {
    const headers = { authorization: `Bearer ${merchant.token}` };
    const json = { internal_id, ...fields };
    const response = await service().request('POST', `/campaigns/${path}`, { json, headers });
    assert.equal(response.status, 200, response.text);
    return response.json<Campaign>();
  };
  const join = async ({ merchant }: Advertiser, fields: Record<string, unknown> = {}): Promise<void> => {
    const named = draft('VASE', { campaign_name: 'Spring sale', ...fields });
    const { rejections } = await importDrafts(service(), merchant, [[named]]);
    assert.deepEqual(rejections, []);
  };
  const place = async (advertiser: Advertiser, price: number): Promise<void> => {
    placed += 1;
    assert.equal((await advertiser.state({ placement_id: `F-${placed}`, price })).created, 1);
  };
  const figuresOf = ({ products, spend_today, spend, placements, limited_by }: Campaign) => ({
    products,
    spend_today,
    spend,
    placements,
    limited_by,
  });

  it('every way to read a campaign shows the same figures', async () => {
    const advertiser = await Advertiser.open(service(), { bid_amount: 0.5 });
    const { merchant, operatorToken } = advertiser;
    await join(advertiser);
    await advertiser.state({ placement_id: 'a', price: 0.29 }, { placement_id: 'b', price: 0.01 });
    const campaign = await read(advertiser);
    const expected = { products: 1, spend_today: 0.3, spend: 0.3, placements: 2, limited_by: null };
    assert.deepEqual(figuresOf(campaign), expected);
    const changes = { changed_since: 'start' };
    const listed = [
      (await service().get('/campaigns', merchant)).json<Campaign[]>(),
      (await service().get('/campaigns', merchant, { status: 'Active' })).json<Campaign[]>(),
      (await service().get('/campaigns', merchant, changes)).json<{ results: Campaign[] }>().results,
      (
        await service().operator(
          'GET',
          `/merchants/${merchant.id}/campaigns?changed_since=start`,
          operatorToken,
        )
      ).json<{ results: Campaign[] }>().results,
      await campaignsOf(service(), merchant),
    ];
    for (const campaigns of listed) assert.deepEqual(campaigns, [campaign]);
  });

  it('writes and their events show the figures after the write', async () => {
    const advertiser = await Advertiser.open(service(), { bid_amount: 0.5 });
    const feed = await FeedReader.open(service());
    await join(advertiser);
    await place(advertiser, 0.25);
    const figures = { products: 1, spend_today: 0.25, spend: 0.25, placements: 1 };
    const paused = await change(advertiser, 'pause');
    assert.deepEqual(figuresOf(paused), { ...figures, limited_by: 'paused' });
    assert.deepEqual(await change(advertiser, 'pause'), paused);
    const renamed = await change(advertiser, 'update', { name: 'Summer sale' });
    assert.deepEqual(figuresOf(renamed), { ...figures, limited_by: 'paused' });
    assert.deepEqual(await read(advertiser), renamed);
    const resumed = await change(advertiser, 'resume');
    assert.deepEqual(figuresOf(resumed), { ...figures, limited_by: null });
    const events = await feed.readOf(advertiser.merchant);
    const data = events.filter(({ type }) => type.startsWith('campaign.')).map((event) => event.data);
    assert.deepEqual(data, [paused, renamed, resumed]);
    const another = await service().request('POST', '/campaigns', {
      json: { name: 'Summer sale', type: 'AuctionCampaign' },
      headers: { authorization: `Bearer ${advertiser.merchant.token}` },
    });
    const expected = { products: 1, spend_today: 0, spend: 0, placements: 0, limited_by: 'no_bid' };
    assert.deepEqual(figuresOf(another.json<Campaign>()), expected);
  });

  it('an update accepts a record that was read before its figures changed', async () => {
    const advertiser = await Advertiser.open(service(), { bid_amount: 0.5 });
    const before = await read(advertiser);
    await join(advertiser);
    await place(advertiser, 0.25);
    const after = await change(advertiser, 'update', before);
    assert.deepEqual(after, await read(advertiser));
    assert.equal(after.updated_at, before.updated_at);
  });

  it('spend_today begins again at midnight in the merchant’s time zone', async () => {
    const timeZone = 'Pacific/Auckland';
    const advertiser = await Advertiser.open(service(), { timeZone });
    await place(advertiser, 0.25);
    const today = Temporal.Instant.fromEpochMilliseconds(service().now()).toZonedDateTimeISO(timeZone);
    const midnight = today.add({ days: 1 }).startOfDay().epochMilliseconds;
    service().passTime(midnight - 1 - service().now());
    assert.equal((await read(advertiser)).spend_today, 0.25);
    service().passTime(1);
    const { spend_today, spend } = await read(advertiser);
    assert.deepEqual([spend_today, spend], [0, 0.25]);
    await place(advertiser, 0.5);
    assert.equal((await read(advertiser)).spend_today, 0.5);
  });

  it('days follow a time zone that changes before the first placement', async () => {
    const advertiser = await Advertiser.open(service(), { timeZone: 'Pacific/Auckland' });
    const changed = await service().operator(
      'PUT',
      `/merchants/${advertiser.merchant.id}`,
      advertiser.operatorToken,
      {
        json: { time_zone: 'Pacific/Honolulu' },
      },
    );
    assert.equal(changed.status, 200, changed.text);
    await place(advertiser, 0.25);
    assert.equal((await read(advertiser)).spend_today, 0.25);
  });

  it('limited_by names the first reason, and null without one', async () => {
    const budgets = { daily_budget: 1, lifetime_budget: 1.5 };
    const advertiser = await Advertiser.open(service(), budgets);
    const reason = async (): Promise<string | null> => (await read(advertiser)).limited_by;
    assert.equal(await reason(), 'no_products');
    await join(advertiser);
    assert.equal(await reason(), 'no_bid');
    await join(advertiser, { scheduling_fee_bid: 0.5 });
    assert.equal(await reason(), null);
    await place(advertiser, 1);
    assert.equal(await reason(), 'daily_budget');
    service().passTime(DAY_MS);
    assert.equal(await reason(), null);
    await change(advertiser, 'update', { bid_amount: 0.6 });
    assert.equal(await reason(), 'lifetime_budget');
    await change(advertiser, 'update', { bid_amount: null, lifetime_budget: 1.6 });
    assert.equal(await reason(), null);
    await place(advertiser, 0.6);
    assert.equal(await reason(), 'lifetime_budget');
    await change(advertiser, 'update', { lifetime_budget: 10 });
    await change(advertiser, 'pause');
    assert.equal(await reason(), 'paused');
    await change(advertiser, 'end');
    assert.equal(await reason(), 'ended');
  });

  it('changed_since does not list a campaign again because of its figures', async () => {
    const advertiser = await Advertiser.open(service());
    const changes = async (since: string) => {
      const response = await service().get('/campaigns', advertiser.merchant, { changed_since: since });
      return response.json<{ results: Campaign[]; cursor: string }>();
    };
    const { cursor } = await changes('start');
    await join(advertiser);
    await place(advertiser, 0.25);
    assert.deepEqual((await changes(cursor)).results, []);
  });
});
