import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import type { FailedRequestList } from '../../src/console/catalog-api.ts';
import type { ConsoleError } from '../../src/console/console-api.ts';
import type { Product } from '../../src/products/record/product.ts';
import { type Role, roles } from '../../src/users/role.ts';
import { auditLogOf } from '../support/audit.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { ConsoleClient, newUser, signedIn } from '../support/console.ts';
import {
  createEndpointRecords,
  eventLists,
  everyEndpoint,
  takesLines,
  testSideCalls,
  webhookEndpoints,
} from '../support/endpoints.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { startTestService, type TestMerchant, useService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';

interface Endpoint {
  method: string;
  path: string;
  query: Readonly<Record<string, string>>;
}

/** The post data that a page of the console would send. */
const json = ({ method, path, query }: Endpoint) => {
  if (method === 'GET') return {};
  return { json: takesLines({ path }) ? [] : query };
};
const pathOf = ({ method, path, query }: Endpoint): string =>
  `/v1${path}${method === 'GET' ? `?${new URLSearchParams(query)}` : ''}`;
/** Without the calls that only owners may send. */
const forEditors = everyEndpoint.filter(({ scope }) => scope !== 'webhooks');
const writing = forEditors.filter(({ method }) => method === 'POST');
const reading = forEditors.filter(({ method, path }) => method === 'GET' && path !== '/account.json');
/** What browsers send with requests of pages of other origins. */
const otherOrigins = [
  ['cross-site', 'https://elsewhere.example'],
  ['same-site', 'https://other.merchants.example'],
  ['cross-site', undefined],
  ['none', undefined],
  [null, 'https://elsewhere.example'],
  [null, 'null'],
  [null, undefined],
] as const;

forEachEngine((engine) => {
  describe('a user of the console who calls the API', () => {
    const service = useService(engine);
    let merchant: TestMerchant;
    let clients: Record<Role, ConsoleClient>;

    before(async () => {
      merchant = await service().newMerchant();
      await createEndpointRecords(service(), merchant);
      clients = {
        viewer: await signedIn(service(), merchant, 'viewer'),
        editor: await signedIn(service(), merchant, 'editor'),
        owner: await signedIn(service(), merchant, 'owner'),
      };
    });
    beforeEach(() => service().passTime(61_000));

    const call = (endpoint: Endpoint, client = clients.owner): Promise<ClientResponse> =>
      client.request(endpoint.method, pathOf(endpoint), json(endpoint));
    const everything = async (): Promise<unknown[]> => [
      await allProducts(service(), merchant),
      await campaignsOf(service(), merchant),
      (await service().get('/orders', merchant)).json(),
      await auditLogOf(service(), clients.owner),
    ];
    const expectPrivate = ({ headers }: ClientResponse, place: string): void => {
      assert.equal(headers['cache-control'], 'no-store', place);
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin', place);
      assert.equal(headers['x-content-type-options'], 'nosniff', place);
      const shared = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
      assert.deepEqual(shared, [], place);
    };

    it('403: a viewer writes nothing', async () => {
      const before = await everything();
      for (const endpoint of writing) {
        const response = await call(endpoint, clients.viewer);
        assert.equal(response.status, 403, endpoint.path);
        assert.equal(response.message, 'Only owners and editors can do this. You are a viewer.');
        expectPrivate(response, endpoint.path);
      }
      assert.deepEqual(await everything(), before);
    });

    it('every role reads everything, and gets what a key of the merchant gets', async () => {
      for (const role of roles) {
        for (const endpoint of reading) {
          const response = await call(endpoint, clients[role]);
          const query = { ...endpoint.query };
          const api = await service().get(endpoint.path, merchant, query);
          assert.equal(response.status, api.status, `${role} ${endpoint.path}`);
          // The console words what it shows, a change cursor contains a time, and events arrive meanwhile.
          const isSteady = !api.text.includes('"cursor"') && endpoint.path !== '/events.json';
          if (api.status === 200 && isSteady) assert.equal(response.text, api.text);
          expectPrivate(response, endpoint.path);
        }
      }
    });

    /** Some paths list with GET what POST creates. Their parameters differ. */
    function everyGet({ path }: Endpoint): number {
      return reading.some((endpoint) => endpoint.path === path) ? 400 : 405;
    }

    it('the token counts if a request also has one, and the session is ignored', async () => {
      const other = await service().newMerchant();
      await importDrafts(service(), other, [[draft('LAMP')]]);
      const { cookies } = clients.owner;
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const identifiers = (response: ClientResponse): string[] =>
        response.json<Product[]>().map(({ identifier }) => identifier);
      const authorization = `Bearer ${other.token}`;
      for (const [query, headers] of [
        [`?access_token=${other.token}`, { cookie }],
        ['', { cookie, authorization }],
      ] as const) {
        const response = await service().request('GET', `/products${query}`, { headers });
        assert.deepEqual(identifiers(response), ['LAMP']);
        assert.equal(response.headers['access-control-allow-origin'], '*');
      }
      const invalid = { cookie, authorization: 'Bearer no-such-token' };
      assert.equal((await service().request('GET', '/products', { headers: invalid })).status, 401);
      const headers = { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' };
      const form = { access_token: other.token, identifier: 'LAMP', title: 'Lamp' };
      const written = await service().request('POST', '/products/update', { form, headers });
      assert.equal(written.json<Product>().title, 'Lamp', written.text);
    });

    it('403: only owners manage webhooks', async () => {
      for (const endpoint of [...eventLists, ...webhookEndpoints]) {
        if (endpoint.scope !== 'webhooks') continue;
        for (const role of ['viewer', 'editor'] as const)
          assert.equal((await call(endpoint, clients[role])).status, 403, endpoint.path);
        assert.notEqual((await call(endpoint)).status, 403, endpoint.path);
      }
    });

    it('404: another merchant’s records do not exist, and lists do not contain them', async () => {
      const stranger = await signedIn(service(), await service().newMerchant());
      const own = await service().newMerchant();
      const before = await everything();
      for (const endpoint of everyEndpoint) {
        if (endpoint.path === '/account.json') continue;
        const response = await call(endpoint, stranger);
        if (endpoint.method !== 'GET' || endpoint.scope === 'webhooks') continue;
        const expected = await service().get(endpoint.path, own, { ...endpoint.query });
        assert.equal(response.status, expected.status, endpoint.path);
        assert.doesNotMatch(response.text, /"identifier":"POT-1/);
      }
      assert.deepEqual(await everything(), before);
    });

    it('an editor writes products, campaigns and orders, and the audit log names the user', async () => {
      const { editor, owner } = clients;
      const known = new Set((await auditLogOf(service(), editor)).map(({ id }) => id));
      const lines = [{ identifier: 'POT-2', title: 'A batch' }];
      assert.equal((await editor.post('/v1/products/batch', lines)).status, 200);
      for (const endpoint of writing) {
        const response = await call(endpoint, editor);
        assert.notEqual(response.status, 403, `${endpoint.path} ${response.text}`);
        assert.notEqual(response.status, 401, endpoint.path);
        expectPrivate(response, endpoint.path);
      }
      const entries = await auditLogOf(service(), owner);
      const added = entries.filter(({ id }) => !known.has(id));
      assert.ok(added.some(({ action }) => action === 'product.deleted'));
      assert.ok(added.some(({ action }) => action === 'campaign.ended'));
      assert.ok(added.some(({ action, subject }) => action === 'order.refunded' && subject === '104'));
      assert.ok(added.some(({ subject }) => subject === 'batch of 1 lines'));
      for (const entry of added) assert.match(entry.who, /^User \d+ </);
    });

    it('400: names what is wrong with each field, as the console does', async () => {
      const response = await clients.owner.post('/v1/products', { identifier: 'X', buy_now_price: -1 });
      assert.equal(response.status, 400);
      const { fields = [] } = response.json<ConsoleError>();
      assert.deepEqual(fields.map(({ name }) => name).toSorted(), ['buy_now_price', 'title']);
    });

    it('sends post data above 64 KiB', async () => {
      const description = 'x'.repeat(100_000);
      const sent = { identifier: 'POT-2', description };
      const response = await clients.owner.post('/v1/products/update', sent);
      assert.equal(response.json<Product>().description, description);
      const refused = await clients.owner.request('POST', '/v1/products/update', {
        json: sent,
        site: 'cross-site',
      });
      assert.equal(refused.status, 403);
      const unknown = await new ConsoleClient(service().client).post('/v1/products/update', sent);
      assert.equal(unknown.status, 401);
    });

    it('403 and 401: calls that are only for keys', async () => {
      const { owner } = clients;
      for (const { path, query } of testSideCalls)
        assert.equal((await owner.post(`/v1${path}`, query)).status, 403);
      assert.equal((await owner.get('/v1/account')).status, 401);
    });

    it('is not in the merchant’s log of failed calls of keys', async () => {
      await clients.owner.get('/v1/products?colour=red');
      const { requests } = (await clients.owner.get('/requests?path=/v1/products')).json<FailedRequestList>();
      assert.deepEqual(
        requests.filter(({ parameters }) => parameters.includes('colour')),
        [],
      );
    });

    it('401: once the session has ended, also for a response that was sent before', async () => {
      const client = await signedIn(service(), merchant);
      for (let time = 0; time < 3; time += 1)
        assert.equal((await client.get('/v1/products?per_page=2')).status, 200);
      const cookies = new Map(client.cookies);
      await client.post('/auth/sign-out');
      for (const [name, value] of cookies) client.cookies.set(name, value);
      const response = await client.get('/v1/products?per_page=2');
      assert.equal(response.status, 401);
      assert.match(response.message, /signed in/);
      expectPrivate(response, 'an ended session');
      client.cookies.clear();
      assert.equal((await client.get('/v1/products?per_page=2')).status, 401);
    });

    // What pages of other origins get depends on the headers of their requests, and on no engine.
    if (engine !== sqlite) return;

    it('403: pages of other origins write nothing', async () => {
      const before = await everything();
      for (const endpoint of writing) {
        for (const [site, origin] of otherOrigins) {
          const headers = origin === undefined ? {} : { origin };
          const sent = { ...json(endpoint), site, headers };
          const response = await clients.owner.request('POST', pathOf(endpoint), sent);
          assert.equal(response.status, 403, `${endpoint.path} ${site} ${origin}`);
          assert.match(response.message, /own pages only/);
          expectPrivate(response, endpoint.path);
        }
      }
      assert.deepEqual(await everything(), before);
    });

    it('403: a form writes nothing, whichever page it is on', async () => {
      const before = await everything();
      for (const endpoint of writing) {
        if (takesLines(endpoint)) continue;
        for (const sent of [{ form: { ...endpoint.query } }, { multipart: Object.entries(endpoint.query) }]) {
          for (const site of ['cross-site', 'same-origin']) {
            const response = await clients.owner.request('POST', `/v1${endpoint.path}`, { ...sent, site });
            assert.equal(response.status, 403, endpoint.path);
            expectPrivate(response, endpoint.path);
          }
        }
      }
      const file = { body: '{"identifier":"NEW","title":"New"}\n' };
      const headers = { 'content-type': 'text/csv' };
      const sent = await clients.owner.request('POST', '/v1/imports', { ...file, headers });
      assert.equal(sent.status, 403);
      assert.deepEqual(await everything(), before);
    });

    it('pages of other origins read nothing: no response has CORS headers, and reading changes nothing', async () => {
      const before = await everything();
      for (const endpoint of reading) {
        for (const [site, origin] of otherOrigins) {
          for (const method of ['GET', 'HEAD']) {
            const headers = origin === undefined ? {} : { origin };
            const response = await clients.owner.request(method, pathOf(endpoint), { site, headers });
            expectPrivate(response, `${method} ${endpoint.path}`);
          }
        }
      }
      for (const endpoint of writing)
        assert.equal((await clients.owner.get(`/v1${endpoint.path}?title=New`)).status, everyGet(endpoint));
      assert.deepEqual(await everything(), before);
    });
  });
});

it('403: a user without the required two-factor authentication calls nothing', async () => {
  await using service = await startTestService(sqlite, { environment: { REQUIRE_TWO_FACTOR: 'on' } });
  const merchant = await service.newMerchant();
  const { email } = await newUser(service, merchant);
  const client = new ConsoleClient(service.client);
  await client.signIn(email);
  for (const endpoint of everyEndpoint) {
    const response = await client.request(endpoint.method, pathOf(endpoint), json(endpoint));
    assert.equal(response.status, 403, endpoint.path);
    assert.match(response.message, /requires two-factor authentication/);
  }
});
