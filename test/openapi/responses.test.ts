import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createKey } from '../../src/api-keys/create-key.ts';
import { scopes } from '../../src/api-keys/scopes.ts';
import { type Database, DatabaseUnavailable } from '../../src/database/database.ts';
import { draft, importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import type { ClientResponse, RequestOptions } from '../support/client.ts';
import { allEndpoints, endpointProducts, endpoints, writes } from '../support/endpoints.ts';
import { sqlite } from '../support/engines.ts';
import { FailingDatabase } from '../support/failing-database.ts';
import { HeldDatabase } from '../support/held-database.ts';
import { documentOf } from '../support/openapi.ts';
import { ResponseCheck } from '../support/response-check.ts';
import { startTestService, type TestMerchant, useService } from '../support/service.ts';

describe('responses and the OpenAPI document', () => {
  const failing = new FailingDatabase();
  const held = new HeldDatabase();
  const wrap = (database: Database): Database => failing.wrap(held.wrap(database));
  const service = useService(sqlite, { wrap });
  let merchant: TestMerchant;
  let check: ResponseCheck;

  before(async () => {
    merchant = await service().newMerchant();
    const others = Array.from({ length: 8 }, (_, i) => draft(`P${i}`));
    await importDrafts(service(), merchant, [[...endpointProducts, ...others]]);
    await importScheduleDrafts(service(), merchant, [
      [1, 2, 3].map((number) => ({
        merchant: null,
        schedule_id: `S-${number}`,
        product_identifier: 'POT-1',
        scheduled_at: Date.parse(`2026-0${number}-10T10:00:00Z`),
        sold: number > 1,
        sale_price: number > 1 ? 1999 : null,
        rating: number > 2 ? 450 : null,
      })),
    ]);
    check = new ResponseCheck(await documentOf(service()));
  });
  after(() => assert.deepEqual(check.unseen, [], 'documented responses that no test received'));

  async function send(
    { method, path }: { method: string; path: string },
    query: Record<string, string>,
    sent: RequestOptions = {},
  ): Promise<ClientResponse> {
    const response = await service().request(method, `${path}?${new URLSearchParams(query)}`, sent);
    check.assertDocumented(method, path, response);
    return response;
  }

  for (const endpoint of allEndpoints) {
    const name = `${endpoint.method} ${endpoint.path}`;
    const valid = (): Record<string, string> => ({ ...endpoint.query, access_token: merchant.token });

    it(`agree on ${name} with valid parameters, on both paths, compressed or not`, async () => {
      const other = { ...endpoint, path: endpoint.path.replace('.json', '') };
      for (const each of [endpoint, other]) {
        assert.equal((await send(each, valid())).status, 200);
        for (const encoding of ['gzip', 'br', 'zstd']) {
          await send(each, valid(), { headers: { 'accept-encoding': encoding } });
        }
      }
      if (endpoint.method === 'GET') await send({ ...endpoint, method: 'HEAD' }, valid());
    });

    it(`agree on ${name} with parameters in the body`, async () => {
      for (const sent of [{ form: valid() }, { json: valid() }, { multipart: Object.entries(valid()) }]) {
        assert.equal((await send(endpoint, {}, sent)).status, 200);
      }
      assert.equal((await send(endpoint, valid(), { body: '{' })).status, 400);
    });

    it(`agree on ${name} with invalid requests`, async () => {
      assert.equal((await send(endpoint, endpoint.query)).status, 401);
      assert.equal((await send(endpoint, { access_token: 'unknown' })).status, 401);
      assert.equal((await send(endpoint, { ...valid(), colour: 'red' })).status, 400);
      const names = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`name-${i}`, '1']));
      const headers = { 'accept-encoding': 'gzip' };
      const long = await send(endpoint, { ...valid(), ...names }, { headers });
      assert.equal(long.headers['content-encoding'], 'gzip');
    });

    if (endpoint.scope !== null) {
      it(`agree on ${name} without the scope`, async () => {
        const other = scopes.filter((scope) => scope !== endpoint.scope);
        const key = { merchantId: merchant.id, name: 'other', scopes: other, expiresAt: null };
        const { token } = await createKey(service(), key);
        assert.equal((await send(endpoint, { ...valid(), access_token: token })).status, 403);
      });
    }

    it(`agree on ${name} if the database fails or is unavailable`, async () => {
      failing.failure = new Error('unknown');
      assert.equal((await send(endpoint, valid())).status, 500);
      failing.failure = new DatabaseUnavailable('unavailable');
      assert.equal((await send(endpoint, valid())).status, 503);
      failing.failure = undefined;
    });

    if (endpoint.method === 'GET') {
      it(`agree on ${name} if the response has not changed`, async () => {
        const headers = { 'if-none-match': (await send(endpoint, valid())).header('etag') };
        for (const method of ['GET', 'HEAD']) {
          assert.equal((await send({ ...endpoint, method }, valid(), { headers })).status, 304);
        }
      });
    }
  }

  it('agree on pages of products, for every sort and status', async () => {
    const [products] = endpoints;
    const document = await documentOf(service());
    const { parameters = [] } = document.paths[products.path]?.get ?? {};
    for (const { name, schema } of parameters) {
      for (const value of schema.enum ?? []) {
        await send(products, { access_token: merchant.token, [name]: value, pagination: 'true' });
      }
    }
    for (const page of ['1', '2', '3', '9']) {
      const query = { access_token: merchant.token, per_page: '3', page };
      await send(products, query);
      const summary = await send(products, { ...query, pagination: 'true' });
      assert.notEqual(summary.headers.link, undefined);
    }
    const empty = await service().newMerchant();
    await send(products, { access_token: empty.token });
  });

  for (const { method, path, query } of writes) {
    it(`agree on ${method} ${path} with another ETag, a key in progress, and a record that does not exist`, async () => {
      const valid = { ...query, access_token: merchant.token };
      const headers = { 'if-match': '"other"' };
      assert.equal((await send({ method, path }, valid, { headers })).status, 412);
      const sent = { headers: { 'idempotency-key': path } };
      const release = held.hold();
      const first = send({ method, path }, valid, sent);
      await held.reached;
      assert.equal((await send({ method, path }, valid, sent)).status, 409);
      release();
      assert.equal((await first).status, 200);
      if (path === '/products.json') return;
      const unknown = 'product_identifier' in query ? { product_identifier: 'NONE' } : { identifier: 'NONE' };
      assert.equal((await send({ method, path }, { ...valid, ...unknown })).status, 404);
    });
  }

  it('agree on a product that does not exist', async () => {
    const path = { method: 'GET', path: '/products/retrieve.json' };
    const query = { access_token: merchant.token, identifier: 'NONE-2' };
    assert.equal((await send(path, query)).status, 404);
  });

  it('agree on a variation that does not exist', async () => {
    const path = { method: 'GET', path: '/variations/retrieve.json' };
    const query = { access_token: merchant.token, identifier: 'POT-2' };
    assert.equal((await send(path, query)).status, 404);
  });

  it('agree on campaigns with every amount, and on a key whose first request is in progress', async () => {
    const path = { method: 'POST', path: '/campaigns.json' };
    const query = { access_token: merchant.token, name: 'N', type: 'T' };
    await send(path, { ...query, daily_budget: '1e3', bid_amount: '0', lifetime_budget: '0.1' });
    const sent = { headers: { 'idempotency-key': 'key-1' } };
    const release = held.hold();
    const first = send(path, query, sent);
    await held.reached;
    assert.equal((await send(path, query, sent)).status, 409);
    release();
    assert.equal((await first).status, 200);
    assert.equal((await send(path, { ...query, name: 'other' }, sent)).status, 400);
  });

  it('agree on errors for requests that match no operation', async () => {
    for (const { path } of allEndpoints) check.assertError(await service().request('DELETE', path));
    check.assertError(await service().request('GET', '/nowhere.json'));
  });

  it('agree on requests beyond the rate limit', async () => {
    await using limited = await startTestService(sqlite, { environment: { RATE_LIMIT: '1' } });
    const { token } = await limited.newMerchant();
    await limited.get('/products.json', { token });
    for (const { method, path, query } of allEndpoints) {
      const search = new URLSearchParams({ ...query, access_token: token });
      const response = await limited.request(method, `${path}?${search}`);
      assert.equal(response.status, 429);
      check.assertDocumented(method, path, response);
    }
  });
});
