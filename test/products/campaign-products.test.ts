import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { testSideOf } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { newRandom } from '../support/seed.ts';
import { useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';

const MIN_STEPS = runs(60);
const MAX_STEPS = 2_000;
const NAMES = ['Spring', 'Summer', 'Autumn'] as const;
const PRODUCTS = 12;
/** What has to happen before the test ends. */
const WANTED = ['import', 'update', 'batch', 'delete', 'rename', 'moved', 'emptied'];

interface Counts {
  campaign_name: string;
  products: number;
  with_bid: number;
}

const listCounts = statement<{ merchantId: number }, Counts>(
  `SELECT campaign_name, products, with_bid FROM campaign_products
   WHERE merchant_id = :merchantId ORDER BY campaign_name`,
);

forEachEngine((engine) => {
  const service = useService(engine);

  const countsOf = async (id: number): Promise<Counts[]> =>
    (await service().database.all(listCounts, { merchantId: id })).map((row) => ({ ...row }));
  const counted = async (id: number): Promise<Counts[]> => {
    const counts = new Map<string, Counts>();
    for (const product of await allProducts(service(), { id })) {
      const { campaign_name, scheduling_fee_bid, status } = product;
      if (campaign_name === null || status === 'deleted') continue;
      const count = counts.get(campaign_name) ?? { campaign_name, products: 0, with_bid: 0 };
      count.products += 1;
      if (scheduling_fee_bid !== null) count.with_bid += 1;
      counts.set(campaign_name, count);
    }
    return [...counts.values()].sort((one, other) => (one.campaign_name < other.campaign_name ? -1 : 1));
  };
  const post = async (token: string, path: string, sent: object): Promise<ClientResponse> => {
    const response = await service().request('POST', path, {
      headers: { authorization: `Bearer ${token}` },
      ...sent,
    });
    assert.equal(response.status, 200, response.text);
    return response;
  };

  it('the products of every campaign are counted, whichever way they change', async () => {
    const merchant = await service().newMerchant();
    const random = newRandom();
    const campaigns: Campaign[] = [];
    for (const name of NAMES) {
      const created = await post(merchant.token, '/campaigns', { json: { name, type: 'T' } });
      campaigns.push(created.json<Campaign>());
    }
    const names = (): string => campaigns[random.whole(0, NAMES.length - 1)]?.name ?? assert.fail();
    const fields = () => ({
      ...(random.chance(0.7) && { campaign_name: random.chance(0.2) ? null : names() }),
      ...(random.chance(0.5) && { scheduling_fee_bid: random.chance(0.4) ? null : 0.5 }),
    });
    const identifiers = (): string[] =>
      [...Array(PRODUCTS).keys()].filter(() => random.chance(0.3)).map((number) => `P${number}`);
    const isStored = async (identifier: string): Promise<boolean> =>
      (await allProducts(service(), merchant)).some(
        (each) => each.identifier === identifier && each.deleted_at === null && each.status !== 'deleted',
      );
    const seen = new Set<string>();
    const steps: Record<string, () => Promise<void>> = {
      import: async () => {
        const status = random.pick(['deleted', 'in_stock', undefined] as const);
        const drafts = identifiers().map((identifier) => draft(identifier, { ...fields(), status }));
        await importDrafts(service(), merchant, [drafts]);
      },
      update: async () => {
        const identifier = `P${random.whole(0, PRODUCTS - 1)}`;
        if (!(await isStored(identifier))) return;
        await post(merchant.token, '/products/update', { json: { identifier, ...fields() } });
      },
      batch: async () => {
        const lines = identifiers().map((identifier) =>
          JSON.stringify({ identifier, title: 'T', ...fields() }),
        );
        const headers = { authorization: `Bearer ${merchant.token}`, 'content-type': 'application/x-ndjson' };
        if (lines.length > 0)
          await post(merchant.token, '/products/batch', { headers, body: `${lines.join('\n')}\n` });
      },
      delete: async () => {
        const identifier = `P${random.whole(0, PRODUCTS - 1)}`;
        if (await isStored(identifier))
          await post(merchant.token, '/products/delete', { json: { identifier } });
      },
      rename: async () => {
        const index = random.whole(0, NAMES.length - 1);
        const { internal_id, name: before } = campaigns[index] ?? assert.fail();
        const name = random.chance(0.3) ? random.pick(NAMES) : `${random.pick(NAMES)} ${random.whole(1, 9)}`;
        const renamed = (
          await post(merchant.token, '/campaigns/update', { json: { internal_id, name } })
        ).json<Campaign>();
        campaigns[index] = renamed;
        const [count] = (await counted(merchant.id)).filter(({ campaign_name }) => campaign_name === name);
        assert.equal(
          renamed.products,
          count?.products ?? 0,
          'the response has the products after the rename',
        );
        if (before !== name && renamed.products > 0) seen.add('moved');
      },
    };
    const kinds = Object.keys(steps);
    for (let step = 0; step < MIN_STEPS || WANTED.some((each) => !seen.has(each)); step += 1) {
      assert.ok(step < MAX_STEPS, `happened: ${[...seen].join(', ')}`);
      const kind = kinds[random.whole(0, kinds.length - 1)] ?? assert.fail();
      const before = await countsOf(merchant.id);
      await steps[kind]?.();
      seen.add(kind);
      const after = await countsOf(merchant.id);
      assert.deepEqual(after, await counted(merchant.id), `after ${kind}, step ${step}`);
      const left = new Set(after.map(({ campaign_name }) => campaign_name));
      if (before.some(({ campaign_name }) => !left.has(campaign_name))) seen.add('emptied');
    }
    const listed = await service().get('/campaigns', merchant);
    const counts = new Map((await counted(merchant.id)).map((each) => [each.campaign_name, each.products]));
    for (const { name, products } of listed.json<Campaign[]>()) assert.equal(products, counts.get(name) ?? 0);
  });

  it('a reset of the test side counts again', async () => {
    const merchant = await service().newMerchant();
    const { token } = await service().newTestKey(merchant);
    const side = testSideOf(merchant.id);
    for (const identifier of ['A', 'B']) {
      const json = { identifier, title: 'T', campaign_name: 'Spring', scheduling_fee_bid: 1 };
      await post(token, '/products', { json });
    }
    assert.deepEqual(await countsOf(side), [{ campaign_name: 'Spring', products: 2, with_bid: 2 }]);
    for (const samples of [true, false]) {
      await post(token, '/test/reset', { json: { samples } });
      assert.deepEqual(await countsOf(side), await counted(side));
    }
    assert.deepEqual(await countsOf(side), []);
  });
});
