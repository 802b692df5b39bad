import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { listAudit } from '../../src/audit/list-audit.ts';
import { defaultBudgets } from '../../src/budgets/budgets.ts';
import { OPERATOR_ID, testSideOf } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import { runVerb } from '../../src/database/write-context.ts';
import type { DomainError } from '../../src/errors/domain-error.ts';
import { type ClientEvent, type EventType, eventTypes } from '../../src/events/event-types.ts';
import { Metrics } from '../../src/observability/metrics.ts';
import { deliverToWebhook } from '../../src/webhooks/deliver-to-webhook.ts';
import { queueStatements } from '../../src/webhooks/delivery-queries.ts';
import { type Delivery, listDeliveries } from '../../src/webhooks/list-deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  type NewWebhook,
  removeWebhook,
  rotateSecret,
} from '../../src/webhooks/manage-webhooks.ts';
import { findWebhook, type WebhookRow } from '../../src/webhooks/queries.ts';
import { replayEvents } from '../../src/webhooks/replay-events.ts';
import { createSender } from '../../src/webhooks/send-message.ts';
import type { Webhook } from '../../src/webhooks/webhook.ts';
import { describeWebhook } from '../../src/webhooks/webhook.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';
import { rotate, skipDelay } from './webhooks.ts';

const SHORTEST_DELAY_MS = 4_500;
const DAY = 24 * 60 * 60 * 1000;
/** Holds leases. */
const holder = 'this test';
const setLeaseUntil = statement<{ id: string; until: number }, never>(
  `UPDATE webhooks SET lease_holder = '${holder}', lease_until = :until WHERE id = :id`,
);
const countQueued = statement<{ id: string }, { queued: number }>(
  'SELECT CAST(count(*) AS integer) AS queued FROM webhook_deliveries WHERE webhook_id = :id AND due_at IS NOT NULL',
);
/** The events of these tests. The events of a new merchant's keys are left out. */
const campaignTypes = eventTypes.filter((type) => type.startsWith('campaign.'));

forEachEngine((engine) => {
  let receiver: WebhookReceiver;
  let other: WebhookReceiver;
  before(async () => {
    receiver = await WebhookReceiver.start();
    other = await WebhookReceiver.start();
  });
  after(() => Promise.all([receiver.close(), other.close()]));
  const service = useService(engine, { findAddress: addressesOf(() => [receiver, other]) });
  let merchant: TestMerchant;
  let passed = 0;
  const passTime = (milliseconds: number): void => {
    passed += milliseconds;
    service().passTime(milliseconds);
  };
  beforeEach(async () => {
    // Receivers verify timestamps by the machine's clock.
    passTime(-passed);
    for (const each of [receiver, other]) {
      each.received.length = 0;
      each.respond = (_, response) => response.writeHead(204).end();
    }
    merchant = await service().newMerchant();
  });

  const newWebhook = (
    merchantId: number,
    { url = receiver.url, types = campaignTypes }: { url?: string; types?: EventType[] } = {},
  ): Promise<NewWebhook> =>
    runVerb(service(), service().webhooksOf(merchantId), createWebhook, { url, types, description: '' });
  const setEnabled = ({ id, merchant_id }: WebhookRow, enabled: boolean): Promise<WebhookRow> =>
    runVerb(service(), service().webhooksOf(merchant_id), changeWebhook, { id, enabled });
  const read = async ({ merchant_id: merchantId, id }: WebhookRow): Promise<Webhook> => {
    const row = await service().database.first(findWebhook, { merchantId, id });
    return describeWebhook(row ?? assert.fail('no webhook'));
  };
  const deliveries = async ({ merchant_id: merchantId, id }: WebhookRow): Promise<Delivery[]> => {
    const page = { limit: 100, onlyFailed: false };
    return (await listDeliveries(service().database, { merchantId, id }, page)).deliveries;
  };
  const createCampaign = async ({ token }: { token: string }, name = 'Spring'): Promise<string> => {
    const json = { access_token: token, name, type: 'T' };
    const response = await service().request('POST', '/campaigns.json', { json });
    assert.equal(response.status, 200, response.text);
    return response.json<{ internal_id: string }>().internal_id;
  };
  const call = async ({ token }: { token: string }, path: string, json: object): Promise<void> => {
    const response = await service().request('POST', path, { json: { access_token: token, ...json } });
    assert.equal(response.status, 200, response.text);
  };
  /** Webhooks of earlier tests may still get some. */
  const isOwn = ({ body }: { body: string }): boolean => JSON.parse(body).merchant === String(merchant.id);
  const own = (): WebhookReceiver['received'] => receiver.received.filter(isOwn);
  /** Keeps events in the queue until they are released. */
  const holdQueue = async ({ id }: WebhookRow) => {
    const setLease = async (until: number): Promise<void> => {
      await service().database.transaction((connection) => connection.run(setLeaseUntil, { id, until }));
    };
    await setLease(Number.MAX_SAFE_INTEGER);
    const untilThere = (count: number): Promise<unknown> =>
      until(async () => (await service().database.first(countQueued, { id }))?.queued === count);
    const release = async (count: number): Promise<void> => {
      await untilThere(count);
      await setLease(0);
    };
    return { untilThere, release };
  };
  const arrival = (to: WebhookReceiver, count = 1): Promise<unknown> =>
    until(() => to.events.length >= count, { message: () => `received ${JSON.stringify(to.events)}` });

  describe('deliveries', () => {
    it('bring an event to its merchant’s webhook, signed, and are listed with the response', async () => {
      receiver.respond = (_, response) => response.writeHead(200).end('thanks');
      const webhook = await newWebhook(merchant.id);
      const id = await createCampaign(merchant);
      await arrival(receiver);
      const { headers, body } = receiver.received[0] ?? assert.fail('nothing received');
      const event = new StandardWebhook(webhook.plainSecret).verify(
        body,
        headers as Record<string, string>,
      ) as ClientEvent;
      assert.equal(event.type, 'campaign.created');
      assert.equal(event.id, headers['webhook-id']);
      assert.deepEqual([event.merchant, event.test], [String(merchant.id), false]);
      assert.ok(event.type === 'campaign.created' && event.data.internal_id === id);
      const [delivery] = await until(async () => {
        const list = await deliveries(webhook);
        return list[0]?.state === 'delivered' && list;
      });
      assert.equal(delivery?.event_id, event.id);
      assert.equal(delivery?.attempts, 1);
      assert.equal(delivery?.last_attempt?.status, 200);
      assert.equal(delivery?.last_attempt?.response, 'thanks');
      assert.equal((await read(webhook)).state, 'enabled');
    });

    it('are for the merchant’s own side and the types that it chose; the operator gets all live ones', async () => {
      const foreign = await service().newMerchant();
      const test = await service().newTestKey(merchant);
      await newWebhook(merchant.id, { types: ['campaign.paused'] });
      await newWebhook(testSideOf(merchant.id), { types: ['campaign.created'] });
      const ofOperator = await newWebhook(OPERATOR_ID, { url: other.url, types: ['campaign.created'] });
      const names = [merchant, foreign, test].map(({ token }, index) => ({
        token,
        name: `Campaign ${index}`,
      }));
      const ids = [];
      for (const { token, name } of names) ids.push(await createCampaign({ token }, name));
      await call(merchant, '/campaigns/pause', { internal_id: ids[0] });
      await arrival(receiver, 2);
      await arrival(other, 2);
      const seen = (events: ClientEvent[]): unknown[] =>
        events.map(({ type, test: isTest, data }) => [type, isTest, 'name' in data && data.name]).sort();
      assert.deepEqual(seen(receiver.events), [
        ['campaign.created', true, 'Campaign 2'],
        ['campaign.paused', false, 'Campaign 0'],
      ]);
      assert.deepEqual(seen(other.events), [
        ['campaign.created', false, 'Campaign 0'],
        ['campaign.created', false, 'Campaign 1'],
      ]);
      await setEnabled(ofOperator, false);
    });

    it('of events about one campaign are first tried in order', async () => {
      await newWebhook(merchant.id);
      const id = await createCampaign(merchant);
      for (let round = 0; round < 5; round += 1) {
        await call(merchant, '/campaigns/pause', { internal_id: id });
        await call(merchant, '/campaigns/resume', { internal_id: id });
      }
      await arrival(receiver, 11);
      const expected = ['created', ...Array(5).fill(['paused', 'resumed']).flat()].map(
        (verb) => `campaign.${verb}`,
      );
      assert.deepEqual(
        receiver.events.map(({ type }) => type),
        expected,
      );
    });

    it('are repeated with the same id and a new timestamp until one succeeds', async () => {
      const webhook = await newWebhook(merchant.id);
      let attempts = 0;
      receiver.respond = (_, response) => {
        attempts += 1;
        passTime(1_000);
        response.writeHead(attempts === 1 ? 500 : 200).end(`attempt ${attempts}`);
      };
      const startedAt = Date.now();
      await createCampaign(merchant);
      await until(async () => (await read(webhook)).state === 'failing');
      const dueAt = await skipDelay(service().database, webhook);
      assert.ok(dueAt >= startedAt + SHORTEST_DELAY_MS, `${dueAt}, ${startedAt}`);
      await until(async () => (await deliveries(webhook))[0]?.state === 'delivered');
      const [first, second] = receiver.received;
      assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
      assert.notEqual(first?.headers['webhook-timestamp'], second?.headers['webhook-timestamp']);
      assert.equal((await deliveries(webhook))[0]?.attempts, 2);
      assert.equal((await read(webhook)).state, 'enabled');
    });

    it('to one webhook are not delayed by another that never responds', async () => {
      await newWebhook(merchant.id);
      receiver.respond = () => {};
      for (let count = 0; count < 5; count += 1) await createCampaign(merchant);
      await until(() => receiver.received.length > 0);
      await newWebhook(merchant.id, { url: other.url });
      const startedAt = performance.now();
      await createCampaign(merchant);
      await arrival(other);
      assert.ok(performance.now() - startedAt < 10_000);
    });

    it('about one campaign are not tried after one that failed, until its attempt is stored', async () => {
      const webhook = await newWebhook(merchant.id);
      const held = await holdQueue(webhook);
      const id = await createCampaign(merchant);
      for (const verb of ['pause', 'resume', 'pause'])
        await call(merchant, `/campaigns/${verb}`, { internal_id: id });
      const attempted: number[] = [];
      receiver.respond = async (message, response) => {
        const stored = (await deliveries(webhook)).filter(({ attempts }) => attempts > 0);
        if (isOwn(message)) attempted.push(stored.length);
        response.writeHead(500).end();
      };
      await held.release(4);
      await until(() => attempted.length >= 4);
      assert.deepEqual(attempted.slice(0, 4), [0, 1, 2, 3]);
    });

    it('about one campaign to a slow receiver are stored before the lease can expire', async () => {
      const webhook = await newWebhook(merchant.id);
      const held = await holdQueue(webhook);
      const id = await createCampaign(merchant);
      for (const verb of ['pause', 'resume', 'pause'])
        await call(merchant, `/campaigns/${verb}`, { internal_id: id });
      await held.untilThere(4);
      const { database, now } = service();
      const { secrets } = service().webhooksOf(merchant.id);
      let passedMs = 0;
      const sender = createSender({
        findAddress: async () => receiver.address,
        post: async () => {
          passedMs += 6_000;
          return { status: 204, response: '', retryAfter: undefined };
        },
        now,
        stopping: new AbortController().signal,
      });
      const parts = {
        ...{ database, sender, secrets, holder, budgets: defaultBudgets, metrics: new Metrics() },
        statements: queueStatements(database.dialect),
        clock: () => passedMs,
        nextCommit: async () => {},
      };
      // The service continues with the others.
      const { promise: seen, resolve: go } = Promise.withResolvers<void>();
      receiver.respond = async (_, response) => {
        await seen;
        response.writeHead(204).end();
      };
      await deliverToWebhook(parts, webhook, () => false);
      const states = (await deliveries(webhook)).map(({ state }) => state);
      assert.deepEqual(states, ['pending', 'pending', 'delivered', 'delivered']);
      go();
      await until(async () => (await deliveries(webhook)).every(({ state }) => state === 'delivered'));
    });

    it('wait while the merchant is suspended, also those of a long queue that is being delivered', async () => {
      const operator = await service().newOperatorToken();
      const setState = (state: string): Promise<unknown> =>
        service().operator('PUT', `/merchants/${merchant.id}`, operator, { json: { state } });
      const webhook = await newWebhook(merchant.id);
      const held = await holdQueue(webhook);
      for (let count = 0; count < 40; count += 1) await createCampaign(merchant);
      const { promise: suspended, resolve: go } = Promise.withResolvers<void>();
      receiver.respond = async (_, response) => {
        await suspended;
        response.writeHead(204).end();
      };
      await held.release(40);
      await until(() => own().length === 16);
      await setState('suspended');
      go();
      const stored = async (): Promise<number> =>
        (await deliveries(webhook)).filter(({ state }) => state === 'delivered').length;
      await until(async () => (await stored()) === 16);
      // A process that looks for due webhooks has found this one, and not the other.
      const active = await service().newMerchant();
      await newWebhook(active.id, { url: other.url });
      await createCampaign(active);
      await arrival(other);
      assert.equal(own().length, 16);
      await setState('active');
      await until(async () => (await stored()) === 40);
      assert.equal(own().length, 40);
    });
  });

  describe('a webhook', () => {
    it('is disabled by 410, with an event and an audit entry, and keeps its events for a replay', async () => {
      const webhook = await newWebhook(merchant.id, { types: ['campaign.created'] });
      await newWebhook(merchant.id, { url: other.url, types: ['webhook.disabled'] });
      receiver.respond = (_, response) => response.writeHead(410).end();
      await createCampaign(merchant);
      await arrival(other);
      const state = await read(webhook);
      assert.deepEqual([state.state, state.disabled_reason], ['disabled', 'gone']);
      const [event] = other.events;
      assert.deepEqual(event?.data, { id: webhook.id, url: webhook.url, reason: 'gone' });
      const entries = await listAudit(service().database, merchant.id, { limit: 1 });
      assert.equal(entries[0]?.action, 'webhook.disabled');

      await createCampaign(merchant, 'While disabled');
      const name = { merchantId: merchant.id, id: webhook.id };
      const everything = { since: 0, until: Number.MAX_SAFE_INTEGER, onlyFailed: false };
      await assert.rejects(replayEvents(service().database, name, everything), { code: 'webhook_disabled' });
      receiver.received.length = 0;
      receiver.respond = (_, response) => response.writeHead(204).end();
      await setEnabled(webhook, true);
      assert.equal(await replayEvents(service().database, name, { ...everything, onlyFailed: true }), 1);
      await arrival(receiver, 1);
      await until(async () => {
        const replayed = replayEvents(service().database, name, everything);
        return (await replayed.catch((error: DomainError) => error.code)) === 2;
      });
      await arrival(receiver, 2);
      await until(async () => (await deliveries(webhook)).every(({ state }) => state === 'delivered'));
    });

    for (const status of [204, 500]) {
      it(`sends an event again that is replayed during an attempt, even if the response is ${status}`, async () => {
        const webhook = await newWebhook(merchant.id);
        const attempt = Promise.withResolvers<() => void>();
        receiver.respond = (message, response) => {
          if (isOwn(message)) attempt.resolve(() => response.writeHead(status).end());
          else response.writeHead(204).end();
        };
        await createCampaign(merchant);
        const respond = await attempt.promise;
        receiver.respond = (_, response) => response.writeHead(204).end();
        const name = { merchantId: merchant.id, id: webhook.id };
        const [delivery] = await deliveries(webhook);
        const replay = { eventId: delivery?.event_id ?? '' };
        assert.equal(await replayEvents(service().database, name, replay), 1);
        respond();
        await until(() => own().length === 2);
        await until(async () => (await deliveries(webhook))[0]?.state === 'delivered');
        assert.equal((await deliveries(webhook))[0]?.attempts, 2);
      });
    }

    it('is disabled after five days of nothing but failures', async () => {
      const webhook = await newWebhook(merchant.id);
      receiver.respond = (_, response) => response.writeHead(500).end();
      await createCampaign(merchant);
      await until(async () => (await read(webhook)).state === 'failing');
      passTime(5 * DAY + 1);
      await createCampaign(merchant);
      await until(async () => (await read(webhook)).disabled_reason === 'failures');
      assert.ok((await deliveries(webhook)).every(({ state }) => state === 'failed'));
    });

    it('signs with the former secret too for 24 hours after a rotation', async () => {
      const webhook = await newWebhook(merchant.id);
      const secret = await rotate(service(), webhook);
      const verify = (key: string): unknown => {
        const { headers, body } = own().at(-1) ?? assert.fail('nothing received');
        return new StandardWebhook(key).verify(body, headers as Record<string, string>);
      };
      await createCampaign(merchant);
      await until(() => own().length === 1);
      verify(webhook.plainSecret);
      verify(secret);
      assert.equal(String(own()[0]?.headers['webhook-signature']).split(' ').length, 2);
      passTime(DAY);
      await createCampaign(merchant);
      await until(() => own().length === 2);
      assert.equal(String(own().at(-1)?.headers['webhook-signature']).split(' ').length, 1);
    });

    it('of a merchant cannot be used by another', async () => {
      const webhook = await newWebhook(merchant.id);
      const name = { merchantId: (await service().newMerchant()).id, id: webhook.id };
      const { database } = service();
      const stranger = service().webhooksOf(name.merchantId);
      for (const call of [
        () => listDeliveries(database, name, { limit: 1, onlyFailed: false }),
        () => replayEvents(database, name, { eventId: 'evt_1' }),
        () => runVerb(service(), stranger, changeWebhook, { id: name.id, enabled: false }),
        () => runVerb(service(), stranger, rotateSecret, { id: name.id }),
        () => runVerb(service(), stranger, removeWebhook, { id: name.id }),
      ])
        await assert.rejects(call, { code: 'webhook_not_found' });
    });
  });
});
