import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { NewConsoleWebhook } from '../../src/console/console-api.ts';
import { statement } from '../../src/database/statement.ts';
import type { ClientEvent } from '../../src/events/event-types.ts';
import type { NamedMerchant } from '../../src/merchants/name-merchants.ts';
import type { MerchantWebhook, MerchantWebhookPage } from '../../src/operator/webhooks/webhook-schema.ts';
import type { Delivery, LastAttempt } from '../../src/webhooks/list-deliveries.ts';
import { auditLogOf, whoOf } from '../support/audit.ts';
import type { ClientResponse } from '../support/client.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';

interface NewestEvents {
  results: ClientEvent[];
  merchants: NamedMerchant[];
  next: string | null;
}

const setFailingSince = statement<{ id: string; at: number | null }, never>(
  'UPDATE webhooks SET failing_since = :at WHERE id = :id',
);

forEachEngine((engine) => {
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await WebhookReceiver.start();
  });
  after(() => receiver.close());
  const service = useService(engine, {
    environment: { BUDGETS: 'webhook_changes_per_day=3' },
    findAddress: addressesOf(() => [receiver]),
  });
  let token: string;
  let merchant: TestMerchant;
  let console: ConsoleClient;
  before(async () => {
    token = await service().newOperatorToken(['events']);
  });
  beforeEach(async () => {
    receiver.received.length = 0;
    receiver.respond = (_, response) => response.writeHead(204).end();
    merchant = await service().newMerchant();
    service().passTime(60_000);
    console = await signedIn(service(), merchant);
  });

  const send = (method: string, path: string, json?: object): Promise<ClientResponse> =>
    service().operator(method, path, token, json === undefined ? {} : { json });
  const add = async (form: object = {}): Promise<NewConsoleWebhook> =>
    (
      await console.post('/webhooks', { url: receiver.url, types: 'campaign.created', ...form })
    ).json<NewConsoleWebhook>();
  const pathOf = ({ id }: { id: string }): string => `/merchants/${merchant.id}/webhooks/${id}`;
  const listed = async (query: string): Promise<MerchantWebhookPage> =>
    (await send('GET', `/merchant-webhooks${query}`)).json<MerchantWebhookPage>();
  const actions = async (): Promise<string[][]> =>
    (await auditLogOf(service(), console)).map(({ action, ...by }) => [whoOf(by), action]);

  describe('the webhooks of all merchants', () => {
    it('are listed by state, the oldest failure first, page by page and without secrets', async () => {
      const [first, second, third] = [await add(), await add(), await add({ mode: 'test' })];
      await service().database.transaction(async (connection) => {
        await connection.run(setFailingSince, { id: first.id, at: service().now() - 1_000 });
        await connection.run(setFailingSince, { id: second.id, at: service().now() - 2_000 });
        await connection.run(setFailingSince, { id: third.id, at: service().now() - 2_000 });
      });
      const tied = [second.id, third.id].sort();
      const failing = (await listed('')).results;
      assert.deepEqual(
        failing.map(({ id }) => id),
        [...tied, first.id],
      );
      assert.ok(!JSON.stringify(failing).includes('secret'));
      const {
        id,
        merchant: owner,
        state,
        test,
      } = failing.find((each) => each.id === third.id) ?? assert.fail();
      assert.deepEqual(
        [id, owner.external_id, state, test],
        [third.id, String(merchant.id), 'failing', true],
      );
      const page = await listed('?limit=2');
      assert.deepEqual(
        page.results.map((each) => each.id),
        tied,
      );
      const rest = await listed(`?after=${page.next}`);
      assert.deepEqual([rest.results.map((each) => each.id), rest.next], [[first.id], null]);
      expectError(
        await send('GET', `/merchant-webhooks?state=disabled&after=${page.next}`),
        400,
        /cursor of another list/,
      );
      await send('PUT', pathOf(first), { enabled: false });
      assert.deepEqual(
        (await listed('?state=disabled')).results.map((each) => each.id),
        [first.id],
      );
      const all = (await send('GET', `/merchants/${merchant.id}/webhooks`)).json<{
        results: MerchantWebhook[];
      }>();
      assert.deepEqual(new Set(all.results.map((each) => each.id)), new Set([first.id, second.id, third.id]));
    });

    it('are listed of one side of a merchant, in the same order and page by page', async () => {
      const [first, second, third] = [await add(), await add(), await add({ mode: 'test' })];
      const setFailing = (webhook: { id: string }, seconds: number | null): Promise<unknown> =>
        service().database.transaction((connection) => {
          const at = seconds === null ? null : service().now() - seconds * 1_000;
          return connection.run(setFailingSince, { id: webhook.id, at });
        });
      await setFailing(first, 1);
      await setFailing(second, 2);
      await setFailing(third, 3);
      const other = await service().newMerchant();
      const idsOf = async (query: string): Promise<string[]> =>
        (await listed(query)).results.map(({ id }) => id);
      const query = `?merchant=${merchant.id}`;
      assert.deepEqual(await idsOf(query), [second.id, first.id]);
      assert.deepEqual(await idsOf(`${query}&test=true`), [third.id]);
      assert.deepEqual(await idsOf(`${query}&state=enabled`), []);
      assert.deepEqual(await idsOf(`?merchant=${other.id}`), []);
      const { next } = await listed(`${query}&limit=1`);
      assert.deepEqual(await idsOf(`${query}&after=${next}`), [first.id]);
      expectError(await send('GET', `/merchant-webhooks?after=${next}`), 400, /cursor of another list/);
      await setFailing(second, null);
      const enabled = [second.id, (await add()).id].sort();
      assert.deepEqual(await idsOf(`${query}&state=enabled`), enabled);
      const part = await listed(`${query}&state=enabled&limit=1`);
      assert.deepEqual(await idsOf(`${query}&state=enabled&after=${part.next}`), enabled.slice(1));
      await send('PUT', pathOf(first), { enabled: false });
      assert.deepEqual(await idsOf(`${query}&state=disabled`), [first.id]);
      assert.deepEqual(await idsOf(query), []);
      expectError(
        await send('GET', '/merchant-webhooks?merchant=nobody'),
        400,
        /^merchant: there is no merchant/,
      );
    });

    it('without failures and with all events are enabled; the operator’s own are not among them', async () => {
      const { id } = await add();
      await send('POST', '/webhooks', { url: receiver.url });
      const { results } = await listed('?state=enabled');
      assert.ok(results.some((each) => each.id === id));
      assert.ok(results.every((each) => each.merchant.external_id !== ''));
      const own = (await send('GET', '/webhooks')).json<{ results: { id: string }[] }>().results;
      assert.ok(!results.some((each) => own.some((one) => one.id === each.id)));
    });
  });

  describe('the operator', () => {
    it('sees why deliveries to a merchant fail, tests the receiver and sends them again', async () => {
      receiver.respond = (_, response) => response.writeHead(410).end('moved');
      const webhook = await add();
      await console.post('/v1/campaigns', { name: 'Spring', type: 'T' });
      const path = pathOf(webhook);
      const failed = await until(async () => {
        const { results } = (await send('GET', `${path}/deliveries?only_failed=true`)).json<{
          results: Delivery[];
        }>();
        return results[0];
      });
      assert.deepEqual([failed.last_attempt?.status, failed.last_attempt?.response], [410, 'moved']);
      expectError(await send('POST', `${path}/replay`, { event_id: failed.event_id }), 409, /is disabled/);
      receiver.respond = (_, response) => response.writeHead(204).end();
      const attempt = (await send('POST', `${path}/test`)).json<LastAttempt>();
      assert.equal(attempt.status, 204);
      assert.equal((await send('PUT', path, { enabled: true })).json<MerchantWebhook>().state, 'enabled');
      const replayed = await send('POST', `${path}/replay`, { event_id: failed.event_id });
      assert.deepEqual(replayed.json(), { events: 1 });
      await until(async () => {
        const { results } = (await send('GET', `${path}/deliveries`)).json<{ results: Delivery[] }>();
        return results[0]?.state === 'delivered';
      });
      const own = (await actions()).filter(([who, action]) => who === 'operator' && action !== 'key.created');
      assert.deepEqual(own, [
        ['operator', 'webhook.replayed'],
        ['operator', 'webhook.changed'],
        ['operator', 'webhook.tested'],
      ]);
    });

    it('disables a webhook, which the merchant sees, and takes nothing of the merchant’s budget', async () => {
      const webhook = await add({ mode: 'test' });
      for (let count = 0; count < 3; count += 1) {
        for (const enabled of [false, true, true])
          assert.equal((await send('PUT', pathOf(webhook), { enabled })).status, 200);
        const since = new Date(service().now()).toISOString();
        assert.equal((await send('POST', `${pathOf(webhook)}/replay`, { since })).status, 200);
      }
      const disabled = (await send('PUT', pathOf(webhook), { enabled: false })).json<MerchantWebhook>();
      assert.deepEqual([disabled.state, disabled.disabled_reason], ['disabled', 'operator']);
      const changes = (await actions()).filter(([, action]) => action === 'webhook.changed');
      assert.equal(changes.length, 7);
      assert.equal((await console.post(`/webhooks/${webhook.id}`, { enabled: true })).status, 200);
    });

    it('404: finds no webhook of another merchant, or one of its own', async () => {
      const webhook = await add();
      const other = await service().newMerchant();
      const own = (await send('POST', '/webhooks', { url: receiver.url })).json<{ id: string }>();
      for (const path of [`/merchants/${other.id}/webhooks/${webhook.id}`, pathOf(own)]) {
        expectError(await send('GET', path), 404, /^There is no webhook/);
        expectError(await send('PUT', path, { enabled: false }), 404, /^There is no webhook/);
        expectError(await send('POST', `${path}/test`), 404, /^There is no webhook/);
        expectError(await send('POST', `${path}/replay`, { event_id: 'evt_0' }), 404, /^There is no webhook/);
      }
    });
  });

  describe('the newest events', () => {
    it('are listed by type and by side of a merchant, page by page', async () => {
      const { token: testToken } = await service().newTestKey(merchant);
      const create = (access_token: string, name: string): Promise<ClientResponse> =>
        service().request('POST', '/campaigns.json', { json: { access_token, name, type: 'T' } });
      for (const name of ['One', 'Two', 'Three']) await create(merchant.token, name);
      await create(testToken, 'Test');
      const list = async (query: string): Promise<NewestEvents> =>
        (await send('GET', `/events/newest${query}`)).json();
      const namesOf = ({ results }: NewestEvents): unknown[] =>
        results.map(({ data }) => 'name' in data && data.name);
      const query = `?merchant=${merchant.id}&type=campaign.created`;
      await until(async () => (await list(`${query}&test=true`)).results.length === 1);
      await until(async () => (await list(query)).results.length === 3);
      const listed = await list(query);
      assert.deepEqual(namesOf(listed), ['Three', 'Two', 'One']);
      assert.deepEqual(
        listed.merchants.map(({ external_id: id }) => id),
        [String(merchant.id)],
      );
      const page = await list(`${query}&limit=2`);
      assert.deepEqual(namesOf(page), ['Three', 'Two']);
      assert.deepEqual(namesOf(await list(`${query}&after=${page.next}`)), ['One']);
      const all = await list('?type=campaign.created&limit=4');
      assert.deepEqual(new Set(namesOf(all)), new Set(['One', 'Two', 'Three', 'Test']));
      assert.ok((await list('')).results.length > 4);
      expectError(await send('GET', '/events/newest?type=nothing'), 400, /^type: expected one of/);
    });
  });
});
