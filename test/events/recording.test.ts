import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parseKeyId } from '../../src/api-keys/key-id.ts';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { defaultBudgets } from '../../src/budgets/budgets.ts';
import type { Database } from '../../src/database/database.ts';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import { type EventType, eventTypes } from '../../src/events/event-types.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { Metrics } from '../../src/observability/metrics.ts';
import { deliverToWebhook } from '../../src/webhooks/deliver-to-webhook.ts';
import { queueStatements } from '../../src/webhooks/delivery-queries.ts';
import { createWebhook, type WebhookNeeds } from '../../src/webhooks/manage-webhooks.ts';
import { postWith } from '../../src/webhooks/post-message.ts';
import { ReceiverAgent } from '../../src/webhooks/receiver-agent.ts';
import { createSender } from '../../src/webhooks/send-message.ts';
import { BID, reservePlaces } from '../placements/placements-support.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { ClientResponse } from '../support/client.ts';
import { type ConsoleClient, PASSWORD, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { FailingEvents, FeedReader } from '../support/events.ts';
import { createKey, createOperatorKey, revokeKey, rotateKey } from '../support/keys.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';

interface Scene {
  merchant: TestMerchant;
  /** For the verbs of commands. Its transactions fail like the service's. */
  commands: { database: Database; now: () => number };
  /** Signs in. */
  console(): Promise<ConsoleClient>;
  webhookNeeds: WebhookNeeds;
  receiver: WebhookReceiver;
  post(path: string, form: Record<string, string>): Promise<ClientResponse>;
  operator(method: string, path: string, json?: object): Promise<ClientResponse>;
}

/** Prepares a change. Resolves to a function that makes it. */
type Change = (scene: Scene) => Promise<() => Promise<unknown>>;

const createCampaign = (scene: Scene): Promise<ClientResponse> =>
  scene.post('/campaigns.json', { name: 'Spring', type: 'AuctionCampaign' });

/** Calls these paths for a new campaign. The last call is the change. */
const campaignChange =
  (...paths: [path: string, form?: Record<string, string>][]): Change =>
  async (scene) => {
    const { internal_id } = (await createCampaign(scene)).json<{ internal_id: string }>();
    const send = ([path, form]: (typeof paths)[number]) =>
      scene.post(`/campaigns/${path}.json`, { internal_id, ...form });
    for (const call of paths.slice(0, -1)) await send(call);
    return async () => send(paths.at(-1) ?? assert.fail());
  };

const stockChange =
  (reduce: (scene: Scene) => Promise<unknown>): Change =>
  async (scene) => {
    const product = draft('POT', {}, [{ identifier: 'POT-S', quantity: 6 }]);
    await importDrafts(scene.commands, scene.merchant, [[product]]);
    return () => reduce(scene);
  };

const consoleKeyChange =
  (action: string, json?: object): Change =>
  async (scene) => {
    const console = await scene.console();
    const { id } = (await console.post('/keys', { name: 'K', expires_at: null })).json<{ id: string }>();
    return () => console.post(`/keys/${id}/${action}`, json);
  };

const holder = 'this test';
const holdQueue = statement<{ id: string }, never>(
  `UPDATE webhooks SET lease_holder = '${holder}', lease_until = ${Number.MAX_SAFE_INTEGER} WHERE id = :id`,
);
const countQueued = statement<{ id: string }, { queued: number }>(
  'SELECT CAST(count(*) AS integer) AS queued FROM webhook_deliveries WHERE webhook_id = :id AND due_at IS NOT NULL',
);

/** Queues an event for a webhook that responds with 410, and then delivers it. */
const disablingDelivery: Change = async (scene) => {
  const { commands, webhookNeeds, merchant, receiver } = scene;
  const { database, now } = commands;
  receiver.respond = (_, response) => response.writeHead(410).end();
  const endpoint = await database.transaction(async (connection) => {
    const fields = { url: receiver.url, types: ['campaign.created'], description: '' } as const;
    const context = { connection, merchantId: merchant.id, who: OPERATOR, now: now(), ...webhookNeeds };
    const created = await createWebhook(context, fields);
    // The service does not deliver what another process delivers.
    await connection.run(holdQueue, created);
    return created;
  });
  await createCampaign(scene);
  await until(async () => (await database.first(countQueued, endpoint))?.queued === 1);
  const stopping = new AbortController().signal;
  const sender = createSender({
    findAddress: addressesOf(() => [receiver]),
    post: postWith(new ReceiverAgent()),
    stopping,
    now,
  });
  const statements = queueStatements(database.dialect);
  const parts = {
    database,
    statements,
    sender,
    secrets: webhookNeeds.secrets,
    holder,
    clock: () => 0,
    budgets: defaultBudgets,
    metrics: new Metrics(),
    nextCommit: async () => {},
  };
  return () => deliverToWebhook(parts, endpoint, () => true);
};

type OrderCall = (scene: Scene, order: { path: string; order_id: string }) => Promise<ClientResponse>;

const ship: OrderCall = ({ post }, { order_id }) =>
  post('/orders/fulfill.json', { order_id, carrier: 'UPS', tracking_number: '1Z' });
const refund: OrderCall = ({ post }, { order_id }) =>
  post('/orders/refund.json', { order_id, type: 'full', reason: 'other' });
const setState =
  (state: object): OrderCall =>
  ({ operator }, { path }) =>
    operator('PUT', `${path}/state`, state);
const hold = setState({ state: 'held', reason: 'address' });
const settle =
  (state: object): OrderCall =>
  ({ operator }, { path }) =>
    operator('PUT', `${path}/refunds/refund-1`, state);

/** Calls these with a new order. The last call is the change. */
const orderChange = (...calls: OrderCall[]): Change =>
  changeOf({ available_refunds: { buyer_fee: 5 } }, calls);

/** Of an order of which nothing can be refunded. */
const freeOrderChange = (call: OrderCall): Change => changeOf({}, [call]);

const changeOf =
  (fields: object, calls: OrderCall[]): Change =>
  async (scene) => {
    const path = `/merchants/${scene.merchant.id}/orders/O`;
    await importDrafts(scene.commands, scene.merchant, [[draft('POT')]]);
    const pushed = await scene.operator('PUT', path, { product_identifier: 'POT', ...fields });
    const order = { path, order_id: String(pushed.json<{ order_id: number }>().order_id) };
    for (const call of calls.slice(0, -1)) await call(scene, order);
    return async () => (calls.at(-1) ?? assert.fail())(scene, order);
  };

/** Delivers placements at these prices, in cents, of a campaign with budgets. The last one is the change. */
const placementChange =
  (budgets: Record<string, string>, ...prices: number[]): Change =>
  async ({ commands, merchant, post, operator }) => {
    const vase = draft('VASE', { campaign_name: 'Sale', available_quantity: 1, ...BID });
    await importDrafts(commands, merchant, [[vase]]);
    const form = { name: 'Sale', type: 'AuctionCampaign', ...budgets };
    const created = await post('/campaigns.json', form);
    const { internal_id: campaign } = created.json<{ internal_id: string }>();
    const won = prices.map((price) => ({ campaign, product: 1, price }));
    const placed = await reservePlaces(commands, merchant, won);
    const deliver = (placement_id: unknown): Promise<ClientResponse> =>
      operator('POST', '/placements/outcomes', [{ placement_id, outcome: 'delivered' }]);
    for (const id of placed.slice(0, -1)) await deliver(id);
    return () => deliver(placed.at(-1));
  };

const numbersOf = (id: string) => parseKeyId(id) ?? assert.fail(id);
const operatorKey = { name: 'back end', scopes: ['events'], expiresAt: null } as const;

/** Every way to cause an event that is not tested elsewhere. */
const changes: [name: string, type: EventType, change: Change][] = [
  ['a call', 'campaign.created', async (scene) => () => createCampaign(scene)],
  ['a call', 'campaign.updated', campaignChange(['update', { name: 'Autumn' }])],
  ['a call', 'campaign.paused', campaignChange(['pause'])],
  ['a call', 'campaign.resumed', campaignChange(['pause'], ['resume'])],
  ['a call', 'campaign.ended', campaignChange(['end'])],
  ['an outcome', 'campaign.daily_budget_spent', placementChange({ daily_budget: '1' }, 100)],
  ['an outcome', 'campaign.low_budget', placementChange({ lifetime_budget: '1' }, 85)],
  ['an outcome', 'campaign.exhausted', placementChange({ lifetime_budget: '1' }, 85, 15)],
  [
    'the console',
    'campaign.created',
    async (scene) => {
      const console = await scene.console();
      return () => console.post('/v1/campaigns', { name: 'Spring', type: 'AuctionCampaign' });
    },
  ],
  [
    'a call that sets the stock',
    'stock.low',
    stockChange(({ post }) => post('/variations/update.json', { identifier: 'POT-S', quantity: '5' })),
  ],
  [
    'a call that changes the stock',
    'stock.low',
    stockChange(({ post }) =>
      post('/variations/update.json', { identifier: 'POT-S', quantity_change: '-1' }),
    ),
  ],
  [
    'a call that changes the product',
    'stock.low',
    stockChange(({ post }) =>
      post('/products/update.json', { identifier: 'POT', 'variations[POT-S][quantity]': '0' }),
    ),
  ],
  [
    'a file of the operator',
    'stock.low',
    stockChange(({ commands, merchant }) =>
      importDrafts(commands, merchant, [[draft('POT', {}, [{ identifier: 'POT-S', quantity: 1 }])]]),
    ),
  ],
  [
    'the console',
    'key.created',
    async (scene) => {
      const console = await scene.console();
      return () => console.post('/keys', { name: 'K', expires_at: null });
    },
  ],
  ['the console', 'key.rotated', consoleKeyChange('rotate', { old_token_until: null })],
  ['the console', 'key.revoked', consoleKeyChange('revoke')],
  [
    'a command',
    'key.created',
    async ({ commands, merchant: { id: merchantId } }) =>
      () =>
        createKey(commands, { merchantId, name: 'K', expiresAt: null }),
  ],
  [
    'a command that imports a token',
    'key.created',
    async ({ commands, merchant: { id: merchantId } }) =>
      () =>
        createKey(commands, { merchantId, name: 'K', expiresAt: null, token: `known-token-${merchantId}` }),
  ],
  [
    'a command for a test key',
    'key.created',
    async ({ commands, merchant: { id: merchantId } }) =>
      () =>
        createKey(commands, { merchantId, name: 'K', expiresAt: null, mode: 'test' }),
  ],
  [
    'a command',
    'key.revoked',
    async ({ commands, merchant }) =>
      () =>
        revokeKey(commands, merchant.keyId),
  ],
  [
    'a verb',
    'key.rotated',
    async ({ commands, merchant }) =>
      () =>
        rotateKey(commands, merchant.keyId, null),
  ],
  [
    'a command for an operator key',
    'key.created',
    async ({ commands }) =>
      () =>
        createOperatorKey(commands, operatorKey),
  ],
  [
    'a command for an operator key',
    'key.rotated',
    async ({ commands }) => {
      const { id } = await createOperatorKey(commands, operatorKey);
      return () => rotateKey(commands, id, null);
    },
  ],
  [
    'a command for an operator key',
    'key.revoked',
    async ({ commands }) => {
      const { id } = await createOperatorKey(commands, operatorKey);
      return () => revokeKey(commands, id);
    },
  ],
  [
    'a command',
    'merchant.created',
    async ({ commands, merchant: { id } }) =>
      () =>
        createMerchant(commands, { name: `By command ${id}`, email: null, timeZone: 'UTC' }),
  ],
  [
    'the operator API',
    'merchant.created',
    async ({ operator, merchant: { id } }) =>
      () =>
        operator('PUT', `/merchants/seller-${id}`, { name: `By call ${id}` }),
  ],
  [
    'the operator API',
    'product.moderated',
    async ({ commands, merchant, operator }) => {
      await importDrafts(commands, merchant, [[draft('POT')]]);
      const path = `/merchants/${merchant.id}/products/POT/moderation`;
      return () => operator('PUT', path, { state: 'banned' });
    },
  ],
  [
    'the operator API',
    'order.created',
    orderChange(({ operator }, { path }) => operator('PUT', `${path}-2`, { product_identifier: 'POT' })),
  ],
  ['the operator API', 'order.held', orderChange(hold)],
  ['the operator API', 'order.released', orderChange(hold, setState({ state: 'released' }))],
  ['the operator API', 'order.canceled', freeOrderChange(setState({ state: 'canceled', reason: 'stock' }))],
  [
    'a call',
    'order.canceled',
    freeOrderChange(({ post }, { order_id }) => post('/orders/cancel.json', { order_id, reason: 'other' })),
  ],
  [
    'a call',
    'order.acknowledged',
    orderChange(({ post }, { order_id }) => post('/orders/acknowledge.json', { order_id })),
  ],
  ['a call', 'order.fulfilled', orderChange(ship)],
  [
    'a call',
    'package.updated',
    orderChange(ship, ({ post }, { order_id }) =>
      post('/orders/unfulfill.json', { order_id, package_id: 'ups:1Z' }),
    ),
  ],
  [
    'the operator API',
    'package.updated',
    orderChange(ship, ({ operator }, { path }) =>
      operator('PUT', `${path}/packages/ups:1Z`, { state: 'delivered' }),
    ),
  ],
  ['a call', 'refund.requested', orderChange(refund)],
  ['the operator API', 'refund.settled', orderChange(refund, settle({ state: 'settled' }))],
  ['the operator API', 'refund.failed', orderChange(refund, settle({ state: 'failed', failure: 'card' }))],
  ['a delivery', 'webhook.disabled', disablingDelivery],
  [
    'the operator API',
    'merchant.suspended',
    async ({ operator, merchant: { id } }) =>
      () =>
        operator('PUT', `/merchants/${id}`, { state: 'suspended' }),
  ],
  [
    'registration',
    'merchant.created',
    async (scene) => {
      const console = await scene.console();
      const { id } = scene.merchant;
      const form = {
        merchant_name: `Registered ${id}`,
        time_zone: 'UTC',
        name: 'Ann',
        email: `ann${id}@example.com`,
        password: PASSWORD,
      };
      return () => console.post('/registration', form);
    },
  ],
];

/** Announced a while after the changes. */
const bursts: EventType[] = ['catalog.changed', 'orders.changed'];
const elsewhere: EventType[] = [...bursts, 'order.overdue', 'import.finished', 'key.expiring'];

/** What the changes write. Columns that other requests write are left out. */
const contents = [
  'SELECT * FROM campaigns ORDER BY merchant_id, id',
  'SELECT merchant_id, id, name, token_start FROM api_keys ORDER BY merchant_id, id',
  'SELECT merchant_id, key_id, token_hash, expires_at, revoked_at FROM key_tokens ORDER BY merchant_id, token_hash',
  'SELECT * FROM merchants ORDER BY id',
  'SELECT * FROM products ORDER BY merchant_id, internal_id',
  'SELECT * FROM orders ORDER BY merchant_id, order_id',
  'SELECT * FROM placements ORDER BY merchant_id, placement_id',
  'SELECT id, disabled_at FROM webhooks ORDER BY id',
  'SELECT merchant_id, catalog_revision FROM merchant_counters ORDER BY merchant_id',
].map((sql) => statement<unknown, unknown>(sql));

forEachEngine((engine) => {
  const failing = new FailingEvents();
  const service = useService(engine, {
    environment: { SELF_REGISTRATION: 'on' },
    wrap: (database) => failing.wrap(database),
  });
  let operatorToken: string;
  let receiver: WebhookReceiver;
  before(async () => {
    operatorToken = await service().newOperatorToken();
    receiver = await WebhookReceiver.start();
  });
  after(() => receiver.close());
  const stored = (): Promise<unknown[]> => Promise.all(contents.map((each) => service().database.all(each)));

  async function newScene(): Promise<Scene> {
    const merchant = await service().newMerchant();
    const { token } = merchant;
    return {
      merchant,
      commands: { database: failing.wrap(service().database), now: service().now },
      console: () => {
        // Sign-ins are limited by the minute.
        service().passTime(61_000);
        return signedIn(service(), merchant);
      },
      webhookNeeds: service().webhooksOf(merchant.id),
      receiver,
      post: (path, form) => service().request('POST', path, { form: { ...form, access_token: token } }),
      operator: (method, path, json) =>
        service().operator(method, path, operatorToken, json === undefined ? {} : { json }),
    };
  }

  it('every type of event is tested', () => {
    const tested = new Set<EventType>(changes.map(([, type]) => type));
    assert.deepEqual([...tested, ...elsewhere].toSorted(), [...eventTypes].toSorted());
  });

  describe('an event and its change are committed together, or neither is', () => {
    for (const [name, type, change] of changes) {
      it(`${type} by ${name}`, async () => {
        const make = await change(await newScene());
        const feed = await FeedReader.open(service());
        const before = await stored();
        failing.isFailing = true;
        const failed = await make()
          .catch((error: unknown) => error)
          .finally(() => {
            failing.isFailing = false;
          });
        if (failed instanceof ClientResponse) assert.ok(failed.status >= 500, failed.text);
        else assert.ok(failed instanceof Error);
        assert.deepEqual(await stored(), before, 'the change was rolled back');
        const typesOf = async (): Promise<EventType[]> =>
          (await feed.read()).map((event) => event.type).filter((other) => !bursts.includes(other));
        assert.deepEqual(await typesOf(), []);

        const result = await make();
        if (result instanceof ClientResponse) assert.ok(result.status < 300, result.text);
        assert.notDeepEqual(await stored(), before);
        const recorded = await typesOf();
        // A new merchant has a key.
        const others = type === 'merchant.created' ? ['key.created'] : [];
        assert.deepEqual(
          recorded.filter((other) => !others.includes(other)),
          [type],
        );
      });
    }
  });

  it('an operator key is an event of no merchant', async () => {
    const feed = await FeedReader.open(service());
    const { id } = await createOperatorKey(service(), operatorKey);
    const [event] = await feed.read();
    assert.equal(event?.merchant, null);
    assert.deepEqual(event?.data, { id, name: 'back end', expires_at: null });
    assert.equal(numbersOf(id).merchantId, OPERATOR_ID);
  });

  it('a change that changes nothing has no event', async () => {
    const scene = await newScene();
    const { internal_id } = (await createCampaign(scene)).json<{ internal_id: string }>();
    await scene.post('/campaigns/pause.json', { internal_id });
    await revokeKey(service(), scene.merchant.keyId);
    await scene.operator('PUT', `/merchants/${scene.merchant.id}`, { state: 'suspended' });
    const feed = await FeedReader.open(service());
    await scene.operator('PUT', `/merchants/${scene.merchant.id}`, { state: 'suspended' });
    await scene.operator('PUT', `/merchants/${scene.merchant.id}`, { state: 'active' });
    const { token } = await service().newKey(scene.merchant);
    await revokeKey(service(), scene.merchant.keyId);
    for (const [path, form] of [
      ['pause', {}],
      ['update', { name: 'Spring' }],
    ] as const) {
      const sent = { form: { ...form, internal_id, access_token: token } };
      assert.equal((await service().request('POST', `/campaigns/${path}.json`, sent)).status, 200);
    }
    const types = (await feed.readOf(scene.merchant)).map(({ type }) => type);
    assert.deepEqual(types, ['key.created']);
  });

  it('a repeated request with an Idempotency-Key has one event', async () => {
    const { merchant } = await newScene();
    const feed = await FeedReader.open(service());
    const form = { access_token: merchant.token, name: 'Once', type: 'AuctionCampaign' };
    for (let attempt = 0; attempt < 3; attempt += 1)
      await service().request('POST', '/campaigns.json', { form, headers: { 'idempotency-key': 'once' } });
    assert.deepEqual(
      (await feed.readOf(merchant)).map(({ type }) => type),
      ['campaign.created'],
    );
  });
});
