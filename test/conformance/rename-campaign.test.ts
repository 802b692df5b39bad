import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import { findOldestRename } from '../../src/campaigns/rename-queries.ts';
import type { CampaignProducts, ChangedCampaign, ProductPageView } from '../../src/console/catalog-api.ts';
import type { Product } from '../../src/products/record/product.ts';
import { MAX_RECORD_BYTES } from '../../src/products/record/record-size.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { Mirror } from '../support/follow.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

forEachEngine((engine) => {
  describe('renaming a campaign', () => {
    const service = useService(engine);
    beforeEach(() => service().passTime(61_000));

    const post = async (merchant: { token: string }, path: string, members: object): Promise<Campaign> => {
      const json = { access_token: merchant.token, ...members };
      const response = await service().request('POST', path, { json });
      assert.equal(response.status, 200, response.text);
      return response.json<Campaign>();
    };
    const create = (merchant: { token: string }, name: string): Promise<Campaign> =>
      post(merchant, '/campaigns', { name, type: 'T' });
    const rename = (
      merchant: { token: string },
      { internal_id }: Campaign,
      name: string,
    ): Promise<Campaign> => post(merchant, '/campaigns/update', { internal_id, name });
    const products = async (merchant: TestMerchant): Promise<Map<string, Product>> =>
      new Map((await allProducts(service(), merchant)).map((product) => [product.identifier, product]));
    const namesOf = async (merchant: TestMerchant): Promise<Record<string, string | null>> =>
      Object.fromEntries(
        [...(await products(merchant))].map(([identifier, { campaign_name: name }]) => [identifier, name]),
      );

    const newShop = async (): Promise<{ merchant: TestMerchant; spring: Campaign }> => {
      const merchant = await service().newMerchant();
      const spring = await create(merchant, 'Spring');
      await importDrafts(service(), merchant, [
        [
          draft('A', { title: 'Pot', campaign_name: 'Spring', available_quantity: 3 }),
          draft('B', { title: 'Pan', campaign_name: 'Spring', status: 'disabled' }),
          draft('C', { title: 'Cup', campaign_name: 'Spring 2' }),
          draft('D', { title: 'Jug' }),
          draft('E', { title: 'Old', campaign_name: 'Spring', deleted_at: '2026-01-01T00:00:00Z' }),
        ],
      ]);
      return { merchant, spring };
    };

    it('moves its products to the new name, and nothing else', async () => {
      const { merchant, spring } = await newShop();
      const other = await newShop();
      const before = await products(merchant);
      const mirror = new Mirror(service(), merchant);
      await mirror.follow(100);
      service().passTime(1_000);
      const after = await rename(merchant, spring, 'Summer');
      assert.equal(after.name, 'Summer');
      assert.deepEqual(await namesOf(merchant), {
        A: 'Summer',
        B: 'Summer',
        C: 'Spring 2',
        D: null,
        E: 'Spring',
      });
      const [changed = []] = await mirror.follow(100);
      assert.deepEqual(changed.map(({ identifier }) => identifier).toSorted(), ['A', 'B']);
      for (const product of changed) {
        const { campaign_name: _, updated_at: updatedAt, ...rest } = product;
        const {
          campaign_name: __,
          updated_at: updatedBefore,
          ...same
        } = before.get(product.identifier) ?? product;
        assert.deepEqual(rest, same);
        assert.ok(Date.parse(updatedAt ?? '') > Date.parse(updatedBefore ?? ''));
      }
      assert.equal((await namesOf(other.merchant)).A, 'Spring');
    });

    it('says in the console how many products moved, and finds them under the new name', async () => {
      const { merchant, spring } = await newShop();
      const client = await signedIn(service(), merchant, 'editor');
      const path = `/campaigns/${spring.internal_id}`;
      const change = async (json: object): Promise<number | null> => {
        const response = await client.post(path, json);
        assert.equal(response.status, 200, response.text);
        return response.json<ChangedCampaign>().moved_products;
      };
      assert.equal(await change({ bid_amount: 2 }), 0);
      assert.equal(await change({ name: 'Spring' }), 0);
      assert.equal(await change({ name: 'Summer' }), 2);
      const listed = (await client.get(`${path}/products`)).json<CampaignProducts>();
      assert.deepEqual(
        listed.products.map(({ identifier }) => identifier),
        ['B', 'A'],
      );
      for (const [name, total] of [
        ['Summer', 2],
        ['Spring', 0],
      ] as const) {
        const page = (await client.get(`/products?campaign=${name}`)).json<ProductPageView>();
        assert.equal(page.total_entries, total, name);
      }
    });

    it('leaves products with a name that another campaign still has, unless that one has expired', async () => {
      const { merchant, spring } = await newShop();
      const second = await create(merchant, 'Spring');
      await rename(merchant, spring, 'Summer');
      assert.equal((await namesOf(merchant)).A, 'Spring');
      await rename(merchant, spring, 'Spring');
      await post(merchant, '/campaigns/end', { internal_id: second.internal_id });
      await rename(merchant, spring, 'Fall');
      assert.equal((await namesOf(merchant)).A, 'Fall');
    });

    it('moves test data with a test key, and no live data', async () => {
      const { merchant } = await newShop();
      const key = await service().newTestKey(merchant);
      await post(key, '/products', { identifier: 'T', title: 'Test', campaign_name: 'Spring' });
      await rename(key, await create(key, 'Spring'), 'Summer');
      const response = await service().get('/products/retrieve', key, { identifier: 'T' });
      assert.equal(response.json<Product>().campaign_name, 'Summer');
      assert.equal((await namesOf(merchant)).A, 'Spring');
    });

    it('400: changes nothing if the record of a product is too large for the new name', async () => {
      const { merchant, spring } = await newShop();
      const text = (length: number) => [
        draft('L', {
          campaign_name: 'Spring',
          description: '€'.repeat(80_000),
          extra_images: 'https://x/'.padEnd(length, 'x'),
        }),
      ];
      await importDrafts(service(), merchant, [text(1)]);
      const bytes = Buffer.byteLength(
        JSON.stringify({ ...(await products(merchant)).get('L'), variations: [] }),
      );
      const brand = { merchant: null, identifier: 'L', variations: undefined };
      const free = MAX_RECORD_BYTES - bytes;
      await importDrafts(service(), merchant, [
        [{ ...brand, fields: { extra_images: 'https://x/'.padEnd(Math.min(free, 19_000), 'x') } }],
      ]);
      const rest = Math.max(free - 19_000, 0);
      await importDrafts(service(), merchant, [
        [{ ...brand, fields: { accessory_description: 'x'.repeat(rest) } }],
      ]);
      const json = {
        access_token: merchant.token,
        internal_id: spring.internal_id,
        name: 'Spring of the next year',
      };
      const response = await service().request('POST', '/campaigns/update', { json });
      assert.equal(response.status, 400, response.text);
      assert.match(
        response.text,
        /name: the record of the product L is too large for a longer campaign name/,
      );
      assert.deepEqual((await namesOf(merchant)).A, 'Spring');
      const query = { internal_id: spring.internal_id };
      assert.equal(
        (await service().get('/campaigns/retrieve', merchant, query)).json<Campaign>().name,
        'Spring',
      );
    });

    it('moves more than a thousand products soon after the rename, in the order of several renames', async () => {
      const { merchant, spring } = await newShop();
      const many = Array.from({ length: 1_200 }, (_, index) =>
        draft(`P-${index}`, { campaign_name: 'Spring' }),
      );
      await importDrafts(service(), merchant, [many]);
      const client = await signedIn(service(), merchant, 'editor');
      for (const name of ['Summer', 'Fall']) {
        const response = await client.post(`/campaigns/${spring.internal_id}`, { name });
        assert.equal(response.json<ChangedCampaign>().moved_products, null, response.text);
      }
      const { id: merchantId } = merchant;
      await until(
        async () => (await service().database.first(findOldestRename, { merchantId })) === undefined,
        {
          timeoutMs: 60_000,
        },
      );
      const names = Object.entries(await namesOf(merchant)).filter(([, name]) => name === 'Fall');
      assert.equal(names.length, 1_202);
    });
  });
});
