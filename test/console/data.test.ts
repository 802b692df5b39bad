import assert from 'node:assert/strict';
import { it } from 'node:test';
import { merchantUser, recordAudit } from '../../src/audit/record-audit.ts';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { Overview, ProductCounts } from '../../src/console/catalog-api.ts';
import type { ConsoleError } from '../../src/console/console-api.ts';
import type { Product } from '../../src/products/record/product.ts';
import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { auditLogOf } from '../support/audit.ts';
import { draft, importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';

forEachEngine((engine) => {
  const service = useService(engine, { environment: { CAMPAIGN_TYPES: 'AuctionCampaign' } });

  async function ready(): Promise<{ merchant: TestMerchant; client: ConsoleClient }> {
    const merchant = await service().newMerchant();
    const client = await signedIn(service(), merchant);
    const products = Array.from({ length: 30 }, (_, index) =>
      draft(`P-${index}`, {
        category: index % 3 === 0 ? 'Home' : 'Home | Garden',
        status: index < 12 ? 'low_inventory' : index < 20 ? 'sold_out' : 'in_stock',
        updated_at: `2026-01-${String(index + 1).padStart(2, '0')}T00:00:00Z`,
      }),
    );
    await importDrafts(service(), merchant, [products]);
    return { merchant, client };
  }

  it('lists products byte for byte as the API does, with filters and sorts', async () => {
    const { merchant, client } = await ready();
    for (const query of [
      '',
      'page=2&per_page=7',
      'status=sold_out',
      'category=Home | Garden&per_page=3',
      'category=Home&sort=unique_id_ascending&status=in_stock',
      'page=99',
    ]) {
      const ours = await client.get(`/products?${new URLSearchParams(query)}`);
      const parameters = Object.fromEntries(new URLSearchParams(query));
      const api = await service().get('/products.json', merchant, { ...parameters, pagination: 'true' });
      assert.equal(ours.status, 200, ours.text);
      assert.equal(ours.text, api.text, query);
      assert.equal(ours.header('cache-control'), 'no-store');
      assert.equal(ours.headers['access-control-allow-origin'], undefined);
    }
  });

  it('rejects invalid list parameters with the same message as the API, and names the fields', async () => {
    const { merchant, client } = await ready();
    for (const query of ['status=nix', 'page=0&per_page=1001', 'sort=up', 'colour=red']) {
      const ours = await client.get(`/products?${query}`);
      const api = await service().get(
        '/products.json',
        merchant,
        Object.fromEntries(new URLSearchParams(query)),
      );
      assert.equal(ours.status, 400);
      assert.equal(ours.message, api.message);
    }
    const { fields } = (await client.get('/products?page=0&status=x')).json<ConsoleError>();
    assert.deepEqual(
      fields?.map(({ name }) => name),
      ['status', 'page'],
    );
  });

  it('returns a product as the API does, and 404 for one that does not exist', async () => {
    const { merchant, client } = await ready();
    const [product] = (await service().get('/products.json', merchant, { per_page: '1' })).json<Product[]>();
    const response = await client.get(`/v1/products/retrieve?internal_id=${product?.internal_id}`);
    assert.equal(response.text, JSON.stringify(product));
    assert.equal((await client.get('/v1/products/retrieve?internal_id=999')).status, 404);
  });

  it('counts the same products per status as the API lists', async () => {
    const { merchant, client } = await ready();
    const counts = (await client.get('/products/counts')).json<ProductCounts>();
    assert.equal(counts.all, 30);
    for (const [status, count] of Object.entries(counts.by_status)) {
      const query = { status, pagination: 'true' };
      const page = (await service().get('/products.json', merchant, query)).json<{ total_entries: number }>();
      assert.equal(count, page.total_entries, status);
    }
  });

  it('creates a campaign as the API does, records it, and lists it first', async () => {
    const { merchant, client } = await ready();
    const input = { name: 'Summer', type: 'AuctionCampaign', daily_budget: 12.5 };
    const ours = await client.post('/v1/campaigns', { ...input, bid_amount: null });
    const api = await service().request('POST', `/campaigns.json?access_token=${merchant.token}`, {
      json: input,
    });
    const { internal_id: id } = api.json<Campaign>();
    assert.deepEqual({ ...ours.json<Campaign>(), internal_id: id }, api.json());
    await client.post('/v1/campaigns', { ...input, name: 'Autumn' });
    const form = { access_token: merchant.token, internal_id: id };
    assert.equal((await service().request('POST', '/campaigns/pause.json', { form })).status, 200);
    const listed = (await client.get('/v1/campaigns?per_page=2')).json<Campaign[]>();
    assert.deepEqual(
      listed.map(({ name, status }) => `${name}: ${status}`),
      ['Autumn: Active', 'Summer: Paused'],
    );
    const entries = await auditLogOf(service(), client);
    const created = entries.filter(({ action }) => action === 'campaign.created');
    assert.deepEqual(created.map(({ subject }) => subject).toSorted(), ['Autumn', 'Summer', 'Summer']);
  });

  it('rejects an invalid campaign with the same message as the API, and does not create it', async () => {
    const { merchant, client } = await ready();
    const input = { name: '', type: 'Other', daily_budget: -1, bid_amount: 'x', lifetime_budget: [1] };
    const ours = await client.post('/v1/campaigns', input);
    const api = await service().request('POST', `/campaigns.json?access_token=${merchant.token}`, {
      json: input,
    });
    assert.deepEqual([ours.status, ours.message], [400, api.message]);
    assert.deepEqual(
      ours.json<ConsoleError>().fields?.map(({ name }) => name),
      ['name', 'type', 'daily_budget', 'bid_amount', 'lifetime_budget'],
    );
    assert.deepEqual((await client.get('/v1/campaigns')).json(), []);
  });

  it('shows the same months as the API, and this and last month in the overview', async () => {
    const { merchant, client } = await ready();
    const now = new Date(service().now());
    const [thisMonth, lastMonth, earlier] = [0, 1, 5].map((months) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).getTime(),
    );
    const schedules = [thisMonth, lastMonth, earlier].map((time = 0, index) => ({
      merchant: null,
      schedule_id: `S-${index}`,
      product_identifier: 'P-1',
      scheduled_at: time,
      sold: true,
      sale_price: 1999,
      rating: 450,
    }));
    await importScheduleDrafts(service(), merchant, [schedules]);
    const api = await service().get('/performance/sales.json', merchant);
    const sales = await client.get('/v1/performance/sales');
    assert.equal(sales.text, api.text);
    const overview = (await client.get('/overview')).json<Overview>();
    const months = sales.json<MonthlySales[]>();
    assert.deepEqual([overview.last_month, overview.this_month], months.slice(-2));
    assert.deepEqual(overview.last_month_to_date, overview.last_month);
  });

  it('lists the ten products with the lowest stock in the overview', async () => {
    const merchant = await service().newMerchant();
    const client = await signedIn(service(), merchant);
    const quantities = [5, 3, 4, 0, 1, 5, 2, 60, 5, 3, 1, 5, 4, 2];
    const products = quantities.map((quantity, index) =>
      draft(`P-${index}`, { updated_at: `2026-01-${index + 10}T00:00:00Z` }, [
        { identifier: `V-${index}`, quantity },
      ]),
    );
    await importDrafts(service(), merchant, [products]);
    const overview = (await client.get('/overview')).json<Overview>();
    assert.deepEqual(
      overview.low_inventory.map(({ identifier, product }) => [identifier, product?.available_quantity]),
      [
        ['P-10', 1],
        ['P-4', 1],
        ['P-13', 2],
        ['P-6', 2],
        ['P-9', 3],
        ['P-1', 3],
        ['P-12', 4],
        ['P-2', 4],
        ['P-11', 5],
        ['P-8', 5],
      ],
    );
  });

  it('shows counts, keys and recent activity in the overview', async () => {
    const { client } = await ready();
    const read = async (): Promise<Overview> => (await client.get('/overview')).json<Overview>();
    const overview = await read();
    assert.deepEqual([overview.this_month, overview.last_month, overview.campaigns], [null, null, 0]);
    assert.equal(overview.last_month_to_date, null);
    assert.deepEqual(overview.keys, { active: 1, last_used_at: null, token_shown: false });
    await client.post('/keys', { name: 'ERP', expires_at: null });
    assert.deepEqual((await read()).keys, { active: 2, last_used_at: null, token_shown: true });
    assert.equal(overview.products.all, 30);
    assert.equal(overview.recent[0]?.action, 'user.signed_in');
  });

  it('still knows in the overview that a user has created a key, after thousands of edits of products', async () => {
    const { client, merchant } = await ready();
    await client.post('/keys', { name: 'ERP', expires_at: null });
    const { database, now } = service();
    const edit = { action: 'product.changed', subject: 'P-1: title' } as const;
    await database.transaction(async (connection) => {
      const context = {
        connection,
        merchantId: merchant.id,
        who: merchantUser({ name: 'Ada', email: 'ada@example.com' }),
        now: now(),
      };
      for (let count = 0; count < 2_000; count += 1) await recordAudit(context, edit);
    });
    const overview = (await client.get('/overview')).json<Overview>();
    assert.equal(overview.keys.token_shown, true);
  });
});
