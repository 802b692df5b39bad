import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { after, before, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { SessionList, Upload } from '../../src/console/console-api.ts';
import { campaignsOf } from '../support/campaigns.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { startTestService, type TestMerchant, type TestService } from '../support/service.ts';
import { checkFile } from '../support/uploads.ts';

/** In everything that the first merchant has, and in nothing else. */
const MARK = 'Amphora';

/** What ids of the first merchant's a request may name. */
interface Owned {
  key: string;
  product: string;
  upload: string;
  session: string;
}

interface Call {
  /** As it is registered, below `/console/api`. */
  route: string;
  path(owned: Owned): string;
  json?: unknown;
  /** What somebody else is answered who names what is not theirs. */
  status: 200 | 400 | 404;
}

const calls: Call[] = [
  { route: 'GET /overview', path: () => '/overview', status: 200 },
  { route: 'GET /audit', path: () => '/audit', status: 200 },
  { route: 'GET /session', path: () => '/session', status: 200 },
  { route: 'GET /sales', path: () => '/sales', status: 200 },
  { route: 'GET /campaigns', path: () => '/campaigns', status: 200 },
  { route: 'POST /campaigns', path: () => '/campaigns', json: { name: 'Own', type: 'T' }, status: 200 },
  { route: 'GET /products', path: () => '/products', status: 200 },
  { route: 'GET /products/counts', path: () => '/products/counts', status: 200 },
  { route: 'GET /products/categories', path: () => '/products/categories', status: 200 },
  { route: 'GET /products/:id', path: ({ product }) => `/products/${product}`, status: 404 },
  { route: 'GET /keys', path: () => '/keys', status: 200 },
  { route: 'POST /keys', path: () => '/keys', json: { name: 'own', expires_at: null }, status: 200 },
  {
    route: 'POST /keys/:id/rotate',
    path: ({ key }) => `/keys/${key}/rotate`,
    json: { old_token_until: null },
    status: 404,
  },
  { route: 'POST /keys/:id/revoke', path: ({ key }) => `/keys/${key}/revoke`, status: 404 },
  { route: 'GET /sessions', path: () => '/sessions', status: 200 },
  { route: 'DELETE /sessions', path: () => '/sessions', status: 200 },
  { route: 'DELETE /sessions/:id', path: ({ session }) => `/sessions/${session}`, status: 404 },
  { route: 'POST /uploads', path: () => '/uploads?name=own', json: {}, status: 400 },
  { route: 'GET /uploads/:id', path: ({ upload }) => `/uploads/${upload}`, status: 404 },
  { route: 'POST /uploads/:id/import', path: ({ upload }) => `/uploads/${upload}/import`, status: 404 },
  {
    route: 'GET /uploads/:id/rejects.csv',
    path: ({ upload }) => `/uploads/${upload}/rejects.csv`,
    status: 404,
  },
  { route: 'DELETE /uploads/:id', path: ({ upload }) => `/uploads/${upload}`, status: 404 },
];

/** What there is before anybody has signed in. */
const OPEN = /^\w+ \/(auth\/.*|options|register|registration|sign-up)$/;

/** The routes of the console's data that a service registers while `work` starts it. */
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

  before(async () => {
    ({ service, routes } = await routesOf(() => startTestService(engine)));
    first = await service.newMerchant();
    owner = await signedIn(service, first);
    await importDrafts(service, first, [[draft(`${MARK}-1`, { title: MARK, category: MARK })]]);
    await owner.post('/campaigns', { name: MARK, type: 'T' });
    const key = (await owner.post('/keys', { name: MARK, expires_at: null })).json<{ id: string }>().id;
    const upload = await checkFile(owner, `${MARK}.ndjson`, '{"identifier":1}\n{"identifier":"new"}\n');
    const { sessions } = (await owner.get('/sessions')).json<SessionList>();
    owned = { key, product: '1', upload: upload.id, session: sessions[0]?.id ?? '' };
    stranger = await signedIn(service, await service.newMerchant());
  });
  after(() => service?.close());

  it('is tested for every call of the console', () => {
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

    it(`${route} gives another merchant nothing, and nobody without a session anything`, async () => {
      const before = await everything();
      const answer = await stranger.request(method, path(owned), { json });
      assert.equal(answer.status, status, answer.text);
      assert.ok(!answer.text.includes(MARK), answer.text);
      const headers = { cookie: '' };
      const refused = await stranger.request(method, path(owned), { json, headers });
      assert.equal(refused.status, 401, refused.text);
      assert.equal(refused.message, 'You are not signed in, or your session has expired.');
      assert.deepEqual(await everything(), before);
    });
  }

  /** All that the first merchant has. */
  async function everything(): Promise<unknown[]> {
    return [
      await allProducts(service, first),
      await campaignsOf(service, first),
      (await owner.get('/keys')).json(),
      (await owner.get(`/uploads/${owned.upload}`)).json<Upload>(),
      (await owner.get('/audit')).json(),
    ];
  }
});
