import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { CampaignCounter } from '../../src/campaigns/count-campaigns.ts';
import { countCampaignsAfter, insertCampaign } from '../../src/campaigns/queries.ts';
import type { Overview } from '../../src/console/catalog-api.ts';
import { intercept } from '../../src/database/intercept.ts';
import { statement } from '../../src/database/statement.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

const CAMPAIGNS = 25_003;

interface CampaignSummary {
  results: Campaign[];
  total_entries: number;
}

const setRecord = statement<{ merchantId: number; identifier: string; record: string }, never>(
  'UPDATE products SET record = :record WHERE merchant_id = :merchantId AND identifier = :identifier',
);

forEachEngine((engine) => {
  const service = useService(engine);

  it('lists and counts many campaigns, on the first page and on distant ones', async () => {
    const merchant = await service().newMerchant();
    const client = await signedIn(service(), merchant);
    // Created long ago, and after that in the far future.
    const idOf = (index: number): string =>
      (index < CAMPAIGNS ? '01' : 'ff') + String(index).padStart(8, '0');
    const add = (from: number, to: number): Promise<number> =>
      service().database.transaction((connection) =>
        connection.runEach(
          insertCampaign,
          Array.from({ length: to - from }, (_, index) => ({
            merchant_id: merchant.id,
            id: idOf(from + index),
            name: `No. ${from + index}`,
            type: 'T',
            daily_budget: null,
            bid_amount: null,
            status: 'Active',
            daily_budget_per_product: null,
            lifetime_budget: null,
            lifetime_budget_per_product: null,
            created_at: 0,
            updated_at: null,
            hourly_schedule: null,
          })),
        ),
      );
    await add(0, CAMPAIGNS);
    const page = async (number: number): Promise<CampaignSummary> =>
      (await client.get(`/v1/campaigns?page=${number}&per_page=100&pagination=true`)).json<CampaignSummary>();
    const names = async (number: number): Promise<string[]> =>
      (await page(number)).results.map(({ name }) => name);
    assert.equal((await page(1)).total_entries, CAMPAIGNS);
    for (const number of [1, 100, 101, 102, 201, 250]) {
      const first = CAMPAIGNS - 1 - (number - 1) * 100;
      assert.deepEqual(
        await names(number),
        Array.from({ length: 100 }, (_, index) => `No. ${first - index}`),
        `page ${number}`,
      );
    }
    assert.deepEqual(await names(251), ['No. 2', 'No. 1', 'No. 0']);
    assert.deepEqual(await names(252), []);
    assert.deepEqual(await names(2_147_483_647), []);
    await add(CAMPAIGNS, CAMPAIGNS + 10_001);
    assert.equal((await page(1)).total_entries, CAMPAIGNS + 10_001);
    const counter = new CampaignCounter(service().database);
    const counts = await Promise.all([1, 2, 3].map(() => counter.count(merchant.id)));
    assert.deepEqual(new Set(counts.map(({ total }) => total)), new Set([CAMPAIGNS + 10_001]));
  });

  it('counts each campaign once: a later count reads only those of the last minute and newer ones', async () => {
    const merchant = await service().newMerchant();
    const { database } = service();
    const add = async (name: string): Promise<string> => {
      const json = { access_token: merchant.token, name, type: 'T' };
      const response = await service().request('POST', '/campaigns.json', { json });
      assert.equal(response.status, 200);
      return response.json<{ internal_id: string }>().internal_id;
    };
    const counted: string[] = [];
    const watched = intercept(database, {
      first: (asked, ...parameters) => {
        if (asked.sql === countCampaignsAfter.sql)
          counted.push(...parameters.map((each) => (each as { after: string }).after));
        return database.first(asked, ...parameters);
      },
    });
    let passed = 0;
    const counter = new CampaignCounter(watched, () => Date.now() + passed);
    const total = async (): Promise<number> => (await counter.count(merchant.id)).total;
    const first = await add('first');
    assert.equal(await total(), 1);
    passed = 3_600_000;
    assert.equal(await total(), 1);
    const second = await add('second');
    assert.equal(await total(), 2);
    assert.equal(await total(), 2);
    assert.deepEqual(counted, ['', '', '', first, second]);
    const other = await service().newMerchant();
    assert.equal((await counter.count(other.id)).total, 0);
  });

  it('shows products with large records in the overview without reading those records', async () => {
    const merchant = await service().newMerchant();
    const client = await signedIn(service(), merchant);
    const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-02T00:00:00Z' };
    await importDrafts(service(), merchant, [
      [
        draft('LARGE', { status: 'low_inventory', title: 'Large', ...times }),
        draft('SMALL', { status: 'low_inventory', title: 'Small', ...times, updated_at: times.created_at }),
      ],
    ]);
    await service().database.transaction((connection) =>
      connection.run(setRecord, {
        record: `{"title":"Large","description":"${'x'.repeat(256 * 1024)}`,
        merchantId: merchant.id,
        identifier: 'LARGE',
      }),
    );
    const { low_inventory: low } = (await client.get('/overview')).json<Overview>();
    assert.deepEqual(
      low.map(({ identifier, product }) => [identifier, product?.title]),
      [
        ['SMALL', 'Small'],
        ['LARGE', undefined],
      ],
    );
  });
});
