import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { after, before, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { ActivityList } from '../../src/console/activity-api.ts';
import type { ConsoleImport } from '../../src/console/catalog-api.ts';
import type { SessionList, TeamList } from '../../src/console/console-api.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { auditLogOf } from '../support/audit.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { checkFile } from '../support/console-imports.ts';
import { forEachEngine } from '../support/engines.ts';
import { importFileByApi } from '../support/imports.ts';
import { startTestService, type TestMerchant, type TestService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';

/** This word occurs in all data of the first merchant, and nowhere else. */
const MARK = 'Amphora';

/** IDs of the first merchant that a request can name. */
interface Owned {
  key: string;
  importId: string;
  /** An import that has changed the catalog. */
  imported: string;
  session: string;
  webhook: string;
  member: string;
  campaign: string;
  order: string;
  change: string;
}

interface Call {
  /** The route as registered, below `/console/api`. */
  route: string;
  path(owned: Owned): string;
  json?: unknown;
  /** The status of a response to another merchant that names these IDs. */
  status: 200 | 400 | 404;
}

const calls: Call[] = [
  { route: 'GET /overview', path: () => '/overview', status: 200 },
  { route: 'GET /activity', path: () => '/activity', status: 200 },
  { route: 'GET /activity.csv', path: () => '/activity.csv', status: 200 },
  {
    route: 'GET /activity/products',
    path: ({ change }) => `/activity/products?id=${change}`,
    status: 404,
  },
  { route: 'GET /products/history', path: () => '/products/history?identifier=SECRET', status: 404 },
  { route: 'GET /session', path: () => '/session', status: 200 },
  // The first merchant of the service.
  { route: 'POST /session/shop', path: () => '/session/shop', json: { merchant_id: 1 }, status: 404 },
  { route: 'POST /invitations/accept', path: () => '/invitations/accept', json: { token: 'x' }, status: 400 },
  {
    route: 'GET /sales/report',
    path: () => '/sales/report?to=2026-01-31&unit=month&compare=previous_days',
    status: 200,
  },
  { route: 'GET /sales/products', path: () => '/sales/products?duration=last_30_days', status: 200 },
  { route: 'GET /requests', path: () => '/requests', status: 200 },
  { route: 'GET /requests/refused-keys', path: () => '/requests/refused-keys', status: 200 },
  {
    route: 'GET /requests/usage',
    path: ({ key }) => `/requests/usage?key=${key}`,
    status: 200,
  },
  { route: 'GET /campaigns/overview', path: () => '/campaigns/overview', status: 200 },
  {
    route: 'GET /campaigns/returns',
    path: ({ campaign }) => `/campaigns/returns?ids=${campaign}`,
    status: 200,
  },
  { route: 'GET /products/names', path: () => '/products/names?identifiers=SECRET', status: 200 },
  {
    route: 'POST /campaigns/:id',
    path: ({ campaign }) => `/campaigns/${campaign}`,
    json: { name: 'Own' },
    status: 404,
  },
  {
    route: 'GET /campaigns/:id/products',
    path: ({ campaign }) => `/campaigns/${campaign}/products`,
    status: 404,
  },
  { route: 'GET /orders/counts', path: () => '/orders/counts', status: 200 },
  { route: 'GET /orders/overdue', path: () => '/orders/overdue', status: 200 },
  { route: 'GET /orders/search', path: ({ order }) => `/orders/search?query=${order}`, status: 200 },
  { route: 'GET /orders/:id/timeline', path: ({ order }) => `/orders/${order}/timeline`, status: 404 },
  {
    route: 'POST /orders/reveal',
    path: () => '/orders/reveal',
    json: { order_ids: '1' },
    status: 200,
  },
  { route: 'GET /find', path: ({ order }) => `/find?text=${order}`, status: 200 },
  { route: 'POST /find', path: () => '/find', json: { text: 'SECRET' }, status: 200 },
  { route: 'GET /products', path: () => '/products', status: 200 },
  {
    route: 'POST /products/bulk',
    path: () => '/products/bulk',
    json: { ids: '1', kind: 'disable' },
    status: 200,
  },
  { route: 'GET /products/export.csv', path: () => '/products/export.csv', status: 200 },
  { route: 'GET /products/counts', path: () => '/products/counts', status: 200 },
  { route: 'GET /products/categories', path: () => '/products/categories', status: 200 },
  { route: 'GET /keys', path: () => '/keys', status: 200 },
  { route: 'POST /keys', path: () => '/keys', json: { name: 'own', expires_at: null }, status: 200 },
  {
    route: 'POST /keys/:id/rotate',
    path: ({ key }) => `/keys/${key}/rotate`,
    json: { old_token_until: null },
    status: 404,
  },
  { route: 'POST /keys/:id/revoke', path: ({ key }) => `/keys/${key}/revoke`, status: 404 },
  { route: 'GET /webhooks', path: () => '/webhooks', status: 200 },
  {
    route: 'POST /webhooks',
    path: () => '/webhooks',
    json: { url: 'https://own.example/' },
    status: 200,
  },
  {
    route: 'POST /webhooks/:id',
    path: ({ webhook }) => `/webhooks/${webhook}`,
    json: { enabled: false },
    status: 404,
  },
  { route: 'DELETE /webhooks/:id', path: ({ webhook }) => `/webhooks/${webhook}`, status: 404 },
  { route: 'POST /webhooks/:id/secret', path: ({ webhook }) => `/webhooks/${webhook}/secret`, status: 404 },
  { route: 'POST /webhooks/:id/test', path: ({ webhook }) => `/webhooks/${webhook}/test`, status: 404 },
  { route: 'POST /webhooks/:id/replay', path: ({ webhook }) => `/webhooks/${webhook}/replay`, status: 404 },
  {
    route: 'GET /webhooks/:id/deliveries',
    path: ({ webhook }) => `/webhooks/${webhook}/deliveries`,
    status: 404,
  },
  { route: 'GET /shop', path: () => '/shop', status: 200 },
  { route: 'POST /shop', path: () => '/shop', json: { currency: 'CHF' }, status: 200 },
  { route: 'GET /views', path: () => '/views', status: 200 },
  { route: 'POST /views', path: () => '/views', json: { views: [] }, status: 200 },
  { route: 'GET /product-columns', path: () => '/product-columns', status: 200 },
  { route: 'POST /product-columns', path: () => '/product-columns', json: { columns: [] }, status: 200 },
  { route: 'GET /notifications', path: () => '/notifications', status: 200 },
  {
    route: 'POST /notifications',
    path: () => '/notifications',
    json: { keys_expiring: false },
    status: 200,
  },
  { route: 'GET /team', path: () => '/team', status: 200 },
  {
    route: 'POST /team',
    path: () => '/team',
    json: { email: 'own@example.com', name: 'Own', role: 'viewer' },
    status: 200,
  },
  {
    route: 'POST /team/:id',
    path: ({ member }) => `/team/${member}`,
    json: { role: 'viewer' },
    status: 404,
  },
  { route: 'DELETE /team/:id', path: ({ member }) => `/team/${member}`, status: 404 },
  { route: 'POST /team/:id/invitation', path: ({ member }) => `/team/${member}/invitation`, status: 404 },
  {
    route: 'POST /team/two-factor',
    path: () => '/team/two-factor',
    json: { required: false },
    status: 200,
  },
  { route: 'POST /test-data', path: () => '/test-data', status: 200 },
  { route: 'GET /sessions', path: () => '/sessions', status: 200 },
  { route: 'DELETE /sessions', path: () => '/sessions', status: 200 },
  { route: 'DELETE /sessions/:id', path: ({ session }) => `/sessions/${session}`, status: 404 },
  { route: 'GET /passkeys', path: () => '/passkeys', status: 200 },
  {
    route: 'POST /passkeys/:id',
    path: ({ session }) => `/passkeys/${session}`,
    json: { name: 'Own' },
    status: 404,
  },
  { route: 'DELETE /passkeys/:id', path: ({ session }) => `/passkeys/${session}`, status: 404 },
  { route: 'POST /imports', path: () => '/imports?name=own', json: {}, status: 400 },
  { route: 'GET /imports', path: () => '/imports', status: 200 },
  {
    route: 'POST /imports/undo',
    path: ({ imported }) => `/imports/undo?import_id=${imported}`,
    json: {},
    status: 404,
  },
  {
    route: 'POST /imports/undo',
    path: ({ change }) => `/imports/undo?change_id=${change}`,
    json: {},
    status: 404,
  },
  { route: 'POST /imports/:id/cancel', path: ({ importId }) => `/imports/${importId}/cancel`, status: 404 },
  { route: 'GET /imports/:id', path: ({ importId }) => `/imports/${importId}`, status: 404 },
  { route: 'POST /imports/:id/import', path: ({ importId }) => `/imports/${importId}/import`, status: 404 },
  { route: 'POST /imports/:id/check', path: ({ importId }) => `/imports/${importId}/check`, status: 404 },
  {
    route: 'GET /imports/:id/rejects.csv',
    path: ({ importId }) => `/imports/${importId}/rejects.csv`,
    status: 404,
  },
  { route: 'DELETE /imports/:id', path: ({ importId }) => `/imports/${importId}`, status: 404 },
];

/** Routes that need no session. */
const OPEN = /^\w+ \/(auth\/.*|options|support-view|registration|(password|registration)-links(\/check)?)$/;

/** Routes of the user's own account and session, which has no sides. */
const OF_USER =
  /^(POST|DELETE) \/(session|sessions|passkeys|invitations|views|notifications|product-columns)(\/|$)/;
/** Routes that create a test key or a test webhook there, which lists of the live side have too. */
const OF_TEST_SIDE = /^POST \/(keys|webhooks)$/;
/** Routes that read what both sides have in common. */
const SHARED = /^GET \/(session|sessions|passkeys|team|shop|views|notifications|product-columns)$/;

/** Starts a service. Resolves to it and the routes that it registers below `/console/api`. */
async function routesOf(
  work: () => Promise<TestService>,
): Promise<{ service: TestService; routes: string[] }> {
  const routes: string[] = [];
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      if (!url.startsWith('/console/api/')) return;
      for (const name of [method].flat()) {
        if (name !== 'HEAD') routes.push(`${name} ${url.slice('/console/api'.length)}`);
      }
    });
  };
  subscribe('fastify.initialization', listen);
  try {
    return { service: await work(), routes };
  } finally {
    unsubscribe('fastify.initialization', listen);
  }
}

forEachEngine((engine) => {
  let service: TestService;
  let routes: string[];
  let first: TestMerchant;
  let owned: Owned;
  let owner: ConsoleClient;
  let stranger: ConsoleClient;
  /** What `everything` was after the call before. */
  let known: unknown[] | undefined;

  before(async () => {
    ({ service, routes } = await routesOf(() => startTestService(engine)));
    first = await service.newMerchant();
    owner = await signedIn(service, first);
    await owner.post('/views', { views: [{ name: MARK, listing: { query: MARK } }] });
    await owner.post('/product-columns', { columns: ['margin'] });
    await importDrafts(service, first, [
      [
        draft(`${MARK}-1`, { title: MARK, category: MARK }, [{ identifier: `${MARK}-M` }]),
        draft('SECRET', { title: MARK, category: MARK }),
      ],
    ]);
    const created = await owner.post('/v1/campaigns', { name: MARK, type: 'T' });
    const { internal_id: campaign } = created.json<Campaign>();
    const pushed = await service.operator(
      'PUT',
      `/merchants/${first.id}/orders/${MARK}`,
      await service.newOperatorToken(),
      { json: { product_identifier: `${MARK}-1`, customer_name: MARK } },
    );
    const { order_id: order } = pushed.json<OrderRecord>();
    const key = (await owner.post('/keys', { name: MARK, expires_at: null })).json<{ id: string }>().id;
    const imported = await importFileByApi(service, first, `identifier,title\nSECRET,${MARK} 2\n`);
    const checked = await checkFile(owner, `${MARK}.ndjson`, '{"identifier":1}\n{"identifier":"new"}\n');
    const { sessions } = (await owner.get('/sessions')).json<SessionList>();
    // Of no event of this setup: its delivery would fail, and change the webhook during a test.
    const added = await owner.post('/webhooks', { url: `https://${MARK}.example/`, types: 'stock.low' });
    const { id: webhook } = added.json<{ id: string }>();
    const invited = { email: `${MARK}@example.com`, name: MARK, role: 'editor' };
    assert.equal((await owner.post('/team', invited)).status, 200);
    const { entries } = (await owner.get('/activity')).json<ActivityList>();
    const { members } = (await owner.get('/team')).json<TeamList>();
    const member = members.find(({ name }) => name === MARK)?.id ?? '';
    owned = {
      key,
      importId: checked.id,
      imported: imported.id,
      session: sessions[0]?.id ?? '',
      webhook,
      member,
      campaign,
      order: String(order),
      change: entries.find(({ about }) => about === 'products')?.id ?? '',
    };
    stranger = await signedIn(service, await service.newMerchant());
  });
  after(() => service?.close());

  it('these tests cover every route of the console', () => {
    const tested = new Set(calls.map(({ route }) => route));
    assert.deepEqual(
      routes.filter((route) => !tested.has(route) && !OPEN.test(route)),
      [],
    );
    assert.deepEqual(
      [...tested].filter((route) => !routes.includes(route)),
      [],
    );
  });

  for (const { route, path, json, status } of calls) {
    const [method = ''] = route.split(' ');

    it(`${route} reveals and changes nothing for another merchant, and needs a session`, async () => {
      known ??= await everything();
      const response = await stranger.request(method, path(owned), { json });
      assert.equal(response.status, status, response.text);
      assert.ok(!response.text.includes(MARK), response.text);
      const headers = { cookie: '' };
      const rejected = await stranger.request(method, path(owned), { json, headers });
      assert.equal(rejected.status, 401, rejected.text);
      assert.equal(rejected.message, 'You aren’t signed in, or your session has expired.');
      await assertUnchanged();
    });
  }

  describe('in test data', () => {
    before(async () => {
      await owner.post('/test-data', {});
      known = undefined;
    });

    for (const { route, path, json } of calls) {
      const [method = ''] = route.split(' ');
      if (OF_USER.test(route) || OF_TEST_SIDE.test(route)) continue;

      it(`${route} reveals and changes nothing of the live side, whoever calls it`, async () => {
        known ??= await everything();
        const headers = { 'tradepost-merchant': `-${first.id}` };
        const response = await owner.request(method, path(owned), { json, headers });
        assert.ok(response.status < 500, response.text);
        if (!SHARED.test(route)) assert.ok(!response.text.includes(MARK), response.text);
        await assertUnchanged();
      });
    }
  });

  async function assertUnchanged(): Promise<void> {
    const before = known;
    known = await everything();
    assert.deepEqual(known, before);
  }

  async function everything(): Promise<unknown[]> {
    return [
      await allProducts(service, first),
      await campaignsOf(service, first),
      (await owner.get('/v1/orders')).json(),
      (await owner.get(`/orders/${owned.order}/timeline`)).json(),
      (await owner.get('/keys')).json(),
      (await owner.get('/webhooks')).json(),
      (await owner.get('/team')).json(),
      (await owner.get('/shop')).json(),
      (await owner.get('/notifications')).json(),
      (await owner.get('/views')).json(),
      (await owner.get('/product-columns')).json(),
      (await owner.get(`/imports/${owned.importId}`)).json<ConsoleImport>(),
      (await owner.get('/activity')).json(),
      await auditLogOf(service, owner),
    ];
  }
});
