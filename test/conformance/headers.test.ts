import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse, RequestOptions } from '../support/client.ts';
import { createEndpointRecords, endpoints, readingEndpoints } from '../support/endpoints.ts';
import { sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';

describe('headers of responses', () => {
  const service = useService(sqlite);
  let merchant: TestMerchant;
  before(async () => {
    merchant = await service().newMerchant();
    await createEndpointRecords(service(), merchant);
  });
  const send = (
    endpoint: (typeof endpoints)[number],
    sent: RequestOptions = {},
    method: string = endpoint.method,
  ): Promise<ClientResponse> => {
    const query = new URLSearchParams({ ...endpoint.query, access_token: merchant.token });
    return service().request(method, `${endpoint.path}?${query}`, sent);
  };

  for (const endpoint of endpoints) {
    const name = `${endpoint.method} ${endpoint.path}`;

    it(`200: ${name} returns JSON in UTF-8 that any origin can read and no shared cache stores`, async () => {
      const { status, headers } = await send(endpoint, { headers: { origin: 'https://shop.example' } });
      assert.equal(status, 200);
      assert.equal(headers['content-type'], 'application/json; charset=utf-8');
      const hasOrders = /^\/orders(?:\/retrieve|\/history)?\.json$/.test(endpoint.path);
      assert.equal(headers['cache-control'], hasOrders ? 'private, no-store' : 'private, no-cache');
      assert.equal(headers['access-control-allow-origin'], '*');
      assert.equal(headers['access-control-allow-credentials'], undefined);
      assert.match(String(headers.etag), /^(W\/)?"[\x21\x23-\x7e]+"$/);
      assert.ok(headers.vary?.split(', ').includes('Accept-Encoding'));
      const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(', ');
      for (const header of ['etag', 'link', 'retry-after', 'x-request-id'])
        assert.ok(exposed.includes(header));
    });

    it(`${name} returns the caller’s X-Request-Id if it is valid`, async () => {
      for (const id of [
        'a',
        'req-1',
        'x'.repeat(128),
        '0af7651916cd43dd8448eb211c80319c',
        'a.b:c/d+e=f@g_h',
      ]) {
        assert.equal((await send(endpoint, { headers: { 'x-request-id': id } })).headers['x-request-id'], id);
      }
    });

    it(`${name} returns a new X-Request-Id if the caller’s is missing or invalid`, async () => {
      const ids = new Set<string>();
      for (const id of [undefined, '', 'x'.repeat(129), 'two words', 'é', '<script>', '"', ['a', 'b']]) {
        const returned = (
          await send(endpoint, id === undefined ? {} : { headers: { 'x-request-id': id } })
        ).header('x-request-id');
        assert.notEqual(returned, id);
        assert.match(returned, /^[\w-]{10,}$/);
        ids.add(returned);
      }
      assert.equal(ids.size, 8);
    });
  }

  for (const endpoint of readingEndpoints) {
    it(`304: GET and HEAD ${endpoint.path} return no body for a current ETag`, async () => {
      const { headers } = await send(endpoint);
      const etag = String(headers.etag);
      const matching = [etag, etag.replace('W/', ''), `"other", ${etag}`, `${etag},W/"x"`, '*', ` ${etag} `];
      for (const method of ['GET', 'HEAD']) {
        for (const tag of matching) {
          const response = await send(
            endpoint,
            { headers: { 'if-none-match': tag, 'x-request-id': 'me' } },
            method,
          );
          assert.equal(response.status, 304, tag);
          assert.equal(response.bytes.length, 0);
          for (const header of ['etag', 'cache-control', 'vary', 'access-control-allow-origin']) {
            assert.equal(response.headers[header], headers[header], header);
          }
          assert.equal(response.headers['x-request-id'], 'me');
          assert.equal(response.headers['content-type'], undefined);
        }
      }
    });

    it(`200: ${endpoint.path} returns the body for any other If-None-Match`, async () => {
      const etag = String((await send(endpoint)).headers.etag);
      for (const tag of ['W/"other"', '', etag.replaceAll('"', ''), `${etag.slice(0, -1)}x"`]) {
        assert.equal((await send(endpoint, { headers: { 'if-none-match': tag } })).status, 200, tag);
      }
    });

    it(`401 or 400: ${endpoint.path} checks the token and the parameters before If-None-Match`, async () => {
      const sent = { headers: { 'if-none-match': '*' } };
      const { path, query } = endpoint;
      expectError(await service().request('GET', path, sent), 401, /access_token/);
      const wrong = new URLSearchParams({ ...query, access_token: merchant.token, unknown: '1' });
      expectError(await service().request('GET', `${path}?${wrong}`, sent), 400, /unknown/);
    });
  }

  it('200: the ETag differs between pages, and changes with the content', async () => {
    const own = await service().newMerchant();
    const etag = async (query: Record<string, string> = {}): Promise<string> =>
      (await service().get('/products.json', own, query)).header('etag');
    await importDrafts(service(), own, [[draft('A'), draft('B')]]);
    const first = await etag();
    assert.equal(await etag(), first);
    assert.notEqual(await etag({ page: '2' }), first);
    assert.notEqual(await etag({ pagination: 'true' }), first);
    assert.notEqual(await etag({ sort: 'created_at_ascending' }), first);
    await importDrafts(service(), own, [[draft('A', { title: 'changed' })]]);
    assert.notEqual(await etag(), first);
  });

  it('200: the ETag differs between merchants', async () => {
    const [one, other] = [await service().newMerchant(), await service().newMerchant()];
    const first = await service().get('/products.json', one);
    const query = { headers: { 'if-none-match': first.header('etag') } };
    const response = await service().request('GET', `/products.json?access_token=${other.token}`, query);
    assert.equal(response.status, 200);
  });

  it('200: ignores If-None-Match on a POST', async () => {
    const [, campaigns] = endpoints;
    const response = await send(campaigns, { headers: { 'if-none-match': '*' } });
    assert.equal(response.status, 200);
  });

  it('sends the headers of part 7 of the specification with every error, and no ETag', async () => {
    const token = merchant.token;
    const errors: [status: number, response: ClientResponse][] = [
      [400, await service().request('GET', `/products.json?access_token=${token}&page=0`)],
      [400, await service().request('GET', `/products.json?access_token=${token}&x=0`)],
      [400, await service().request('POST', '/campaigns.json', { body: 'x' })],
      [401, await service().request('GET', '/products.json')],
      [404, await service().request('GET', '/nowhere')],
      [404, await service().get('/variations/retrieve.json', merchant, { identifier: 'none' })],
      [404, await service().request('GET', '/%')],
      [405, await service().request('DELETE', '/products.json')],
    ];
    for (const [status, response] of errors) {
      expectError(response, status, /./);
      assert.equal(response.headers.etag, undefined);
      assert.equal(response.headers['content-encoding'], undefined);
      assert.ok(response.header('access-control-expose-headers').includes('X-Request-Id'));
    }
  });

  it('returns the caller’s X-Request-Id with errors', async () => {
    for (const path of ['/products.json', '/nowhere', '/%']) {
      const response = await service().request('GET', path, { headers: { 'x-request-id': 'mine' } });
      assert.equal(response.headers['x-request-id'], 'mine');
    }
  });
});
