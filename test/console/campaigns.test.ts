import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type {
  CampaignOverview,
  CampaignProducts,
  CampaignReturns,
  ChangedCampaign,
  ProductNames,
} from '../../src/console/catalog-api.ts';
import { Advertiser } from '../placements/placements-support.ts';
import { auditLogOf } from '../support/audit.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { startTestService, useService } from '../support/service.ts';

forEachEngine((engine) => {
  const service = useService(engine);
  beforeEach(() => service().passTime(61_000));

  describe('campaigns in the console', () => {
    const ready = async (): Promise<{ client: ConsoleClient; campaign: Campaign; token: string }> => {
      const merchant = await service().newMerchant();
      const client = await signedIn(service(), merchant, 'editor');
      const input = { name: 'Spring', type: 'T', daily_budget: 10, bid_amount: 0.5 };
      const campaign = (await client.post('/v1/campaigns', input)).json<Campaign>();
      service().passTime(1_000);
      return { client, campaign, token: merchant.token };
    };
    const retrieve = async (client: ConsoleClient, { internal_id: id }: Campaign): Promise<Campaign> =>
      (await client.get(`/v1/campaigns/retrieve?internal_id=${id}`)).json<Campaign>();
    const actionsOf = async (client: ConsoleClient): Promise<string[]> => {
      const entries = await auditLogOf(service(), client);
      return entries
        .filter(({ action }) => action.startsWith('campaign.'))
        .map(({ action, subject }) => `${action} ${subject}`);
    };

    it('are retrieved and changed as through the API, and changes are recorded', async () => {
      const { client, campaign, token } = await ready();
      const path = `/campaigns/${campaign.internal_id}`;
      assert.deepEqual(await retrieve(client, campaign), campaign);
      const changed = await client.post(path, { name: 'Summer', daily_budget: null, lifetime_budget: 99.5 });
      assert.equal(changed.status, 200, changed.text);
      const { moved_products: moved, ...after } = changed.json<ChangedCampaign>();
      assert.equal(moved, 0);
      assert.deepEqual(after, {
        ...campaign,
        ...{ name: 'Summer', daily_budget: null, lifetime_budget: 99.5, updated_at: after.updated_at },
      });
      assert.notEqual(after.updated_at, campaign.updated_at);
      const query = { internal_id: campaign.internal_id };
      assert.equal(
        (await service().get('/campaigns/retrieve.json', { token }, query)).text,
        JSON.stringify(after),
      );
      service().passTime(1_000);
      assert.deepEqual((await client.post(path, { name: 'Summer' })).json(), { ...after, moved_products: 0 });
      assert.deepEqual(await actionsOf(client), [
        'campaign.changed Spring: name Summer, daily_budget none, lifetime_budget 99.5',
        'campaign.created Spring',
      ]);
    });

    it('400: invalid values, named by their field, and read-only fields', async () => {
      const { client, campaign } = await ready();
      const path = `/campaigns/${campaign.internal_id}`;
      for (const [field, value] of [
        ['daily_budget', 'a lot'],
        ['bid_amount', -1],
        ['name', null],
        ['type', 'Other'],
        ['status', 'Paused'],
      ]) {
        const response = await client.post(path, { [String(field)]: value });
        assert.equal(response.status, 400, response.text);
        const { fields } = response.json<{ fields: { name: string }[] }>();
        assert.deepEqual(
          fields.map(({ name }) => name),
          [field],
        );
      }
      assert.deepEqual(await retrieve(client, campaign), campaign);
    });

    it('are paused, resumed and ended, once each', async () => {
      const { client, campaign } = await ready();
      const act = async (action: string): Promise<[number, string]> => {
        service().passTime(1_000);
        const { internal_id } = campaign;
        const response = await client.post(`/v1/campaigns/${action}`, { internal_id });
        return [
          response.status,
          response.status === 200 ? response.json<Campaign>().status : response.message,
        ];
      };
      assert.deepEqual(await act('pause'), [200, 'Paused']);
      assert.deepEqual(await act('pause'), [200, 'Paused']);
      assert.deepEqual(await act('resume'), [200, 'Active']);
      assert.deepEqual(await act('end'), [200, 'Expired']);
      const [status, message] = await act('resume');
      assert.equal(status, 400);
      assert.match(
        message,
        new RegExp(`the campaign ${campaign.internal_id} is expired and cannot be changed`),
      );
      assert.deepEqual(await actionsOf(client), [
        ...['campaign.ended Spring', 'campaign.resumed Spring'],
        ...['campaign.paused Spring', 'campaign.created Spring'],
      ]);
    });

    it('are counted by status', async () => {
      const { client, campaign } = await ready();
      await client.post('/v1/campaigns', { name: 'Autumn', type: 'T' });
      await client.post('/v1/campaigns/pause', { internal_id: campaign.internal_id });
      const { counts } = (await client.get('/campaigns/overview')).json<CampaignOverview>();
      assert.deepEqual(counts, {
        all: 2,
        by_status: { Active: 1, Paused: 1, Expired: 0, 'Lifetime Budget Exhausted': 0 },
      });
    });
  });

  describe('the products of a campaign', () => {
    it('are those that name it and are not deleted, newest first, page by page', async () => {
      const merchant = await service().newMerchant();
      const client = await signedIn(service(), merchant, 'viewer');
      const owner = await signedIn(service(), merchant);
      const campaign = (await owner.post('/v1/campaigns', { name: 'Spring', type: 'T' })).json<Campaign>();
      const path = `/campaigns/${campaign.internal_id}/products`;
      const list = async (query = ''): Promise<CampaignProducts> =>
        (await client.get(`${path}${query}`)).json<CampaignProducts>();
      assert.deepEqual(await list(), { products: [], next: null });
      const named = { campaign_name: 'Spring', primary_image: 'https://images.example/1.png' };
      await importDrafts(service(), merchant, [
        ['A', 'B', 'C', 'D'].map((name) => draft(name, { ...named, title: `Vase ${name}` })),
        [draft('E', { campaign_name: 'spring' }), draft('F', {})],
      ]);
      await importDrafts(service(), await service().newMerchant(), [[draft('A', named)]]);
      const { products, next } = await list('?limit=3');
      assert.deepEqual(
        products.map(({ identifier }) => identifier),
        ['D', 'C', 'B'],
      );
      assert.deepEqual(products[0], {
        ...{ internal_id: products[0]?.internal_id, identifier: 'D', status: 'enabled' },
        ...{ title: 'Vase D', primary_image: 'https://images.example/1.png' },
      });
      const rest = await list(`?limit=3&before=${next}`);
      assert.deepEqual([rest.products.map(({ identifier }) => identifier), rest.next], [['A'], null]);
      const write = (call: string, json: object) =>
        service().request('POST', `/products/${call}.json`, {
          json: { ...json, access_token: merchant.token },
        });
      assert.equal((await write('delete', { identifier: 'B' })).status, 200);
      assert.equal((await write('update', { identifier: 'C', campaign_name: null })).status, 200);
      assert.equal((await write('update', { identifier: 'F', campaign_name: 'Spring' })).status, 200);
      assert.deepEqual(
        (await list()).products.map(({ identifier }) => identifier),
        ['F', 'D', 'A'],
      );
      await client.get(path);
      const renamed = await owner.post(`/campaigns/${campaign.internal_id}`, { name: 'Summer' });
      assert.equal(renamed.status, 200);
      assert.deepEqual(
        (await list()).products.map(({ identifier }) => identifier),
        ['F', 'D', 'A'],
      );
    });

    it('are listed without the title if a record is very large', async () => {
      const merchant = await service().newMerchant();
      const client = await signedIn(service(), merchant);
      const campaign = (await client.post('/v1/campaigns', { name: 'Spring', type: 'T' })).json<Campaign>();
      const large = { campaign_name: 'Spring', title: 'Large', description: 'x'.repeat(64 * 1024) };
      await importDrafts(service(), merchant, [[draft('L', large)]]);
      const response = await client.get(`/campaigns/${campaign.internal_id}/products`);
      const [product] = response.json<CampaignProducts>().products;
      assert.deepEqual([product?.identifier, product?.title], ['L', null]);
    });
  });

  it('returns of campaigns and names of products are of those that exist', async () => {
    const advertiser = await Advertiser.open(service());
    const { merchant, campaign } = advertiser;
    const client = await signedIn(service(), merchant, 'viewer');
    const large = { title: 'Large', description: 'x'.repeat(64 * 1024) };
    await importDrafts(service(), merchant, [[draft('CUP', { title: 'A cup' }), draft('L', large)]]);
    await advertiser.state({ placement_id: 'a', price: 8 });
    await advertiser.sell({ schedule_id: 'a', sale_price: 20 });
    const { returns } = (await client.get(`/campaigns/returns?ids=${campaign},none`)).json<CampaignReturns>();
    assert.deepEqual(returns, { [campaign]: 2.5 });
    const { products } = (await client.get('/products/names?identifiers=L,none,CUP')).json<ProductNames>();
    assert.deepEqual(products.map(({ identifier, title }) => [identifier, title]).sort(), [
      ['CUP', 'A cup'],
      ['L', null],
    ]);
    for (const path of ['/campaigns/returns', '/products/names', '/products/names?identifiers=A,,B'])
      assert.equal((await client.get(path)).status, 400, path);
  });
});

it('campaign types are listed with the explanations of CAMPAIGN_TYPES', async () => {
  const environment = {
    CAMPAIGN_TYPES: 'AuctionCampaign (Bids for places in auctions, per product), Banner',
  };
  await using service = await startTestService(sqlite, { environment });
  const merchant = await service.newMerchant();
  const client = await signedIn(service, merchant);
  assert.deepEqual((await client.get('/campaigns/overview')).json<CampaignOverview>().types, [
    { name: 'AuctionCampaign', explanation: 'Bids for places in auctions, per product' },
    { name: 'Banner', explanation: null },
  ]);
  const rejected = await client.post('/v1/campaigns', { name: 'Spring', type: 'Other' });
  assert.match(rejected.message, /^type: expected one of AuctionCampaign, Banner/);
  assert.equal((await client.post('/v1/campaigns', { name: 'Spring', type: 'Banner' })).status, 200);
});
