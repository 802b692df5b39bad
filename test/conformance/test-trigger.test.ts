import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { OPERATOR_ID, testSideOf } from '../../src/database/sides.ts';
import { runVerb } from '../../src/database/write-context.ts';
import {
  type ClientEvent,
  type EventData,
  type EventType,
  eventTypes,
  isForMerchants,
} from '../../src/events/event-types.ts';
import type { Triggered } from '../../src/test-side/triggered.ts';
import { createWebhook, type NewWebhook } from '../../src/webhooks/manage-webhooks.ts';
import type { ClientResponse, RequestOptions } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { FeedReader } from '../support/events.ts';
import { expectError } from '../support/expect.ts';
import { createKey } from '../support/keys.ts';
import { type TestMerchant, type TestService, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';

type Query = Record<string, string>;

interface Campaign {
  internal_id: string;
  status: string;
  limited_by: string | null;
  spend_today: number;
  spend: number;
}

interface Side {
  merchant: TestMerchant;
  live: string;
  test: string;
  keyId: string;
}

async function newSide(service: TestService): Promise<Side> {
  const merchant = await service.newMerchant('Europe/Vienna');
  const { id: keyId, token: test } = await service.newTestKey(merchant);
  return { merchant, live: merchant.token, test, keyId };
}

forEachEngine((engine) => {
  let receiver: WebhookReceiver;
  let other: WebhookReceiver;
  before(async () => {
    receiver = await WebhookReceiver.start();
    other = await WebhookReceiver.start();
  });
  after(() => Promise.all([receiver.close(), other.close()]));
  const service = useService(engine, { findAddress: addressesOf(() => [receiver, other]) });
  const call = (
    method: string,
    path: string,
    token: string,
    query: Query = {},
    sent: RequestOptions = {},
  ): Promise<ClientResponse> =>
    service().request(method, `${path}?${new URLSearchParams({ access_token: token, ...query })}`, sent);
  const trigger = (token: string, query: Query, headers = {}): Promise<ClientResponse> =>
    call('POST', '/test/trigger.json', token, query, { headers });
  async function made(token: string, query: Query): Promise<Triggered> {
    const response = await trigger(token, query);
    assert.equal(response.status, 200, response.text);
    return response.json<Triggered>();
  }
  async function read<Value>(token: string, path: string, query: Query = {}): Promise<Value> {
    const response = await call('GET', path, token, query);
    assert.equal(response.status, 200, response.text);
    return response.json<Value>();
  }
  async function newProduct(token: string, identifier: string, fields: object = {}): Promise<void> {
    const json = { access_token: token, identifier, title: identifier, ...fields };
    const response = await service().request('POST', '/products.json', { json });
    assert.equal(response.status, 200, response.text);
  }
  async function newCampaign(token: string, name: string, fields: Query): Promise<string> {
    const query = { name, type: 'AuctionCampaign', ...fields };
    const response = await call('POST', '/campaigns.json', token, query);
    assert.equal(response.status, 200, response.text);
    return response.json<Campaign>().internal_id;
  }
  const campaign = (token: string, internal_id: string): Promise<Campaign> =>
    read(token, '/campaigns/retrieve.json', { internal_id });

  describe('POST test/trigger', () => {
    let side: Side;
    before(async () => {
      side = await newSide(service());
      const variations = [
        { identifier: 'POT-S', quantity: 0 },
        { identifier: 'POT-M', quantity: 4 },
      ];
      await newProduct(side.test, 'POT', { buy_now_price: 12.5, variations });
      await newProduct(side.test, 'VASE', { buy_now_price: 30, available_quantity: 3 });
    });

    it('sale: a schedule sells now, and counts in the sales figures of the test side only', async () => {
      const { test, live } = side;
      const sale = await made(test, { event: 'sale', product_identifier: 'POT' });
      assert.deepEqual(
        [sale.product_identifier, sale.variation_identifier, sale.amount],
        ['POT', 'POT-M', 12.5],
      );
      const lines = await read<{ results: { schedule_id: string; sold: boolean; sale_price: number }[] }>(
        test,
        '/schedules.json',
        { changed_since: 'start' },
      );
      const line = lines.results.find(({ schedule_id }) => schedule_id === sale.schedule_id);
      assert.deepEqual([line?.sold, line?.sale_price], [true, 12.5]);
      const [month] = await read<{ schedules: number; total_sales: number }[]>(
        test,
        '/performance/sales.json',
      );
      assert.deepEqual([month?.schedules, month?.total_sales], [1, 12.5]);
      assert.deepEqual(await read(live, '/performance/sales.json'), []);
    });

    it('moderation: changes the status of the product, back and forth, and says if it would not', async () => {
      const { test } = side;
      const query = { event: 'moderation', product_identifier: 'VASE' };
      const status = async (): Promise<string> =>
        (await read<{ status: string }>(test, '/products/retrieve.json', { identifier: 'VASE' })).status;
      assert.equal((await made(test, query)).state, 'problematic');
      assert.equal(await status(), 'problematic');
      assert.equal((await made(test, { ...query, state: 'banned' })).state, 'banned');
      assert.equal(await status(), 'banned');
      const refused = await trigger(test, { ...query, state: 'banned' });
      expectError(refused, 400, /^state: the product VASE is banned already; expected another state/);
      assert.equal((await made(test, query)).state, 'ok');
      assert.equal(await status(), 'low_inventory');
    });

    it('order: a paid order of a variation comes in', async () => {
      const { test, live } = side;
      const order = await made(test, { event: 'order', product_identifier: 'POT' });
      assert.deepEqual([order.product_identifier, order.variation_identifier], ['POT', 'POT-M']);
      const [listed] = await read<Record<string, unknown>[]>(test, '/orders.json', { filter: 'unfulfilled' });
      assert.equal(listed?.order_id, order.order_id);
      assert.deepEqual(
        [listed?.status, listed?.variation_identifier, listed?.product_quantity],
        ['paid', 'POT-M', 1],
      );
      assert.deepEqual(listed?.available_refunds, { buyer_fee: 12.5 });
      const other = await made(test, { event: 'order', product_identifier: 'VASE' });
      assert.equal(other.variation_identifier, null);
      assert.deepEqual(await read(live, '/orders.json'), []);
    });

    it('budget_spent: nothing is left of the budget of the day, also with a rest below a cent', async () => {
      const { test } = side;
      const id = await newCampaign(test, 'Daily', { daily_budget: '10.0051', lifetime_budget: '500' });
      await newProduct(test, 'OF-DAILY', { campaign_name: 'Daily', scheduling_fee_bid: 0.01 });
      const spent = await made(test, { event: 'budget_spent', campaign: 'Daily' });
      assert.deepEqual([spent.campaign_id, spent.product_identifier, spent.amount], [id, 'OF-DAILY', 10.01]);
      const after = await campaign(test, id);
      assert.deepEqual([after.limited_by, after.spend_today], ['daily_budget', 10.01]);
    });

    it('budget_spent: what is left is rounded up to whole units of a currency that has no smaller ones', async () => {
      const token = await service().newOperatorToken(['merchants']);
      const json = { name: `Yen ${engine.name}`, currency: 'JPY' };
      const created = await service().operator('PUT', '/merchants/yen', token, { json });
      const { id: merchantId } = created.json<{ id: number }>();
      const key = await createKey(service(), { merchantId, name: 'test', mode: 'test', expiresAt: null });
      const id = await newCampaign(key.token, 'Yen', { daily_budget: '100.5' });
      await newProduct(key.token, 'OF-YEN', { campaign_name: 'Yen', scheduling_fee_bid: 1 });
      assert.equal((await made(key.token, { event: 'budget_spent', campaign: id })).amount, 101);
      assert.equal((await campaign(key.token, id)).limited_by, 'daily_budget');
    });

    it('budget_spent: then the lifetime budget is spent, and the campaign is exhausted', async () => {
      const { test } = side;
      const id = await newCampaign(test, 'Life', {
        daily_budget: '2',
        lifetime_budget: '5',
        bid_amount: '1',
      });
      await newProduct(test, 'OF-LIFE', { campaign_name: 'Life' });
      assert.equal((await made(test, { event: 'budget_spent', campaign: id })).amount, 2);
      assert.equal((await made(test, { event: 'budget_spent', campaign: id })).amount, 3);
      const after = await campaign(test, id);
      assert.deepEqual(
        [after.status, after.limited_by, after.spend],
        ['Lifetime Budget Exhausted', 'lifetime_budget', 5],
      );
    });

    it('budget_spent: a budget above the limit of a price is spent by several placements', async () => {
      const { test } = side;
      const id = await newCampaign(test, 'Large', { daily_budget: '2500000' });
      await newProduct(test, 'OF-LARGE', { campaign_name: 'Large', scheduling_fee_bid: 1 });
      assert.equal((await made(test, { event: 'budget_spent', campaign: id })).amount, 2_500_000);
      assert.equal((await campaign(test, id)).limited_by, 'daily_budget');
      const { results } = await read<{ results: unknown[] }>(test, '/placements.json', { campaign: id });
      assert.equal(results.length, 3);
    });

    it('budget_spent, 400: says what to do if a campaign has nothing to spend', async () => {
      const { test } = side;
      await newCampaign(test, 'Endless', { bid_amount: '1' });
      await newCampaign(test, 'Empty', { daily_budget: '1' });
      const huge = await newCampaign(test, 'Huge', { lifetime_budget: '1e300' });
      await newProduct(test, 'OF-HUGE', { campaign_name: 'Huge', scheduling_fee_bid: 1 });
      const paused = await newCampaign(test, 'Resting', { daily_budget: '1' });
      await call('POST', '/campaigns/pause.json', test, { internal_id: paused });
      for (const [name, reason] of [
        ['Endless', /^campaign: the campaign Endless has no budget; set daily_budget or lifetime_budget/],
        ['Empty', /^campaign: the campaign Empty has no products; set the campaign_name of a product/],
        ['Daily', /^campaign: the campaign Daily has spent/],
        ['Resting', /^campaign: the campaign Resting is paused; resume it/],
        [huge, /^campaign: the campaign Huge has more than 100,000,000 left/],
      ] as const) {
        if (name === 'Daily') await made(test, { event: 'budget_spent', campaign: name });
        expectError(await trigger(test, { event: 'budget_spent', campaign: name }), 400, reason);
      }
      expectError(await trigger(test, { event: 'budget_spent', campaign: 'None' }), 404, /no campaign/);
    });

    it('without a choice, takes what the samples of the test side have', async () => {
      const { test } = await newSide(service());
      for (const event of ['sale', 'moderation', 'order'])
        expectError(
          await trigger(test, { event }),
          400,
          /^product_identifier: missing, and the test side has no product to take; create one with POST products/,
        );
      expectError(
        await trigger(test, { event: 'budget_spent' }),
        400,
        /^campaign: missing, and the test side/,
      );
      await call('POST', '/test/reset.json', test, { samples: 'true' });
      for (const event of ['sale', 'moderation', 'order'])
        assert.notEqual((await made(test, { event })).product_identifier, null);
      const { campaign_id } = await made(test, { event: 'budget_spent' });
      const { limited_by } = await campaign(test, campaign_id ?? '');
      assert.match(limited_by ?? '', /budget$/);
    });

    it('every type of event: it is in the operator’s feed as a test, and matches the schema of its type', async () => {
      for (const { merchant, test } of [await newSide(service()), side]) {
        const feed = await FeedReader.open(service());
        const ids: Record<string, string | null> = {};
        for (const event of eventTypes.filter(isForMerchants))
          ids[event] = (await made(test, { event })).event_id;
        // It checks each event against the schema of its type.
        const found = await feed.readOf(merchant);
        for (const [type, id] of Object.entries(ids)) {
          const event = found.find((each) => each.id === id) ?? assert.fail(type);
          assert.deepEqual([event.type, event.test], [type, true]);
        }
      }
    });

    it('every type of event: IDs and cursors are of the test side', async () => {
      const { test, keyId } = side;
      const feed = await FeedReader.open(service());
      const types = ['catalog.changed', 'orders.changed', 'order.held', 'campaign.paused', 'key.expiring'];
      for (const event of [...types, 'stock.low', 'webhook.disabled'])
        await made(test, { event, ...(event === 'campaign.paused' && { campaign: 'Life' }) });
      const found = await feed.readOf(side.merchant);
      function dataOf<Type extends ClientEvent['type']>(type: Type): EventData[Type] {
        return (found.find((event) => event.type === type) ?? assert.fail(type)).data as EventData[Type];
      }
      for (const [path, { changed_since }] of [
        ['/products.json', dataOf('catalog.changed')],
        ['/orders.json', dataOf('orders.changed')],
      ] as const) {
        const { results } = await read<{ results: unknown[] }>(test, path, { changed_since });
        assert.ok(results.length > 0, path);
      }
      const order_id = String(dataOf('order.held').order_id);
      await read(test, '/orders/retrieve.json', { order_id });
      const paused = dataOf('campaign.paused');
      assert.deepEqual([paused.name, paused.status, paused.limited_by], ['Life', 'Paused', 'paused']);
      const key = dataOf('key.expiring');
      assert.equal(key.id, keyId);
      assert.ok(Date.parse(key.expires_at ?? '') > service().now());
      const [low] = dataOf('stock.low').products;
      await read(test, '/products/retrieve.json', { identifier: low?.identifier ?? '' });
    });

    it('webhooks of the test side get what was triggered, as a test, and other webhooks do not', async () => {
      const { merchant, test } = await newSide(service());
      const newWebhook = (merchantId: number, { url }: WebhookReceiver): Promise<NewWebhook> =>
        runVerb(service(), service().webhooksOf(merchantId), createWebhook, { url, types, description: '' });
      const types: EventType[] = ['webhook.disabled', 'order.created', 'campaign.created'];
      const { id } = await newWebhook(testSideOf(merchant.id), receiver);
      await newWebhook(merchant.id, other);
      await newWebhook(OPERATOR_ID, other);
      const { event_id } = await made(test, { event: 'webhook.disabled' });
      await newProduct(test, 'SOLD');
      const { order_id } = await made(test, { event: 'order' });
      await until(() => receiver.received.length === 2);
      const events = receiver.events.toSorted((one, two) => one.type.localeCompare(two.type));
      const [created, disabled] = events;
      assert.deepEqual([created?.test, disabled?.test], [true, true]);
      assert.ok(created?.type === 'order.created' && created.data.order_id === order_id);
      assert.equal(disabled?.id, event_id);
      assert.deepEqual(disabled?.data, { id, url: receiver.url, reason: 'gone' });
      await newCampaign(merchant.token, 'Live', {});
      await until(() => other.received.length === 2);
      assert.deepEqual(
        other.events.map(({ type, test: isTest }) => [type, isTest]),
        [['campaign.created', false]],
      );
    });

    it('401: a live key is told that it needs a test key, and 403 with Authorization: Bearer', async () => {
      const { live } = side;
      const message = /requires a test key, whose access_token starts with tpt_/;
      for (const event of ['sale', 'key.expiring']) expectError(await trigger(live, { event }), 401, message);
      const headers = { authorization: `Bearer ${live}` };
      const sent = await service().request('POST', '/test/trigger?event=order', { headers });
      expectError(sent, 403, message);
    });

    it('400: parameters that an event has no use for, and unknown events', async () => {
      const { test } = side;
      for (const [query, message] of [
        [{ event: 'sale', campaign: 'Life' }, /^campaign: only for budget_spent and events about campaigns/],
        [{ event: 'order', state: 'ok' }, /^state: only for moderation; not for order/],
        [
          { event: 'budget_spent', product_identifier: 'POT' },
          /^product_identifier: only for sale, moderation/,
        ],
        [{ event: 'order.lost' }, /^event: expected one of sale, moderation, order, budget_spent, catalog/],
        [{}, /^event: missing/],
      ] as const)
        expectError(await trigger(test, query), 400, message);
      const unknown = await trigger(test, { event: 'sale', product_identifier: 'NONE' });
      expectError(unknown, 404, /There is no product with the unique ID NONE/);
    });

    it('200: repeats the response to the same Idempotency-Key, and makes nothing then', async () => {
      const { test } = side;
      const headers = { 'idempotency-key': 'trigger-1' };
      const query = { event: 'order', product_identifier: 'VASE' };
      const orders = async (): Promise<number> => (await read<unknown[]>(test, '/orders.json')).length;
      const first = await trigger(test, query, headers);
      const count = await orders();
      const again = await trigger(test, query, headers);
      assert.deepEqual([again.status, again.text], [200, first.text]);
      assert.equal(await orders(), count);
      expectError(await trigger(test, { event: 'sale' }, headers), 400, /Idempotency-Key/);
    });
  });

  describe('POST test/trigger with BUDGETS=test_triggers_per_day=2', () => {
    const limited = useService(engine, { environment: { BUDGETS: 'test_triggers_per_day=2' } });

    it('429: makes nothing above the budget, which refused calls do not use up', async () => {
      const { token } = await limited().newTestKey(await limited().newMerchant());
      const send = (query: Query): Promise<ClientResponse> =>
        limited().request(
          'POST',
          `/test/trigger.json?${new URLSearchParams({ access_token: token, ...query })}`,
        );
      expectError(await send({ event: 'sale' }), 400, /^product_identifier: missing/);
      assert.equal((await send({ event: 'order.created' })).status, 200);
      assert.equal((await send({ event: 'order.created' })).status, 200);
      const message =
        'Budget test_triggers_per_day exceeded: at most 2 calls of POST test/trigger per day (UTC).';
      expectError(await send({ event: 'order.created' }), 429, message);
    });
  });
});
