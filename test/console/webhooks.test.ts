import assert from 'node:assert/strict';
import { after, before, beforeEach, it } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import type {
  ConsoleError,
  ConsoleWebhook,
  Delivery,
  DeliveryList,
  LastAttempt,
  NewConsoleWebhook,
  WebhookList,
} from '../../src/console/console-api.ts';
import { auditLogOf } from '../support/audit.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';

forEachEngine((engine) => {
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await WebhookReceiver.start();
  });
  after(() => receiver.close());
  const service = useService(engine, { findAddress: addressesOf(() => [receiver]) });
  let merchant: TestMerchant;
  let client: ConsoleClient;
  beforeEach(async () => {
    receiver.received.length = 0;
    receiver.respond = (_, response) => response.writeHead(204).end();
    merchant = await service().newMerchant();
    client = await signedIn(service(), merchant);
  });

  const add = async (form: object = {}): Promise<NewConsoleWebhook> => {
    const body = { url: receiver.url, types: 'campaign.created', description: 'ERP', ...form };
    const response = await client.post('/webhooks', body);
    assert.equal(response.status, 200, response.text);
    return response.json<NewConsoleWebhook>();
  };
  const deliveries = async (id: string): Promise<Delivery[]> =>
    (await client.get(`/webhooks/${id}/deliveries`)).json<DeliveryList>().deliveries;

  it('adds a webhook, shows its secret once, and records each change in the audit log', async () => {
    const { secret, ...webhook } = await add();
    assert.match(secret, /^whsec_/);
    assert.deepEqual([webhook.mode, webhook.state, webhook.types], ['live', 'enabled', ['campaign.created']]);
    const { webhooks, types } = (await client.get('/webhooks')).json<WebhookList>();
    assert.deepEqual(webhooks, [webhook]);
    assert.ok(types.includes('product.moderated') && !types.includes('merchant.created'));
    const path = `/webhooks/${webhook.id}`;
    const changed = (
      await client.post(path, { types: null, description: null, enabled: false })
    ).json<ConsoleWebhook>();
    assert.deepEqual([changed.types, changed.description, changed.state], [[], '', 'disabled']);
    assert.equal((await client.post(`${path}/secret`, {})).status, 200);
    assert.equal((await client.request('DELETE', path)).status, 200);
    assert.equal((await client.get(`${path}/deliveries`)).status, 404);
    const entries = (await auditLogOf(service(), client)).slice(0, 4);
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['webhook.deleted', 'webhook.secret_rotated', 'webhook.changed', 'webhook.created'],
    );
  });

  it('names the field of an invalid form', async () => {
    for (const [form, name] of [
      [{ url: 'https://10.0.0.1/' }, 'url'],
      [{ url: 'https://example.com:22/' }, 'url'],
      [{ types: 'merchant.created' }, 'types'],
    ] as const) {
      const response = await client.post('/webhooks', { url: receiver.url, ...form });
      assert.equal(response.status, 400);
      assert.deepEqual(
        response.json<ConsoleError>().fields?.map((field) => field.name),
        [name],
      );
    }
  });

  it('lists deliveries with what the receiver responded, and sends a failed event again', async () => {
    receiver.respond = (_, response) => response.writeHead(410).end('moved');
    const { id, secret } = await add();
    await client.post('/v1/campaigns', { name: 'Spring', type: 'T' });
    const [failed] = await until(async () => {
      const list = await deliveries(id);
      return list[0]?.state === 'failed' && list;
    });
    assert.deepEqual([failed?.type, failed?.last_attempt?.response], ['campaign.created', 'moved']);
    assert.equal((await client.post(`/webhooks/${id}/replay`, { event_id: failed?.event_id })).status, 409);
    receiver.respond = (_, response) => response.writeHead(204).end();
    await client.post(`/webhooks/${id}`, { enabled: true });
    const replayed = await client.post(`/webhooks/${id}/replay`, { event_id: failed?.event_id });
    assert.deepEqual(replayed.json(), { events: 1 });
    await until(async () => (await deliveries(id))[0]?.state === 'delivered');
    const { headers, body } = receiver.received.at(-1) ?? assert.fail('nothing received');
    new Verifier(secret).verify(body, headers as Record<string, string>);
  });

  it('gets the events of the test side for a test webhook, and none of the live side', async () => {
    const { id, mode } = await add({ mode: 'test' });
    assert.equal(mode, 'test');
    const { token } = await service().newTestKey(merchant);
    await client.post('/v1/campaigns', { name: 'Live', type: 'T' });
    const json = { access_token: token, name: 'Test', type: 'T' };
    assert.equal((await service().request('POST', '/campaigns.json', { json })).status, 200);
    await until(async () => (await deliveries(id))[0]?.state === 'delivered');
    assert.deepEqual(
      receiver.events.map(({ test, data }) => [test, 'name' in data && data.name]),
      [[true, 'Test']],
    );
  });

  it('sends one test event at a time, without waiting requests of others', async () => {
    const { id } = await add();
    let respond = (): void => {};
    receiver.respond = (_, response) => {
      respond = () => response.writeHead(200).end('ok');
    };
    const first = client.post(`/webhooks/${id}/test`, {});
    await until(() => receiver.received.length === 1);
    assert.equal((await client.post(`/webhooks/${id}/test`, {})).status, 409);
    respond();
    assert.equal((await first).json<LastAttempt>().response, 'ok');
  });
});
