import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { announceExpiringKeys } from '../../src/api-keys/announce-expiring-keys.ts';
import { OPERATOR_ID, testSideOf } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { recordEvent } from '../../src/events/record-event.ts';
import { queueMail } from '../../src/mail/new-mail.ts';
import { mailStatements } from '../../src/mail/queries.ts';
import { listMerchantsById } from '../../src/merchants/queries.ts';
import { disableWebhook as disable } from '../../src/webhooks/disable-webhook.ts';
import { createWebhook } from '../../src/webhooks/manage-webhooks.ts';
import { findWebhook } from '../../src/webhooks/queries.ts';
import { ConsoleClient, newUser } from '../support/console.ts';
import { checkFile, productLines, untilState } from '../support/console-imports.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { createKey } from '../support/keys.ts';
import { linkIn, queuedMails, useMailService } from '../support/mail-service.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addUser } from '../support/users.ts';

const listOutboxIds = statement<unknown, { id: string }>('SELECT id FROM outbox');
const DAY_MS = 24 * 60 * 60 * 1000;

/** Creates a webhook, and disables it as deliveries do, each time anew. */
async function disableWebhook(
  service: TestService,
  merchantId: number,
  host: string,
  times = 1,
): Promise<void> {
  const fields = { url: `https://${host}/hooks?secret=abc`, types: [], description: '' };
  const { database, now } = service;
  const { id } = await runVerb(service, service.webhooksOf(merchantId), createWebhook, fields);
  for (let time = 0; time < times; time += 1) {
    await database.transaction(async (connection) => {
      const row = await connection.first(findWebhook, { merchantId, id });
      // Events of one time could not be told apart.
      await disable(connection, row ?? assert.fail('no endpoint'), 'failures', now() + time);
    });
  }
}

forEachEngine((engine) => {
  describe('mails about events', () => {
    const parts = useMailService(engine);

    it('name the keys that expire soon, to all users of the merchant and to no others', async () => {
      const { server, service } = parts();
      const merchant = await service.newMerchant();
      const users = [await newUser(service, merchant), await newUser(service, merchant)];
      const other = await newUser(service, await service.newMerchant());
      const expiresAt = service.now() + 3 * DAY_MS;
      const { id } = await createKey(service, { merchantId: merchant.id, name: 'Warehouse', expiresAt });
      await announceExpiringKeys(service.database, service.now());
      for (const { email } of users) {
        const mail = await server.mailTo(email, /^An API key expires soon$/);
        const time = new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ');
        assert.ok(mail.text.includes(`Key ${id} “Warehouse”: ${time} UTC`), mail.text);
        assert.equal(linkIn(mail).href, 'https://shop.example/console/keys');
      }
      assert.deepEqual(
        server.received.filter(({ to }) => to.includes(other.email)),
        [],
      );
    });

    it('name a test key whose event was triggered, and never a key of the other side of the merchant', async () => {
      const { server, service } = parts();
      const merchant = await service.newMerchant();
      const { email } = await newUser(service, merchant);
      const { id, token } = await service.newTestKey(merchant);
      // Events of either side that are about keys of the other side, as no trigger records them.
      for (const [merchantId, other] of [
        [testSideOf(merchant.id), merchant.keyId],
        [merchant.id, id],
        [testSideOf(merchant.id), 'op-1'],
      ] as const) {
        const data = { id: other, name: 'Other', expires_at: new Date(service.now()).toISOString() };
        await service.database.transaction(async (connection) => {
          recordEvent({ connection, merchantId, now: service.now() }, { type: 'key.expiring', data });
        });
      }
      const query = new URLSearchParams({ access_token: token, event: 'key.expiring' });
      assert.equal((await service.request('POST', `/test/trigger?${query}`)).status, 200);
      const mail = await server.mailTo(email, /^An API key expires soon$/);
      assert.ok(mail.text.includes(`Test key ${id} `), mail.text);
      await until(async () => (await service.database.all(listOutboxIds)).length === 0);
      await until(async () => (await queuedMails(service)).length === 0);
      assert.equal(server.received.filter(({ to }) => to.includes(email)).length, 1);
    });

    it('report a disabled webhook once, without the parts of its URL that can be secret', async () => {
      const { server, service } = parts();
      const merchant = await service.newMerchant();
      const { email } = await newUser(service, merchant);
      await disableWebhook(service, testSideOf(merchant.id), 'hooks.example');
      await disableWebhook(service, OPERATOR_ID, 'operator.example');
      const mail = await server.mailTo(email, /^A webhook was disabled$/);
      assert.match(mail.text, /The webhook at hooks\.example of “Merchant no\. \d+” was disabled/);
      assert.doesNotMatch(`${mail.text} ${mail.html}`, /secret/);
      assert.equal(linkIn(mail).href, 'https://shop.example/console/webhooks');
      await until(async () => (await queuedMails(service)).length === 0);
      assert.equal(server.received.filter(({ text }) => text.includes('hooks.example')).length, 1);
      assert.equal(server.received.filter(({ text }) => text.includes('operator.example')).length, 0);
    });

    it('report a webhook once a day, however often it is disabled, and not to users who were only invited', async () => {
      const { server, service } = parts();
      const merchant = await service.newMerchant();
      const { email } = await newUser(service, merchant);
      await addUser(service, { merchantId: merchant.id, name: 'Eve', email: 'eve@example.com' });
      await disableWebhook(service, merchant.id, 'loop.example', 5);
      await disableWebhook(service, merchant.id, 'other.example');
      await until(() => server.received.some(({ text }) => text.includes('other.example')));
      await until(async () => (await service.database.all(listOutboxIds)).length === 0);
      await until(async () => (await queuedMails(service)).length === 0);
      const about = server.received.filter(({ text }) => text.includes('loop.example'));
      assert.deepEqual(
        about.map(({ to }) => to),
        [[email]],
      );
      assert.ok(!server.received.some(({ to }) => to.includes('eve@example.com')));
    });

    it('do not go to users who have turned off this kind', async () => {
      const { server, service } = parts();
      const merchant = await service.newMerchant();
      const [quiet, other] = [await newUser(service, merchant, 'viewer'), await newUser(service, merchant)];
      const client = new ConsoleClient(service.client);
      await client.signIn(quiet.email);
      const read = async () => (await client.get('/notifications')).json();
      assert.deepEqual(await read(), { keys_expiring: true, webhook_disabled: true });
      const changed = await client.post('/notifications', { webhook_disabled: false });
      assert.equal(changed.status, 200, changed.text);
      assert.deepEqual(await read(), { keys_expiring: true, webhook_disabled: false });
      await disableWebhook(service, merchant.id, 'muted.example');
      await server.mailTo(other.email, /^A webhook was disabled$/);
      const expiresAt = service.now() + 3 * DAY_MS;
      await createKey(service, { merchantId: merchant.id, name: 'Warehouse', expiresAt });
      await announceExpiringKeys(service.database, service.now());
      await server.mailTo(quiet.email, /^An API key expires soon$/);
      await until(async () => (await queuedMails(service)).length === 0);
      const toQuiet = server.received.filter(({ to }) => to.includes(quiet.email));
      assert.equal(toQuiet.length, 1);
      assert.equal((await client.post('/notifications', { password_reset: false })).status, 400);
    });

    it('go to the address of a merchant without users', async () => {
      const { server, service } = parts();
      const token = await service.newOperatorToken();
      const response = await service.operator('PUT', '/merchants/without-users', token, {
        json: { name: 'Without users', email: 'Office@Vases.example' },
      });
      assert.equal(response.status, 201, response.text);
      const found = await until(async () => {
        const rows = await service.database.all(listMerchantsById);
        return rows.find(({ external_id }) => external_id === 'without-users');
      });
      await disableWebhook(service, found.id, 'without-users.example');
      const mail = await server.mailTo('office@vases.example');
      assert.match(mail.text, /“Without users”/);
    });

    it('report the end of an import to the user who asked for it', async () => {
      const { server, service } = parts();
      const merchant = await service.newMerchant();
      const [asking, other] = [await newUser(service, merchant), await newUser(service, merchant)];
      const client = new ConsoleClient(service.client);
      await client.signIn(asking.email);
      const quiet = await checkFile(client, 'quiet.ndjson', productLines(1));
      assert.equal((await client.post(`/imports/${quiet.id}/import`, {})).status, 200);
      await untilState(client, quiet.id, 'done');
      const { id } = await checkFile(client, 'pots.ndjson', `${productLines(3)}nonsense\n`);
      assert.equal((await client.post(`/imports/${id}/import`, { notify: true })).status, 200);
      await untilState(client, id, 'done');
      const mail = await server.mailTo(asking.email, /^Your import has finished$/);
      assert.match(
        mail.text,
        /The import of “pots\.ndjson” into the catalog of “Merchant no\. \d+” has finished\./,
      );
      assert.match(mail.text, /Products: 2 created, 0 updated, 1 unchanged, 1 rejected\./);
      assert.equal(linkIn(mail).href, `https://shop.example/console/products/import?id=${id}`);
      await until(async () => (await queuedMails(service)).length === 0);
      const others = server.received.filter(
        ({ to, text }) => to.includes(other.email) || text.includes('quiet.ndjson'),
      );
      assert.deepEqual(others, []);
    });
  });

  describe('with BUDGETS=mails_per_day=2', () => {
    const parts = useMailService(engine, { environment: { BUDGETS: 'mails_per_day=2' } });

    it('mails about events end with the budget of a merchant, and those of others and password mails do not', async () => {
      const { server, service } = parts();
      const [merchant, other] = [await service.newMerchant(), await service.newMerchant()];
      const { email } = await newUser(service, merchant);
      const { email: otherEmail } = await newUser(service, other);
      for (const number of [1, 2, 3, 4]) await disableWebhook(service, merchant.id, `hooks${number}.example`);
      await disableWebhook(service, other.id, 'hooks.example');
      await server.mailTo(otherEmail, /^A webhook was disabled$/);
      await until(async () => (await service.database.all(listOutboxIds)).length === 0);
      await new ConsoleClient(service.client).post('/password-links', { email });
      await server.mailTo(email, /^Set a new password$/);
      await until(async () => (await queuedMails(service)).length === 0);
      const notices = server.received.filter(
        ({ to, headers }) => to.includes(email) && headers.get('subject') === 'A webhook was disabled',
      );
      assert.equal(notices.length, 2);
      const metrics = JSON.stringify(await service.health.metrics());
      assert.match(metrics, /"budget":"mails_per_day"/);
    });

    it('the test side has a budget of its own, so that triggers do not use up the mails of the live side', async () => {
      const { server, service } = parts();
      const merchant = await service.newMerchant();
      const { email } = await newUser(service, merchant);
      const { token } = await service.newTestKey(merchant);
      const query = new URLSearchParams({ access_token: token, event: 'key.expiring' });
      for (let count = 0; count < 3; count += 1) {
        assert.equal((await service.request('POST', `/test/trigger?${query}`)).status, 200);
        await until(async () => (await service.database.all(listOutboxIds)).length === 0);
      }
      await disableWebhook(service, merchant.id, 'hooks.example');
      await server.mailTo(email, /^A webhook was disabled$/);
      await until(async () => (await queuedMails(service)).length === 0);
      const mails = server.received.filter(({ to }) => to.includes(email));
      assert.equal(mails.length, 3);
    });

    it('one merchant’s waiting mails delay neither other merchants nor password mails', async () => {
      const { service } = parts();
      const { listDue } = mailStatements(service.database.dialect);
      // Rolled back, so that nothing is sent.
      const stop = new Error('rolled back');
      const order: (number | null)[][] = [];
      const work = service.database.transaction(async (connection) => {
        const address = 'a@example.com';
        const data = {};
        for (let count = 0; count < 20; count += 1)
          await queueMail(connection, { kind: 'invitation', merchantId: 1, userId: null, address, data });
        await queueMail(connection, { kind: 'invitation', merchantId: 2, userId: null, address, data });
        const reset = { kind: 'password_reset', merchantId: null, userId: null, address, data } as const;
        await queueMail(connection, reset);
        for (const afterMerchant of [0, 1, 2]) {
          const due = await connection.all(listDue, { afterMerchant, limit: 4 });
          order.push(due.map(({ merchant_id }) => merchant_id));
        }
        throw stop;
      });
      await assert.rejects(work, stop);
      assert.deepEqual(order, [
        [null, 1, 2, 1],
        [null, 2, 1, 1],
        [null, 1, 2, 1],
      ]);
    });
  });
});

it('no mail about an event is queued without a mail server', async () => {
  await using service = await startTestService(sqlite);
  const merchant = await service.newMerchant();
  const { email } = await newUser(service, merchant);
  const client = new ConsoleClient(service.client);
  await client.signIn(email);
  await disableWebhook(service, merchant.id, 'hooks.example');
  const { id } = await checkFile(client, 'pots.ndjson', productLines(1));
  await client.post(`/imports/${id}/import`, { notify: true });
  await untilState(client, id, 'done');
  await until(async () => (await service.database.all(listOutboxIds)).length === 0);
  assert.deepEqual(await queuedMails(service), []);
});
