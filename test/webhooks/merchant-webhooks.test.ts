import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { statement } from '../../src/database/statement.ts';
import type { CreatedWebhook } from '../../src/event-api/webhook-schema.ts';
import type { ClientEvent } from '../../src/events/event-types.ts';
import type { Delivery, LastAttempt } from '../../src/webhooks/list-deliveries.ts';
import type { Webhook } from '../../src/webhooks/webhook.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { createKey } from '../support/keys.ts';
import { startTestService, type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';

const listStoredResponses = statement<unknown, { response: string }>('SELECT response FROM idempotency_keys');

forEachEngine((engine) => {
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await WebhookReceiver.start();
  });
  after(() => receiver.close());
  const service = useService(engine, { findAddress: addressesOf(() => [receiver]) });
  let merchant: TestMerchant;
  let token: string;
  let testToken: string;
  const newKey = async ({ id }: TestMerchant, mode: 'live' | 'test' = 'live'): Promise<string> => {
    const key = { name: 'ERP', scopes: ['webhooks', 'campaigns'], expiresAt: null, mode } as const;
    return (await createKey(service(), { merchantId: id, ...key })).token;
  };
  beforeEach(async () => {
    merchant = await service().newMerchant();
    [token, testToken] = [await newKey(merchant), await newKey(merchant, 'test')];
    receiver.received.length = 0;
    receiver.respond = (_, response) => response.writeHead(204).end();
  });

  const send = (
    method: string,
    path: string,
    json?: object,
    { by = token, headers = {} }: { by?: string; headers?: Record<string, string> } = {},
  ): Promise<ClientResponse> =>
    service().request(method, `/webhooks${path}`, {
      headers: { authorization: `Bearer ${by}`, ...headers },
      ...(json !== undefined && { json }),
    });
  const create = async (json: object = {}, options: { by?: string } = {}): Promise<CreatedWebhook> => {
    const response = await send(
      'POST',
      '',
      { url: receiver.url, types: ['campaign.created'], ...json },
      options,
    );
    assert.equal(response.status, 201, response.text);
    return response.json<CreatedWebhook>();
  };
  const createCampaign = async (by: string): Promise<void> => {
    const json = { access_token: by, name: randomUUID(), type: 'AuctionCampaign' };
    assert.equal((await service().request('POST', '/campaigns.json', { json })).status, 200);
  };

  describe('a merchant’s webhooks', () => {
    it('are created with a secret that is returned once, changed, listed and deleted', async () => {
      const { secret, ...webhook } = await create({ description: 'Orders' });
      assert.match(secret, /^whsec_/);
      const path = `/${webhook.id}`;
      assert.deepEqual((await send('GET', path)).json(), webhook);
      assert.deepEqual((await send('GET', '')).json(), { results: [webhook] });
      const changed = (
        await send('PUT', path, { types: 'stock.low,order.created', enabled: false })
      ).json<Webhook>();
      assert.deepEqual(
        [changed.types.toSorted(), changed.state],
        [['order.created', 'stock.low'], 'disabled'],
      );
      // A client can send what it has read.
      const again = await send('PUT', path, { types: changed.types });
      assert.deepEqual(again.json<Webhook>().types, changed.types);
      assert.equal((await send('DELETE', path)).status, 200);
      expectError(await send('GET', path), 404, new RegExp(`^There is no webhook ${webhook.id}\\.`));
      assert.deepEqual((await send('GET', '')).json(), { results: [] });
    });

    it('get the signed events of their own side of the merchant, and no others', async () => {
      const live = await create();
      const test = await create({}, { by: testToken });
      await createCampaign(await newKey(await service().newMerchant()));
      await createCampaign(token);
      await createCampaign(testToken);
      await until(() => receiver.received.length >= 2);
      const events = receiver.received.map(({ headers, body }) => {
        const id = String(headers['webhook-id']);
        const isTest = (JSON.parse(body) as ClientEvent).test;
        const signed = new StandardWebhook(isTest ? test.secret : live.secret);
        assert.ok(signed.verify(body, headers as Record<string, string>));
        return { id, isTest };
      });
      assert.deepEqual(events.map(({ isTest }) => isTest).toSorted(), [false, true]);
      for (const [webhook, by] of [
        [live, token],
        [test, testToken],
      ] as const) {
        const list = (await send('GET', `/${webhook.id}/deliveries`, undefined, { by })).json<{
          results: Delivery[];
        }>();
        assert.deepEqual(list.results.length, 1);
      }
    });

    it('are tested, replayed, and given a new secret', async () => {
      const { id, secret } = await create();
      const attempt = await send('POST', `/${id}/test`);
      assert.equal(attempt.json<LastAttempt>().status, 204, attempt.text);
      await createCampaign(token);
      await until(() => receiver.received.length === 2);
      const replay = await send('POST', `/${id}/replay`, { since: '2020-01-01T00:00:00Z' });
      assert.deepEqual([replay.status, replay.json()], [200, { events: 1 }]);
      await until(() => receiver.received.length === 3);
      const rotated = await send('POST', `/${id}/secret`);
      assert.equal(rotated.status, 201);
      assert.notEqual(rotated.json<{ secret: string }>().secret, secret);
    });

    it('404: a webhook of another merchant, of the operator or of the other side, in every call', async () => {
      const { id: other } = await create({}, { by: await newKey(await service().newMerchant()) });
      const { id: test } = await create({}, { by: testToken });
      const operator = await service().operator('POST', '/webhooks', await service().newOperatorToken(), {
        json: { url: receiver.url },
      });
      for (const id of [other, test, operator.json<Webhook>().id]) {
        for (const [method, path, json] of [
          ['GET', '', undefined],
          ['PUT', '', { enabled: false }],
          ['DELETE', '', undefined],
          ['POST', '/secret', undefined],
          ['POST', '/test', undefined],
          ['POST', '/replay', { since: '2020-01-01T00:00:00Z' }],
          ['GET', '/deliveries', undefined],
        ] as const)
          expectError(
            await send(method, `/${id}${path}`, json),
            404,
            new RegExp(`^There is no webhook ${id}\\.`),
          );
      }
      assert.equal(
        (await send('GET', `/${test}`, undefined, { by: testToken })).json<Webhook>().state,
        'enabled',
      );
    });

    it('repeat the first response to an Idempotency-Key, and store no secret that can be read', async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const json = { url: receiver.url };
      const first = await send('POST', '', json, { headers });
      const second = await send('POST', '', json, { headers });
      assert.equal(first.status, 201, first.text);
      assert.equal(second.text, first.text);
      const { secret } = first.json<CreatedWebhook>();
      const stored = await service().database.all(listStoredResponses);
      assert.ok(stored.length > 0 && stored.every(({ response }) => !response.includes(secret)));
      const others = await send('POST', '', json, { headers, by: await newKey(merchant) });
      expectError(others, 400, /^Idempotency-Key: /);
    });

    it('400: types that are only for the operator, and private addresses', async () => {
      const types = { url: receiver.url, types: ['merchant.created'] };
      expectError(await send('POST', '', types), 400, /^types: expected .*campaign\.created/);
      expectError(await send('POST', '', { url: 'https://10.0.0.1/hook' }), 400, /^url: expected /);
    });

    it('409: one more than 20; 400 if the token is in the post data', async () => {
      for (let count = 0; count < 20; count += 1) await create();
      expectError(await send('POST', '', { url: receiver.url }), 409, /limit of 20 webhooks/);
      const json = { url: receiver.url, access_token: token };
      expectError(await service().request('POST', '/webhooks', { json }), 400, /limit of 20 webhooks/);
    });

    it('429: more changes in a day than the budget of a side allows, but they can be disabled and deleted', async () => {
      await using limited = await startTestService(engine, {
        environment: { BUDGETS: 'webhook_changes_per_day=2' },
      });
      const { id } = await limited.newMerchant();
      const key = { merchantId: id, name: 'ERP', scopes: ['webhooks'], expiresAt: null } as const;
      const live = await createKey(limited, key);
      const test = await createKey(limited, { ...key, mode: 'test' });
      const createBy = ({ token: by }: { token: string }): Promise<ClientResponse> =>
        limited.request('POST', '/webhooks', {
          headers: { authorization: `Bearer ${by}` },
          json: { url: receiver.url },
        });
      const created = await createBy(live);
      assert.deepEqual([created.status, (await createBy(live)).status], [201, 201]);
      const exceeded = /^Budget webhook_changes_per_day exceeded: at most 2 changes and replays/;
      expectError(await createBy(live), 429, exceeded);
      assert.equal((await createBy(test)).status, 201);
      const path = `/webhooks/${created.json<Webhook>().id}`;
      const change = (method: string, json?: object): Promise<ClientResponse> =>
        limited.request(method, path, {
          headers: { authorization: `Bearer ${live.token}` },
          ...(json !== undefined && { json }),
        });
      expectError(await change('PUT', { enabled: false, description: 'Off' }), 429, exceeded);
      assert.equal((await change('PUT', { enabled: false })).status, 200);
      assert.equal((await change('DELETE')).status, 200);
    });

    it('403: a key without the scope webhooks', async () => {
      for (const { method, path } of [
        { method: 'GET', path: '' },
        { method: 'POST', path: '' },
      ])
        expectError(await send(method, path, undefined, { by: merchant.token }), 403, /scope webhooks/);
    });
  });
});
