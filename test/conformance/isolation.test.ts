import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { ProductHistory, ProductHistoryEntry } from '../../src/products/history/list-history.ts';
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
import { startUndo, untilUndone } from '../support/undo.ts';

interface Call {
  method: string;
  path: string;
  query: Readonly<Record<string, string>>;
}

/** Of a record of each type, which `createEndpointRecords` creates. */
const HISTORIES: readonly [path: string, record: Readonly<Record<string, string>>][] = [
  ['/products/history', { identifier: 'POT-1' }],
  ['/campaigns/history', { internal_id: 'C-1' }],
  ['/orders/history', { order_id: '101' }],
];

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
      ...HISTORIES.map(([path, record]) => service().get(path, merchant, { ...record })),
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
    named.push({ method: 'POST', path: '/imports/undo', query: { import_id: own.import } });
    const stored = await everythingOf(owner);
    const stranger = await service().newMerchant();
    for (const call of named) {
      const [id = ''] = Object.values(call.query);
      expectError(
        await send(call, stranger),
        404,
        new RegExp(`^(There is|The history has) no .*ID ${id}\\.`),
      );
    }
    for (const [path, cursor] of [
      ['/products', own.cursor],
      ['/orders', own.orderCursor],
      ['/orders', own.cursor],
    ] as const)
      expectError(await service().get(path, stranger, { changed_since: cursor }), 400, /^changed_since: /);
    assert.deepEqual(await everythingOf(owner), stored);
  });

  it('merchants whose records have the same names have their own histories, and undo only their own changes', async () => {
    const twins = [await service().newMerchant(), await service().newMerchant()] as const;
    // The clock stands still, so that the changes of both have the same names, too.
    for (const [index, merchant] of twins.entries()) {
      await createEndpointRecords(service(), merchant);
      const change = async (path: string, fields: Record<string, string>): Promise<void> => {
        const headers = { authorization: `Bearer ${merchant.token}`, 'x-request-id': `twin-${index}` };
        const response = await service().request('POST', path, { json: fields, headers });
        assert.equal(response.status, 200, response.text);
      };
      await change('/products/update', { identifier: 'POT-1', title: `Title ${index}` });
      await change('/campaigns/update', { internal_id: 'C-1', name: `Name ${index}` });
      await change('/orders/acknowledge', { order_id: '101' });
    }
    const [one, other] = twins;
    for (const [path, record] of HISTORIES) {
      const pages = await Promise.all(
        twins.map((merchant) => service().get(path, merchant, { ...record, per_page: '1' })),
      );
      const [ofOne, ofOther] = pages.map((page) => page.json<ProductHistory>());
      assert.deepEqual(
        [ofOne, ofOther].map((page) => page?.results.map(({ request_id }) => request_id)),
        [['twin-0'], ['twin-1']],
        path,
      );
      const query = { ...record, after: ofOne?.cursor ?? '' };
      expectError(await service().get(path, other, query), 400, /^after: a cursor of another merchant/);
    }
    const newest = async (merchant: TestMerchant): Promise<ProductHistoryEntry | undefined> => {
      const response = await service().get('/products/history', merchant, { identifier: 'POT-1' });
      return response.json<ProductHistory>().results[0];
    };
    const stored = await everythingOf(other);
    const { change_id } = (await newest(one)) ?? assert.fail('no change');
    await untilUndone(service(), one, await startUndo(service(), one, { change_id }));
    const [undone] = (await newest(one))?.changes ?? [];
    assert.deepEqual([undone?.field, undone?.from, undone?.to], ['title', 'Title 0', 'Pot']);
    assert.deepEqual(await everythingOf(other), stored);
  });
});
