import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { ClientResponse } from '../support/client.ts';
import {
  allEndpoints,
  createEndpointRecords,
  eventLists,
  everyEndpoint,
  importEndpoints,
  unfulfillOrder,
  webhookEndpoints,
} from '../support/endpoints.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { importFileByApi } from '../support/imports.ts';
import { type TestMerchant, useService } from '../support/service.ts';

interface Call {
  method: string;
  path: string;
  query: Readonly<Record<string, string>>;
}

const NAMES = ['identifier', 'product_identifier', 'internal_id', 'id', 'order_id'];
/** Creating something needs no record, except the product of a variation. */
const CREATING = ['POST /products.json', 'POST /campaigns.json', 'POST /imports.json', 'POST /webhooks.json'];

/** The position in the feed of events counts the events of all merchants. */
const withoutCursor = (text: string): string => text.replace(/"(?:cursor|next)":"[^"]*"/, '');

forEachEngine((engine) => {
  const service = useService(engine);
  let owner: TestMerchant;
  let own: { import: string; product: string; cursor: string; orderCursor: string };
  /** A merchant without records gets these, before there are any records. */
  let expected: Map<Call, ClientResponse>;
  let calls: Call[];

  async function send({ method, path, query }: Call, { token }: TestMerchant): Promise<ClientResponse> {
    return await service().request(
      method,
      `${path}?${new URLSearchParams({ ...query, access_token: token })}`,
    );
  }

  async function sendAll(merchant: TestMerchant): Promise<Map<Call, ClientResponse>> {
    const responses = new Map<Call, ClientResponse>();
    for (const call of calls) responses.set(call, await send(call, merchant));
    return responses;
  }

  async function everythingOf(merchant: TestMerchant): Promise<string[]> {
    const since = { changed_since: 'start' };
    const lists = await Promise.all([
      service().get('/products', merchant, since),
      service().get('/campaigns', merchant, since),
      service().get('/schedules', merchant, since),
      service().get('/orders', merchant, since),
      service().get('/imports', merchant),
      service().get('/performance/sales', merchant),
    ]);
    for (const { status, text } of lists) assert.equal(status, 200, text);
    return lists.map(({ text }) => withoutCursor(text));
  }

  before(async () => {
    const others = [
      ...allEndpoints.filter(({ method, path }) => !CREATING.includes(`${method} ${path}`)),
      ...importEndpoints,
      ...webhookEndpoints.filter(({ path }) => path !== '/webhooks.json'),
      { ...unfulfillOrder, query: { ...unfulfillOrder.query, order_id: '101' } },
    ];
    calls = [
      ...others.map(({ method, path, query }) => ({ method, path, query: { ...query } })),
      // Its own events are numbered a moment after the merchant was created.
      ...eventLists.map((call) => ({
        ...call,
        query: { ...(call.path === '/events.json' && { after: 'now' }) },
      })),
      { method: 'GET', path: '/products/retrieve', query: { internal_id: '1' } },
      { method: 'POST', path: '/products/update', query: { internal_id: '1', title: 'Taken' } },
      { method: 'GET', path: '/schedules', query: { product_identifier: 'POT-1' } },
      { method: 'GET', path: '/schedules', query: { month: '2026-01' } },
      { method: 'GET', path: '/orders', query: { order_ids: '101,102', pagination: 'true' } },
      { method: 'GET', path: '/orders', query: { changed_since: 'start' } },
      { method: 'GET', path: '/orders', query: { status: 'paid', sort: 'paid_at_asc' } },
    ];
    expected = await sendAll(await service().newMerchant());
    owner = await service().newMerchant();
    await createEndpointRecords(service(), owner);
    const imported = await importFileByApi(service(), owner, 'identifier,status\nPOT-4,banned\n');
    const products = await service().get('/products', owner, { changed_since: 'start' });
    const { results, cursor } = products.json<{ results: { internal_id: number }[]; cursor: string }>();
    const orders = await service().get('/orders', owner, { changed_since: 'start' });
    own = {
      import: imported.id,
      product: String(results[0]?.internal_id),
      cursor,
      orderCursor: orders.json<{ cursor: string }>().cursor,
    };
  });

  it('covers every call of the API that reads or changes something', () => {
    const covered = new Set(calls.map(({ method, path }) => `${method} ${path}`));
    const missing = everyEndpoint.filter(({ method, path }) => !covered.has(`${method} ${path}`));
    assert.deepEqual(missing.map(({ method, path }) => `${method} ${path}`).sort(), CREATING.toSorted());
  });

  it('another merchant’s records change no response, and none of the calls changes them', async () => {
    const stored = await everythingOf(owner);
    const stranger = await service().newMerchant();
    for (const [call, response] of await sendAll(stranger)) {
      const { status, text } = expected.get(call) ?? assert.fail();
      const shown = `${call.method} ${call.path} ${JSON.stringify(call.query)}`;
      assert.equal(response.status, status, shown);
      // Its name is the merchant's own.
      if (call.path !== '/account.json')
        assert.equal(withoutCursor(response.text), withoutCursor(text), shown);
      const isNamed = Object.keys(call.query).some((name) => NAMES.includes(name));
      if (isNamed) assert.equal(status, 404, shown);
    }
    assert.deepEqual(await everythingOf(owner), stored);
  });

  it('404: another merchant’s ids that the service assigned; 400: its cursors', async () => {
    const named: Call[] = [
      { method: 'GET', path: '/products/retrieve', query: { internal_id: own.product } },
      { method: 'POST', path: '/products/update', query: { internal_id: own.product, title: 'Taken' } },
      { method: 'GET', path: '/imports/retrieve', query: { id: own.import } },
      { method: 'GET', path: '/imports/rejects', query: { id: own.import } },
      { method: 'POST', path: '/imports/cancel', query: { id: own.import } },
    ];
    for (const call of named) assert.equal((await send(call, owner)).status, 200, call.path);
    const stored = await everythingOf(owner);
    const stranger = await service().newMerchant();
    for (const call of named) {
      const [id = ''] = Object.values(call.query);
      expectError(await send(call, stranger), 404, new RegExp(`^There is no .*ID ${id}\\.`));
    }
    for (const [path, cursor] of [
      ['/products', own.cursor],
      ['/orders', own.orderCursor],
      ['/orders', own.cursor],
    ] as const)
      expectError(await service().get(path, stranger, { changed_since: cursor }), 400, /^changed_since: /);
    assert.deepEqual(await everythingOf(owner), stored);
  });
});
