import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import type { CreatedWebhook } from '../../src/event-api/webhook-schema.ts';
import type { Delivery, LastAttempt } from '../../src/webhooks/list-deliveries.ts';
import type { Webhook } from '../../src/webhooks/webhook.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';

forEachEngine((engine) => {
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await WebhookReceiver.start();
  });
  after(() => receiver.close());
  const service = useService(engine, {
    environment: { WEBHOOK_NETWORKS: '10.0.0.0/8' },
    findAddress: addressesOf(() => [receiver]),
  });
  let token: string;
  before(async () => {
    token = await service().newOperatorToken();
  });
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.respond = (_, response) => response.writeHead(204).end();
  });

  const send = (method: string, path: string, json?: object): Promise<ClientResponse> =>
    service().operator(method, path, token, json === undefined ? {} : { json });
  const create = async (json: object = {}): Promise<CreatedWebhook> => {
    const response = await send('POST', '/webhooks', {
      url: receiver.url,
      types: ['campaign.created'],
      ...json,
    });
    assert.equal(response.status, 201, response.text);
    return response.json<CreatedWebhook>();
  };
  const createCampaign = async (): Promise<void> => {
    const merchant = await service().newMerchant();
    const json = { access_token: merchant.token, name: 'Spring', type: 'T' };
    assert.equal((await service().request('POST', '/campaigns.json', { json })).status, 200);
  };

  describe('the operator’s webhooks', () => {
    it('are created with a secret that is returned once, changed, listed and deleted', async () => {
      const { secret, ...webhook } = await create({ description: 'Orders' });
      assert.match(secret, /^whsec_/);
      assert.deepEqual([webhook.state, webhook.types], ['enabled', ['campaign.created']]);
      const path = `/webhooks/${webhook.id}`;
      assert.deepEqual((await send('GET', path)).json(), webhook);
      const changed = await send('PUT', path, { types: null, description: 'All', enabled: false });
      const { disabled_at, ...rest } = changed.json<Webhook>();
      assert.ok(disabled_at);
      assert.deepEqual(rest, {
        ...Object.fromEntries(Object.entries(webhook).filter(([name]) => name !== 'disabled_at')),
        types: [],
        description: 'All',
        state: 'disabled',
        disabled_reason: 'owner',
      });
      assert.equal((await send('PUT', path, { description: null })).json<Webhook>().description, '');
      const { results } = (await send('GET', '/webhooks')).json<{ results: Webhook[] }>();
      assert.deepEqual(
        results.map(({ id }) => id),
        [webhook.id],
      );
      assert.equal((await send('DELETE', path)).status, 200);
      expectError(await send('GET', path), 404, /^There is no webhook we_/);
    });

    it('400: refuse URLs that are not public or not https, and types that do not exist', async () => {
      for (const [json, pattern] of [
        [{ url: 'http://example.com' }, /^url: expected a URL that begins with https/],
        [{ url: 'https://127.0.0.1' }, /^url: expected a URL with a public address/],
        [{ url: 'https://192.168.0.1' }, /^url: expected a URL with a public address/],
        [{ types: ['nothing'] }, /^types: expected a list of one or more of catalog\.changed/],
        [{ types: [] }, /^types: expected/],
      ] as const) {
        expectError(await send('POST', '/webhooks', { url: receiver.url, ...json }), 400, pattern);
      }
      const { id } = await create({ url: 'https://10.1.2.3:9000/' });
      expectError(await send('PUT', `/webhooks/${id}`, { url: 'https://[::1]/' }), 400, /^url: expected/);
      await send('DELETE', `/webhooks/${id}`);
    });

    it('409: are at most 20', async () => {
      const ids = [];
      for (let count = 0; count < 20; count += 1) ids.push((await create()).id);
      expectError(await send('POST', '/webhooks', { url: receiver.url }), 409, /Delete one first/);
      for (const id of ids) await send('DELETE', `/webhooks/${id}`);
    });

    it('can be tested at any time; the response says how the receiver responded', async () => {
      receiver.respond = (_, response) => response.writeHead(418).end('teapot');
      const { id, secret } = await create();
      await send('PUT', `/webhooks/${id}`, { enabled: false });
      const attempt = (await send('POST', `/webhooks/${id}/test`, {})).json<LastAttempt>();
      assert.deepEqual([attempt.status, attempt.response], [418, 'teapot']);
      const { headers, body } = receiver.received[0] ?? assert.fail('nothing received');
      const event = new StandardWebhook(secret).verify(body, headers as Record<string, string>);
      assert.equal((event as { type: string }).type, 'webhook.test');
      await send('DELETE', `/webhooks/${id}`);
    });

    it('sign with a new secret and the former one after a rotation', async () => {
      const { id, secret } = await create();
      const rotated = (await send('POST', `/webhooks/${id}/secret`, {})).json<{ secret: string }>();
      await send('POST', `/webhooks/${id}/test`, {});
      const { headers, body } = receiver.received[0] ?? assert.fail('nothing received');
      for (const each of [secret, rotated.secret])
        new StandardWebhook(each).verify(body, headers as Record<string, string>);
      await send('DELETE', `/webhooks/${id}`);
    });

    it('list deliveries, and replay one event, a range, or what has failed', async () => {
      receiver.respond = (_, response) => response.writeHead(410).end();
      const { id } = await create();
      const path = `/webhooks/${id}`;
      const list = async (query = ''): Promise<Delivery[]> =>
        (await send('GET', `${path}/deliveries${query}`)).json<{ results: Delivery[] }>().results;
      await createCampaign();
      const [failed] = await until(async () => {
        const deliveries = await list('?only_failed=true');
        return deliveries.length > 0 && deliveries;
      });
      assert.deepEqual([failed?.state, failed?.last_attempt?.status], ['failed', 410]);
      expectError(await send('POST', `${path}/replay`, { event_id: failed?.event_id }), 409, /is disabled/);
      receiver.respond = (_, response) => response.writeHead(204).end();
      await send('PUT', path, { enabled: true });
      expectError(await send('POST', `${path}/replay`, {}), 400, /^since: expected either/);
      expectError(
        await send('POST', `${path}/replay`, { event_id: 'evt_0' }),
        404,
        /^There is no event evt_0/,
      );
      for (const body of [{ event_id: failed?.event_id }, { since: '2020-01-01T00:00:00Z' }]) {
        const count = receiver.received.length;
        const { events } = (await send('POST', `${path}/replay`, body)).json<{ events: number }>();
        assert.ok(events >= 1);
        await until(() => receiver.received.length >= count + events);
      }
      await until(async () => (await list()).every(({ state }) => state === 'delivered'));
      const none = await send('POST', `${path}/replay`, { since: '2020-01-01T00:00:00Z', only_failed: true });
      assert.deepEqual(none.json(), { events: 0 });
      await send('DELETE', path);
    });
  });
});
