import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'node:test';
import { lists, merchantLists } from '../../src/metadata/lists.ts';
import { conditions } from '../../src/products/record/product.ts';
import { signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { createKey } from '../support/keys.ts';
import { startTestService, type TestMerchant, useService } from '../support/service.ts';

/** The names of the record, in order, with the form of each list. */
const forms = {
  categories: 'names',
  conditions: 'names',
  brands: 'groups',
  materials: 'groups',
  sizes: 'groups',
  colors: 'names',
  countries: 'names',
  country_codes: 'codes',
  states: 'codes',
  provinces: 'codes',
  territories: 'codes',
  carriers: 'codes',
} as const;
const others = { gemstones: 'names', refund_reasons: 'names', campaign_types: 'names' } as const;

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const checks: Record<'names' | 'codes' | 'groups', (list: unknown) => boolean> = {
  names: isTexts,
  codes: (list) => !Array.isArray(list) && Object.values(list as object).every(isText),
  groups: (list) => !Array.isArray(list) && Object.values(list as object).every(isTexts),
};

forEachEngine((engine) => {
  const service = useService(engine);
  let merchant: TestMerchant;
  let operator: string;
  before(async () => {
    merchant = await service().newMerchant();
    operator = await service().newOperatorToken();
  });
  afterEach(async () => {
    for (const name of merchantLists) await service().operator('DELETE', `/metadata/${name}`, operator);
  });
  const read = async (list: string, key: { token: string } = merchant): Promise<unknown> => {
    const response = await service().get(`/metadata${list}`, key);
    assert.equal(response.status, 200, response.text);
    return response.json();
  };
  const set = async (list: string, entries: unknown): Promise<void> => {
    const response = await service().operator('PUT', `/metadata/${list}`, operator, { json: { entries } });
    assert.equal(response.status, 200, response.text);
  };

  describe('GET metadata', () => {
    it('200: an object of twelve lists in their order, each as its own call returns it', async () => {
      const metadata = (await read('')) as Record<string, unknown>;
      assert.deepEqual(Object.keys(metadata), Object.keys(forms));
      for (const [name, list] of Object.entries(metadata)) assert.deepEqual(await read(`/${name}`), list);
      await set('colors', ['Teal', 'Amber']);
      await set('brands', { B: ['Fabrikam'], A: ['Northwind'] });
      const { colors, brands } = (await read('.json')) as Record<string, unknown>;
      assert.deepEqual(colors, ['Teal', 'Amber']);
      assert.equal(JSON.stringify(brands), '{"B":["Fabrikam"],"A":["Northwind"]}', 'the order is kept');
    });

    for (const [name, form] of Object.entries({ ...forms, ...others })) {
      it(`200: metadata/${name} is a list of ${form}, with an ETag that its content determines`, async () => {
        const responses = await Promise.all(
          [`/metadata/${name}`, `/metadata/${name}.json`].map((path) => service().get(path, merchant)),
        );
        for (const response of responses) {
          assert.equal(response.status, 200, response.text);
          assert.ok(checks[form](response.json()), response.text);
          assert.equal(response.header('etag'), responses[0]?.header('etag'));
        }
        const path = `/metadata/${name}?access_token=${merchant.token}`;
        const headers = { 'if-none-match': responses[0]?.header('etag') ?? '' };
        for (const method of ['GET', 'HEAD'])
          assert.equal((await service().request(method, path, { headers })).status, 304);
        const head = await service().request('HEAD', path);
        assert.deepEqual([head.status, head.text], [200, '']);
        const preflight = await service().request('OPTIONS', path, {
          headers: { origin: 'https://shop.example', 'access-control-request-method': 'GET' },
        });
        assert.equal(preflight.status, 204);
        assert.equal((await service().request('POST', path)).status, 405);
        if (name === 'campaign_types') return;
        await set(name, lists[name as keyof typeof lists].example);
        const changed = await service().request('GET', path, { headers });
        assert.equal(changed.status, 200);
        assert.deepEqual(changed.json(), lists[name as keyof typeof lists].example);
      });
    }

    it('200: every key and session reads the same lists, whatever its scopes, live or test', async () => {
      await set('gemstones', ['Ruby']);
      const limited = {
        merchantId: merchant.id,
        name: 'limited',
        scopes: ['campaigns'],
        expiresAt: null,
      } as const;
      const keys = [
        merchant,
        await service().newMerchant(),
        await createKey(service(), limited),
        await service().newTestKey(merchant),
      ];
      for (const key of keys) {
        assert.deepEqual(await read('/gemstones', key), ['Ruby']);
        assert.deepEqual(await read('', key), await read(''));
      }
      for (const role of ['owner', 'viewer'] as const) {
        const console = await signedIn(service(), merchant, role);
        assert.deepEqual((await console.get('/v1/metadata/gemstones')).json(), ['Ruby']);
      }
      assert.equal((await service().request('GET', '/metadata/gemstones')).status, 401);
      assert.equal((await service().get('/metadata/unknown', merchant)).status, 404);
      assert.equal((await service().get('/metadata', merchant, { list: 'colors' })).status, 400);
    });

    it('200: the ten conditions, the reasons for refunds, and the codes that merchants and people know', async () => {
      assert.deepEqual(await read('/conditions'), conditions);
      assert.deepEqual(await read('/categories'), []);
      const reasons = (await read('/refund_reasons')) as string[];
      assert.deepEqual([reasons.length, reasons.at(-1)], [11, 'other']);
      const codes = async (list: string): Promise<Record<string, string>> =>
        (await read(list)) as Record<string, string>;
      assert.equal((await codes('/country_codes')).Germany, 'DEU');
      assert.equal((await codes('/states')).Texas, 'TX');
      assert.equal((await codes('/territories'))['Puerto Rico'], 'PR');
      assert.equal((await codes('/provinces')).Ontario, 'ON');
      assert.equal((await codes('/carriers'))['Royal Mail'], 'royal_mail');
    });

    it('200: campaign_types has the types of CAMPAIGN_TYPES, or else the one that is known', async () => {
      assert.deepEqual(await read('/campaign_types'), ['AuctionCampaign']);
      const environment = { CAMPAIGN_TYPES: 'AuctionCampaign (for auctions), Banner' };
      await using other = await startTestService(engine, { environment });
      const response = await other.get('/metadata/campaign_types', await other.newMerchant());
      assert.deepEqual(response.json(), ['AuctionCampaign', 'Banner']);
    });
  });
});
