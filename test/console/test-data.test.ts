import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Overview, ProductCounts } from '../../src/console/catalog-api.ts';
import type { ConsoleSession, KeyList, TeamList, WebhookList } from '../../src/console/console-api.ts';
import type { Product } from '../../src/products/record/product.ts';
import { auditLogOf } from '../support/audit.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

forEachEngine((engine) => {
  describe('test data in the console', () => {
    const service = useService(engine);
    let merchant: TestMerchant;
    let owner: ConsoleClient;
    before(async () => {
      merchant = await service().newMerchant();
      owner = await signedIn(service(), merchant, 'owner');
      await importDrafts(service(), merchant, [[draft('LIVE-1', { title: 'Live vase' })]]);
    });

    const inTestData = (
      method: string,
      path: string,
      { json, as = owner }: { json?: unknown; as?: ConsoleClient } = {},
    ): Promise<ClientResponse> =>
      as.request(method, path, { json, headers: { 'tradepost-merchant': `-${merchant.id}` } });
    const sessionOf = async (client: ConsoleClient): Promise<ConsoleSession> =>
      (await client.get('/session')).json<ConsoleSession>();

    it('is opened by editors, once, and the log says so; before, pages get 409', async () => {
      const viewer = await signedIn(service(), merchant, 'viewer');
      const editor = await signedIn(service(), merchant, 'editor');
      assert.equal((await sessionOf(owner)).test_data, false);
      const early = await inTestData('GET', '/products');
      assert.equal(early.status, 409);
      assert.equal(early.message, 'There is no test data yet. Open it with the switch “Test data”.');
      assert.equal((await viewer.post('/test-data', {})).status, 403);
      for (const _ of [1, 2]) assert.equal((await editor.post('/test-data', {})).status, 200);
      assert.equal((await sessionOf(viewer)).test_data, true);
      const opened = (await auditLogOf(service(), owner)).filter(
        ({ action }) => action === 'merchant.test_data_opened',
      );
      assert.equal(opened.length, 1);
      assert.equal((await inTestData('GET', '/products', { as: viewer })).status, 200);
    });

    it('is of one merchant: nobody else’s test side can be named', async () => {
      const other = await service().newMerchant();
      const stranger = await signedIn(service(), other);
      const response = await inTestData('GET', '/products', { as: stranger });
      assert.equal(response.status, 409);
      const live = await inTestData('GET', '/v1/products', { as: stranger });
      assert.equal(live.status, 409);
    });

    it('is filled and emptied by a reset, and what is changed in it stays in it', async () => {
      const reset = await inTestData('POST', '/v1/test/reset', { json: { samples: true } });
      assert.equal(reset.status, 200, reset.text);
      const { products } = reset.json<{ products: number }>();
      assert.equal(products, 60);
      const counts = (await inTestData('GET', '/products/counts')).json<ProductCounts>();
      assert.equal(counts.all, 60);
      const created = await inTestData('POST', '/v1/products', {
        json: { identifier: 'TEST-1', title: 'Test vase' },
      });
      assert.equal(created.status, 200, created.text);
      assert.match((await inTestData('GET', '/find?text=test')).text, /TEST-1/);
      const listed = (await owner.get('/v1/products')).json<Product[]>();
      assert.deepEqual(
        listed.map(({ identifier }) => identifier),
        ['LIVE-1'],
      );
      assert.doesNotMatch((await owner.get('/find?text=test')).text, /TEST-1/);
      assert.equal((await inTestData('POST', '/v1/test/reset', { json: {} })).status, 200);
      assert.equal((await inTestData('GET', '/products/counts')).json<ProductCounts>().all, 0);
      assert.equal((await owner.get('/products/counts')).json<ProductCounts>().all, 1);
      const refused = await owner.post('/v1/test/reset', {});
      assert.equal(refused.status, 403, refused.text);
    });

    it('has only test keys and test webhooks, and can change no others', async () => {
      const live = (await owner.post('/keys', { name: 'live' })).json<{ id: string }>().id;
      const made = await inTestData('POST', '/keys', { json: { name: 'test' } });
      const test = made.json<{ id: string; access_token: string }>();
      assert.match(test.access_token, /^tpt_/);
      const keysOf = async (): Promise<string[]> =>
        (await inTestData('GET', '/keys')).json<KeyList>().keys.map(({ id }) => id);
      assert.deepEqual(await keysOf(), [test.id]);
      for (const action of ['rotate', 'revoke'])
        assert.equal((await inTestData('POST', `/keys/${live}/${action}`, { json: {} })).status, 404);
      assert.equal((await inTestData('GET', `/keys?before=${live}`)).status, 404);
      const wrong = await inTestData('POST', '/keys', { json: { name: 'x', mode: 'live' } });
      assert.equal(wrong.status, 409);
      assert.equal((await inTestData('POST', `/keys/${test.id}/revoke`, { json: {} })).status, 200);
      const expires_at = new Date(service().now() + DAY_MS).toISOString();
      await inTestData('POST', '/keys', { json: { name: 'soon', expires_at } });
      const expiring = (await inTestData('GET', '/keys?expiring=true')).json<KeyList>().keys;
      assert.deepEqual(
        expiring.map(({ name }) => name),
        ['soon'],
      );
      const { attention } = (await inTestData('GET', '/overview')).json<Overview>();
      assert.deepEqual(
        attention.map(({ concern, count }) => [concern, count]),
        [['keys_expiring', 1]],
      );
      const all = (await owner.get('/keys')).json<KeyList>().keys.map(({ id }) => id);
      assert.ok(all.includes(live) && all.includes(test.id));

      const hook = { url: 'https://live.example/' };
      const { id: liveHook } = (await owner.post('/webhooks', hook)).json<{ id: string }>();
      const added = await inTestData('POST', '/webhooks', { json: { url: 'https://test.example/' } });
      assert.equal(added.status, 200, added.text);
      const { webhooks } = (await inTestData('GET', '/webhooks')).json<WebhookList>();
      assert.deepEqual(
        webhooks.map(({ url, mode }) => [url, mode]),
        [['https://test.example/', 'test']],
      );
      assert.equal((await inTestData('DELETE', `/webhooks/${liveHook}`)).status, 404);
      const liveMode = { ...hook, mode: 'live' };
      assert.equal((await inTestData('POST', '/webhooks', { json: liveMode })).status, 409);
    });

    it('shows the team and the settings of the shop, and cannot change them', async () => {
      const team = (await inTestData('GET', '/team')).json<TeamList>();
      assert.deepEqual(team, (await owner.get('/team')).json<TeamList>());
      assert.equal((await inTestData('GET', '/shop')).text, (await owner.get('/shop')).text);
      const invited = { email: 'new@example.com', name: 'New', role: 'viewer' };
      for (const [path, json] of [
        ['/team', invited],
        ['/shop', { currency: 'CHF' }],
        ['/team/two-factor', { required: false }],
      ] as const) {
        const response = await inTestData('POST', path, { json });
        assert.equal(response.status, 409, path);
        assert.equal(
          response.message,
          'This is the same for live and test data. Leave test data to change it.',
        );
      }
      const views = [{ name: 'Mine', listing: { query: 'vase' } }];
      assert.equal((await inTestData('POST', '/views', { json: { views } })).status, 200);
      assert.deepEqual((await owner.get('/views')).json(), { views });
      const columns = ['price'];
      assert.equal((await inTestData('POST', '/product-columns', { json: { columns } })).status, 200);
      assert.deepEqual((await inTestData('GET', '/product-columns')).json(), { columns });
    });
  });
});
