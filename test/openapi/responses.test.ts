import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { hasScope, scopes } from '../../src/api-keys/scopes.ts';
import { type Database, DatabaseUnavailable } from '../../src/database/database.ts';
import { testSideOf } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import { allFigures } from '../../src/explain/explain-figure.ts';
import { DiagnosisRecorder } from '../../src/placements/diagnosis/diagnosis-recorder.ts';
import { CHANGED_PRODUCTS } from '../../src/products/changes/list-changes.ts';
import type { ProductHistory } from '../../src/products/history/list-history.ts';
import { encodeChangesCursor } from '../../src/sync/changes-cursor.ts';
import { draft, importDrafts, importFactDrafts, importScheduleDrafts } from '../support/catalog.ts';
import type { ClientResponse, RequestOptions } from '../support/client.ts';
import {
  allEndpoints,
  changeOrders,
  createEndpointRecords,
  endpoints,
  everyEndpoint,
  importEndpoints,
  importFile,
  isForTestKeys,
  orderWrites,
  resetTestSide,
  takesLines,
  testSideCalls,
  triggerTestEvent,
  unfulfillOrder,
  writeProducts,
  writes,
} from '../support/endpoints.ts';
import { sqlite } from '../support/engines.ts';
import { FailingDatabase } from '../support/failing-database.ts';
import { expectReplacedReset, HeldDatabase } from '../support/held-database.ts';
import { startFile } from '../support/imports.ts';
import { createKey } from '../support/keys.ts';
import { documentOf } from '../support/openapi.ts';
import { ResponseCheck } from '../support/response-check.ts';
import { startTestService, type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const raiseEpoch = statement<{ id: number }, never>(
  'UPDATE merchant_counters SET epoch = epoch + 1 WHERE merchant_id = :id',
);

/** For event-responses.test.ts. */
const isOfEventApi = (response: string): boolean => / \/(?:events|webhooks)[./]/.test(response);

describe('responses and the OpenAPI document', () => {
  const failing = new FailingDatabase();
  const held = new HeldDatabase();
  const wrap = (database: Database): Database => failing.wrap(held.wrap(database));
  const service = useService(sqlite, { wrap, environment: { MAX_UPLOAD: '1' } });
  let merchant: TestMerchant;
  let testToken: string;
  let check: ResponseCheck;

  before(async () => {
    merchant = await service().newMerchant();
    testToken = (await service().newTestKey(merchant)).token;
    const others = Array.from({ length: 8 }, (_, i) => draft(`P${i}`));
    await createEndpointRecords(service(), merchant);
    await importDrafts(service(), merchant, [others]);
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
  after(() => {
    const unseen = check.unseen.filter((response) => !isOfEventApi(response));
    assert.deepEqual(unseen, [], 'documented responses that no test received');
  });

  async function send(
    { method, path }: { method: string; path: string },
    query: Record<string, string>,
    sent: RequestOptions = {},
  ): Promise<ClientResponse> {
    const response = await service().request(method, `${path}?${new URLSearchParams(query)}`, sent);
    check.assertDocumented(method, path, response);
    return response;
  }

  /** The token is in the header: only then are there the statuses 403 and 409. */
  async function sendBearer(
    endpoint: { method: string; path: string },
    { access_token: token = '', ...query }: Record<string, string>,
    { headers, ...sent }: RequestOptions = {},
  ): Promise<ClientResponse> {
    return await send(endpoint, query, {
      ...sent,
      headers: { ...headers, authorization: `Bearer ${token}` },
    });
  }

  for (const endpoint of [...allEndpoints, ...testSideCalls]) {
    const name = `${endpoint.method} ${endpoint.path}`;
    const valid = (): Record<string, string> => ({
      ...endpoint.query,
      access_token: isForTestKeys(endpoint) ? testToken : merchant.token,
    });
    const mode = isForTestKeys(endpoint) ? 'test' : 'live';

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
        const expected = takesLines(endpoint) ? 400 : 200;
        assert.equal((await send(endpoint, {}, sent)).status, expected);
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
        const other = scopes.filter((scope) => !hasScope([scope], endpoint.scope));
        const key = { merchantId: merchant.id, name: 'other', mode, scopes: other, expiresAt: null } as const;
        const { token } = await createKey(service(), key);
        const query = { ...valid(), access_token: token };
        assert.equal((await send(endpoint, query)).status, 401);
        assert.equal((await sendBearer(endpoint, query)).status, 403);
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
        await send(products, { access_token: merchant.token, [name]: String(value), pagination: 'true' });
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
      const isCampaign = path.startsWith('/campaigns/');
      const headers = { 'if-match': '"other"' };
      assert.equal((await send({ method, path }, valid, { headers })).status, isCampaign ? 200 : 412);
      const sent = { headers: { 'idempotency-key': path } };
      using hold = held.hold(merchant.id);
      const first = send({ method, path }, valid, sent);
      await held.reached;
      assert.equal((await send({ method, path }, valid, sent)).status, 400);
      assert.equal((await sendBearer({ method, path }, valid, sent)).status, 409);
      hold.release();
      assert.equal((await first).status, 200);
      if (path === '/products.json') return;
      const [name = ''] = Object.keys(query).filter((each) =>
        /^(product_identifier|internal_id)$/.test(each),
      );
      const unknown = { [name || 'identifier']: 'NONE' };
      assert.equal((await send({ method, path }, { ...valid, ...unknown })).status, 404);
    });
  }

  for (const { method, path, query } of orderWrites) {
    it(`agree on ${method} ${path} with a key in progress, and an order that does not exist`, async () => {
      const valid = { ...query, access_token: merchant.token };
      const sent = { headers: { 'idempotency-key': path } };
      using hold = held.hold(merchant.id);
      const first = send({ method, path }, valid, sent);
      await held.reached;
      assert.equal((await send({ method, path }, valid, sent)).status, 400);
      assert.equal((await sendBearer({ method, path }, valid, sent)).status, 409);
      hold.release();
      assert.equal((await first).status, 200);
      const unknown = path.replace(/\d+/, '4000');
      const others = unknown === path ? { ...valid, order_id: '4000' } : valid;
      assert.equal((await send({ method, path: unknown }, others)).status, 404);
    });
  }

  it('agree on a package that is removed, and on a key whose first request is in progress', async () => {
    const query = { access_token: merchant.token, order_id: '101' };
    const shipment = { carrier: 'UPS', tracking_number: '1', package_id: 'box' };
    const fulfill = { method: 'POST', path: '/orders/fulfill.json' };
    assert.equal((await send(fulfill, { ...query, ...shipment })).status, 200);
    const sent = { headers: { 'idempotency-key': 'box' } };
    const removal = { ...query, package_id: 'box' };
    using hold = held.hold(merchant.id);
    const first = send(unfulfillOrder, removal, sent);
    await held.reached;
    assert.equal((await sendBearer(unfulfillOrder, removal, sent)).status, 409);
    hold.release();
    assert.equal((await first).status, 200);
    assert.equal((await send(unfulfillOrder, removal)).status, 400);
  });

  it('agree on batches of orders with lines of every result, and on a key in progress', async () => {
    const query = { access_token: merchant.token };
    const note = { order_id: 101, action: 'annotate', annotation: 'As lines' };
    const json = [note, note, { ...note, order_id: 4000 }, { order_id: 101, action: 'fly' }, 1];
    const sent = { json, headers: { 'idempotency-key': 'orders' } };
    using hold = held.hold(merchant.id);
    const first = send(changeOrders, query, sent);
    await held.reached;
    assert.equal((await sendBearer(changeOrders, query, sent)).status, 409);
    hold.release();
    assert.deepEqual(
      (await first).json<{ results: { result: string }[] }>().results.map(({ result }) => result),
      ['updated', 'unchanged', 'rejected', 'rejected', 'rejected'],
    );
  });

  it('agree on pages of orders, on changes, on cursors from before a restore, and on no orders', async () => {
    const list = { method: 'GET', path: '/orders.json' };
    const access_token = merchant.token;
    for (const filter of ['unfulfilled', 'fulfilled', 'refunded', 'all'])
      await send(list, { access_token, filter, pagination: 'true' });
    const summary = await send(list, { access_token, per_page: '2', pagination: 'true' });
    assert.notEqual(summary.headers.link, undefined);
    const { id, token } = await service().newMerchant();
    const query = { access_token: token };
    for (const path of ['/orders/retrieve.json', '/orders/history.json'])
      assert.equal((await send({ method: 'GET', path }, { ...query, order_id: '1' })).status, 404);
    const start = await send(list, { ...query, changed_since: 'start' });
    const { cursor } = start.json<{ cursor: string }>();
    await service().database.transaction((connection) => connection.run(raiseEpoch, { id }));
    assert.equal((await send(list, { ...query, changed_since: cursor })).status, 410);
  });

  it('agree on batches with lines of every result, and on a key whose first request is in progress', async () => {
    const query = { access_token: merchant.token };
    const json = [
      { identifier: 'P1' },
      { identifier: 'P1', brand: 'B' },
      { identifier: 'NEW', title: 'T' },
      1,
    ];
    const sent = { json, headers: { 'idempotency-key': 'batch' } };
    using hold = held.hold(merchant.id);
    const first = send(writeProducts, query, sent);
    await held.reached;
    assert.equal((await sendBearer(writeProducts, query, sent)).status, 409);
    hold.release();
    assert.deepEqual(
      (await first).json<{ results: { result: string }[] }>().results.map(({ result }) => result),
      ['unchanged', 'updated', 'created', 'rejected'],
    );
  });

  it('agree on changes, and on a cursor from before a restore', async () => {
    const [products] = endpoints;
    const query = { access_token: merchant.token };
    await send(products, { ...query, changed_since: 'start' });
    const scope = { merchantId: merchant.id, listing: CHANGED_PRODUCTS };
    const cursor = encodeChangesCursor(scope, 1, { revision: 1, key: 1 });
    assert.equal((await send(products, { ...query, changed_since: cursor })).status, 410);
    const campaigns = { method: 'GET', path: '/campaigns.json' };
    await send(campaigns, { ...query, changed_since: 'start' });
    const other = encodeChangesCursor({ ...scope, listing: 'changed campaigns' }, 1, {
      revision: 1,
      key: 'c',
    });
    assert.equal((await send(campaigns, { ...query, changed_since: other })).status, 410);
  });

  it('agree on a product that does not exist', async () => {
    const query = { access_token: merchant.token, identifier: 'NONE-2' };
    for (const path of ['/products/retrieve.json', '/products/issues.json', '/products/history.json'])
      assert.equal((await send({ method: 'GET', path }, query)).status, 404);
  });

  it('agree on pages of campaigns, and on one that does not exist', async () => {
    const { token: access_token } = merchant;
    const list = { method: 'GET', path: '/campaigns.json' };
    for (const status of ['Active', 'Paused', 'Expired']) {
      const response = await send(list, { access_token, status, pagination: 'true', per_page: '1' });
      assert.notEqual(response.headers.link, undefined);
    }
    for (const path of ['/campaigns/retrieve.json', '/campaigns/history.json'])
      assert.equal((await send({ method: 'GET', path }, { access_token, internal_id: 'NONE' })).status, 404);
  });

  it('agree on schedules of a product that does not exist, and on cursors from before a restore', async () => {
    const path = { method: 'GET', path: '/schedules.json' };
    const { id, token: access_token } = await service().newMerchant();
    assert.equal((await send(path, { access_token, product_identifier: 'NONE-2' })).status, 404);
    const { cursor } = (await send(path, { access_token, changed_since: 'start' })).json<{
      cursor: string;
    }>();
    const others = [];
    for (const name of ['campaigns', 'placements']) {
      const list = { method: 'GET', path: `/${name}.json` };
      const response = await send(list, { access_token, changed_since: 'start' });
      others.push({ list, changed_since: response.json<{ cursor: string }>().cursor });
    }
    await service().database.transaction((connection) => connection.run(raiseEpoch, { id }));
    assert.equal((await send(path, { access_token, changed_since: cursor })).status, 410);
    for (const { list, changed_since } of others)
      assert.equal((await send(list, { access_token, changed_since })).status, 410);
  });

  it('agree on placements of a campaign and a product, and on those that do not exist', async () => {
    const [list, report] = ['/placements.json', '/campaigns/performance.json'].map((path) => ({
      method: 'GET',
      path,
    })) as [{ method: string; path: string }, { method: string; path: string }];
    const { token: access_token } = merchant;
    const fact = { merchant: null, placement_id: 'P-1', campaign_id: 'C-1', product_identifier: 'POT-1' };
    const delivered_at = Date.parse('2026-01-10T10:00:00Z');
    await importFactDrafts(service(), merchant, [[{ ...fact, delivered_at, price: 2_500 }]]);
    assert.equal((await send(list, { access_token, product_identifier: 'NONE-2' })).status, 404);
    assert.equal((await send(list, { access_token, campaign: 'NONE' })).status, 404);
    assert.equal((await send(list, { access_token, campaign: 'C-1' })).status, 200);
    assert.equal((await send(report, { access_token, internal_id: 'NONE' })).status, 404);
    for (const by of ['total', 'day', 'product'])
      assert.equal((await send(report, { access_token, internal_id: 'C-1', by })).status, 200);
  });

  it('agree on explanations, and on figures and lines of a product that does not exist', async () => {
    const { token: access_token } = merchant;
    const [explain, orders] = [
      { method: 'GET', path: '/explain.json' },
      { method: 'GET', path: '/orders.json' },
    ];
    for (const figure of allFigures.values()) {
      const selection = {
        month: '2026-01',
        product_identifier: 'POT-1',
        duration: 'today',
        internal_id: 'C-1',
      };
      const taken = Object.entries(selection).filter(([name]) =>
        [...figure.required, ...figure.optional].some((each) => each === name),
      );
      const query = { access_token, figure: figure.figure.name, ...Object.fromEntries(taken) };
      assert.equal((await send(explain, query)).status, 200);
    }
    const none = { access_token, product_identifier: 'NONE-2' };
    const fees = { ...none, figure: 'product_sales.fees', duration: 'today' };
    assert.equal((await send(explain, fees)).status, 404);
    assert.equal((await send(orders, none)).status, 404);
    assert.equal((await send(orders, { ...none, product_identifier: 'POT-1' })).status, 200);
  });

  it('agree on the diagnosis of a campaign with and without requests, and of a product', async () => {
    const path = { method: 'GET', path: '/campaigns/diagnosis.json' };
    const query = { access_token: merchant.token, internal_id: 'C-1' };
    const recorder = new DiagnosisRecorder(service().database, (error) => assert.fail(String(error)));
    const candidate = { merchantId: merchant.id, campaignId: 'C-1', productId: 1, bid: 5_000, quality: 1 };
    const turns = { merchantTurn: 0, campaignTurn: 0, productTurn: 0 };
    const won = { ...candidate, ...turns, score: 50, isCampaignBid: true, maxDailySchedules: null };
    const awards = [{ candidate: won, price: 4_200 }];
    const decision = { awards, unfilled: 0, losers: {}, refused: [], full: [], considered: [won] };
    const request = { currency: 'USD', type: null, category: [], floor: 100, isListed: false };
    for (let count = 0; count < 60; count++) recorder.record(request, decision, service().now());
    await recorder.flush();
    assert.equal((await send(path, query)).status, 200);
    assert.equal((await send(path, { ...query, product_identifier: 'POT-1' })).status, 200);
    assert.equal((await send(path, { ...query, product_identifier: 'NONE-2' })).status, 404);
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
    using hold = held.hold(merchant.id);
    const first = send(path, query, sent);
    await held.reached;
    assert.equal((await sendBearer(path, query, sent)).status, 409);
    hold.release();
    assert.equal((await first).status, 200);
    assert.equal((await send(path, { ...query, name: 'other' }, sent)).status, 400);
  });

  it('agree on a trigger with a live key, of an unknown product, and of a key in progress', async () => {
    const { query } = triggerTestEvent;
    const valid = { ...query, access_token: testToken };
    assert.equal(
      (await sendBearer(triggerTestEvent, { ...query, access_token: merchant.token })).status,
      403,
    );
    const unknown = { ...valid, event: 'sale', product_identifier: 'NONE' };
    assert.equal((await send(triggerTestEvent, unknown)).status, 404);
    const sent = { headers: { 'idempotency-key': 'trigger-1' } };
    using hold = held.hold(testSideOf(merchant.id));
    const first = send(triggerTestEvent, valid, sent);
    await held.reached;
    assert.equal((await sendBearer(triggerTestEvent, valid, sent)).status, 409);
    hold.release();
    assert.equal((await first).status, 200);
  });

  it('agree on a reset with a live key, and on one that another replaces', async () => {
    assert.equal((await sendBearer(resetTestSide, { access_token: merchant.token })).status, 403);
    await expectReplacedReset(held, merchant, 409, () =>
      sendBearer(resetTestSide, { access_token: testToken }),
    );
  });

  for (const endpoint of [...importEndpoints, importFile, unfulfillOrder]) {
    it(`agree on ${endpoint.method} ${endpoint.path} if it fails`, async () => {
      const valid = { ...endpoint.query, access_token: merchant.token };
      const { token } = await createKey(service(), {
        merchantId: merchant.id,
        name: 'other',
        scopes: ['campaigns'],
        expiresAt: null,
      });
      const file =
        endpoint === importFile ? { body: 'identifier\nP\n', headers: { 'content-type': 'text/csv' } } : {};
      for (const [query, status] of [
        [endpoint.query, 401],
        [{ ...valid, access_token: token }, 401],
        [{ ...valid, colour: 'red' }, 400],
      ] as const) {
        assert.equal((await send(endpoint, query, file)).status, status);
      }
      assert.equal((await sendBearer(endpoint, { ...valid, access_token: token }, file)).status, 403);
      for (const [failure, status] of [
        [new Error('unknown'), 500],
        [new DatabaseUnavailable('unavailable'), 503],
      ] as const) {
        failing.failure = failure;
        assert.equal((await send(endpoint, valid, file)).status, status);
        failing.failure = undefined;
      }
      if (endpoint !== importFile) assert.equal((await send(endpoint, valid)).status, 404);
    });
  }

  it('agree on an import and its records', async () => {
    const file = { headers: { 'content-type': 'text/csv', 'idempotency-key': 'A' } };
    const access_token = merchant.token;
    const body = 'identifier,cost_basis\nP-1,3\nP-2,much\n';
    const first = await send(importFile, { access_token }, { ...file, body });
    assert.equal(first.status, 202);
    const compressed = { ...file.headers, 'accept-encoding': 'gzip' };
    assert.equal((await send(importFile, { access_token }, { body, headers: compressed })).status, 202);
    const [retrieve, rejects, cancel] = importEndpoints;
    const query = { access_token, id: first.json<{ id: string }>().id };
    await until(async () => (await send(retrieve, query)).json<{ status: string }>().status === 'done');
    for (const endpoint of [retrieve, rejects, cancel]) {
      assert.equal((await send(endpoint, query)).status, 200);
      if (endpoint.method === 'POST') continue;
      const headers = { 'if-none-match': (await send(endpoint, query)).header('etag') };
      assert.equal((await send(endpoint, query, { headers })).status, 304);
      assert.equal((await send({ ...endpoint, method: 'HEAD' }, query)).status, 200);
    }
    const undo = importEndpoints[3];
    const named = { access_token, import_id: query.id };
    const undone = await send(undo, named);
    assert.equal(undone.status, 202);
    const progress = { access_token, id: undone.json<{ id: string }>().id };
    await until(async () => (await send(retrieve, progress)).json<{ status: string }>().status === 'done');
    for (const path of ['/imports.json', '/imports/rejects.json']) {
      const page: Record<string, string> = path === '/imports.json' ? { access_token } : query;
      for (const pagination of ['true', 'false'])
        assert.equal((await send({ method: 'GET', path }, { ...page, pagination })).status, 200);
    }
  });

  it('agree on files that are too large, and on a file while another one arrives', async () => {
    const query = { access_token: merchant.token };
    const headers = { 'content-type': 'text/csv' };
    const large = Buffer.alloc(1024 * 1024 + 1, 'x');
    assert.equal((await send(importFile, query, { headers, body: large })).status, 413);
    const sent = { headers: { 'idempotency-key': 'cancel' } };
    const [, , cancel] = importEndpoints;
    const { id } = (await send(importFile, query, { headers, body: 'identifier\nP\n' })).json<{
      id: string;
    }>();
    using hold = held.hold(merchant.id);
    const first = send(cancel, { ...query, id }, sent);
    await held.reached;
    assert.equal((await sendBearer(cancel, { ...query, id }, sent)).status, 409);
    hold.release();
    assert.equal((await first).status, 200);
    const files = (): Promise<string[]> => readdir(join(service().config.dataDirectory, 'imports'));
    await until(async () => (await files()).length === 0);
    const sending = startFile(service(), merchant);
    sending.write('identifier\n');
    await until(async () => (await files()).length > 0);
    const file = { headers, body: 'identifier\nP\n' };
    assert.equal((await send(importFile, query, file)).status, 400);
    assert.equal((await sendBearer(importFile, query, file)).status, 409);
    const history = await send(
      { method: 'GET', path: '/products/history.json' },
      { ...query, identifier: 'POT-1' },
    );
    const change_id = history.json<ProductHistory>().results.at(-1)?.change_id ?? '';
    assert.equal((await sendBearer(importEndpoints[3], { ...query, change_id })).status, 409);
    sending.destroy();
  });

  it('agree on errors for requests that match no operation', async () => {
    for (const { path } of everyEndpoint) check.assertError(await service().request('PATCH', path));
    check.assertError(await service().request('GET', '/nowhere.json'));
  });

  it('agree on requests beyond the rate limit', async () => {
    await using limited = await startTestService(sqlite, { environment: { RATE_LIMIT: '1' } });
    const { token } = await limited.newMerchant();
    await limited.get('/products.json', { token });
    for (const { method, path, query } of [...everyEndpoint, ...testSideCalls]) {
      const search = new URLSearchParams({ ...query, access_token: token });
      const response = await limited.request(method, `${path}?${search}`);
      assert.equal(response.status, 429);
      check.assertDocumented(method, path, response);
    }
  });
});
