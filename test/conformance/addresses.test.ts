import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { draft, importDrafts } from '../support/catalog.ts';
import {
  createEndpointRecords,
  endpoints,
  everyEndpoint,
  readingEndpoints,
  writes,
} from '../support/endpoints.ts';
import { sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { useService } from '../support/service.ts';

const withoutJson = (path: string): string => path.slice(0, -'.json'.length);

const NOTHING = /^There is nothing at (?:this address|[^ ]+)\.(?: Did you mean [^ ]+ \(.+\)\?)?$/;

describe('under the default base path', () => {
  const service = useService(sqlite);
  let token: string;
  before(async () => {
    const merchant = await service().newMerchant();
    await createEndpointRecords(service(), merchant);
    token = merchant.token;
  });

  for (const { method, path, query } of writes) {
    it(`200: ${method} ${path} also works without .json`, async () => {
      const bare = withoutJson(path);
      const response = await service().request(method, bare, { form: { ...query, access_token: token } });
      assert.equal(response.status, 200, response.text);
    });
  }

  for (const { method, path, query } of endpoints) {
    it(`200: ${method} ${path} returns the same without .json`, async () => {
      const search = `?${new URLSearchParams({ ...query, access_token: token })}`;
      const [one, other] = [
        await service().request(method, path + search),
        await service().request(method, withoutJson(path) + search),
      ];
      assert.equal(one.status, 200, one.text);
      assert.equal(other.status, 200, other.text);
      // Each request creates another campaign.
      const [first, second] = [one, other].map(({ text }) =>
        method === 'POST' ? text.replace(/"internal_id":"[^"]+"/, '') : text,
      );
      assert.equal(first, second);
    });

    it(`404: rejects ${path} with a trailing slash, in another letter case, or with anything before or after it`, async () => {
      const bare = withoutJson(path);
      for (const similar of [
        `${path}/`,
        `${bare}/`,
        path.toUpperCase(),
        `/v1${path}`,
        `${path}x`,
        `${bare}.xml`,
        `/${path}`,
      ]) {
        expectError(await service().request(method, similar), 404, NOTHING);
      }
    });

    it(`405: rejects any other method on ${path}, with Allow`, async () => {
      const methods = new Set(everyEndpoint.filter((each) => each.path === path).map((each) => each.method));
      const allow = [
        ...(methods.has('GET') ? ['GET', 'HEAD'] : []),
        ...(methods.has('POST') ? ['POST'] : []),
      ];
      for (const url of [path, withoutJson(path)]) {
        for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'LINK']) {
          if (methods.has(other as 'GET' | 'POST')) continue;
          const response = await service().request(other, url);
          expectError(response, 405, new RegExp(`^${other} is not allowed on /v1${url}`));
          assert.equal(response.headers.allow, [...allow, 'OPTIONS'].join(', '));
        }
      }
    });

    it(`204: OPTIONS ${path} responds to a CORS preflight without a token`, async () => {
      for (const url of [path, withoutJson(path)]) {
        const response = await service().request('OPTIONS', url, {
          headers: { origin: 'https://shop.example', 'access-control-request-method': method },
        });
        assert.equal(response.status, 204);
        assert.equal(response.headers['access-control-allow-origin'], '*');
        assert.ok(response.header('access-control-allow-methods').split(', ').includes(method));
        const headers = response.header('access-control-allow-headers').toLowerCase().split(', ');
        for (const header of ['content-type', 'idempotency-key', 'x-erp-name', 'if-none-match']) {
          assert.ok(headers.includes(header), header);
        }
        assert.match(response.header('x-request-id'), /.+/);
        assert.equal(response.bytes.length, 0);
      }
    });
  }

  for (const { path, query } of readingEndpoints) {
    it(`200: HEAD ${path} has the headers of GET and no body`, async () => {
      const url = `${path}?${new URLSearchParams({ ...query, access_token: token })}`;
      const get = await service().request('GET', url, { headers: { 'x-request-id': 'same' } });
      const head = await service().request('HEAD', url, { headers: { 'x-request-id': 'same' } });
      assert.equal(head.status, 200);
      assert.equal(head.bytes.length, 0);
      const same = { date: '', ratelimit: '' };
      assert.deepEqual({ ...head.headers, ...same }, { ...get.headers, ...same });
    });
  }

  it('405: rejects HEAD on an endpoint without GET', async () => {
    assert.equal((await service().request('HEAD', '/campaigns/end.json')).status, 405);
  });

  it('404: rejects any other path, with any method, including OPTIONS', async () => {
    for (const path of [
      '/',
      '',
      '/products.json.json',
      '/../v1/products.json',
      '/products%2ejson%2f',
      '/%zz',
      '/%',
      '/*',
      '/:x',
    ]) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE', 'HEAD']) {
        const response = await service().request(method, path);
        if (method === 'HEAD') assert.equal(response.status, 404);
        else expectError(response, 404, NOTHING);
      }
    }
    expectError(await service().client.request('GET', '/v2'), 404, 'There is nothing at /v2.');
    expectError(await service().client.request('GET', '/products.json'), 404, /nothing at \/products\.json/);
  });

  it('200: a URL in absolute form, as proxies send it, names the same resource', async () => {
    const response = await service().client.request(
      'GET',
      `${service().baseUrl}/products.json?access_token=${token}`,
    );
    assert.equal(response.status, 200, response.text);
  });
});

describe('under another base path', () => {
  const service = useService(sqlite, { environment: { BASE_PATH: '/merchant_api/v1' } });

  it('200: serves the four endpoints under it, and nowhere else', async () => {
    const merchant = await service().newMerchant();
    await createEndpointRecords(service(), merchant);
    for (const { method, path, query } of endpoints) {
      const search = `?${new URLSearchParams({ ...query, access_token: merchant.token })}`;
      assert.equal((await service().request(method, path + search)).status, 200);
      assert.equal((await service().client.request(method, `/v1${path}${search}`)).status, 404);
      assert.equal((await service().client.request(method, `${path}${search}`)).status, 404);
    }
  });

  it('200: Link headers contain the base path', async () => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[draft('A'), draft('B')]]);
    const response = await service().get('/products.json', merchant, { per_page: '1' });
    assert.match(response.header('link'), /^<\/merchant_api\/v1\/products\.json\?/);
  });
});
