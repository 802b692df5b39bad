import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { announceExpiringKeys } from '../../src/api-keys/announce-expiring-keys.ts';
import { createKey } from '../../src/api-keys/create-key.ts';
import { statement } from '../../src/database/database.ts';
import { OPERATOR_ID, testSideOf } from '../../src/database/sides.ts';
import { recordEvent } from '../../src/events/record-event.ts';
import { listMerchantsById } from '../../src/merchants/queries.ts';
import { ConsoleClient, newUser } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { linkIn, queuedMails, useMailService } from '../support/mail-service.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { checkFile, productLines, untilState } from '../support/uploads.ts';

const listOutboxIds = statement<unknown, { id: string }>('SELECT id FROM outbox');
const DAY_MS = 24 * 60 * 60 * 1000;

/** Records the event of a disabled endpoint. */
async function disableEndpoint(
  { database, now }: TestService,
  merchantId: number,
  host: string,
): Promise<void> {
  const data = { id: 'we_1', url: `https://${host}/hooks?secret=abc`, reason: 'failures' } as const;
  await database.transaction((connection) =>
    recordEvent(connection, { merchantId, type: 'endpoint.disabled', occurredAt: now(), data }),
  );
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

    it('report a disabled webhook once, without the parts of its URL that can be secret', async () => {
      const { server, service } = parts();
      const merchant = await service.newMerchant();
      const { email } = await newUser(service, merchant);
      await disableEndpoint(service, testSideOf(merchant.id), 'hooks.example');
      await disableEndpoint(service, OPERATOR_ID, 'operator.example');
      const mail = await server.mailTo(email, /^A webhook was disabled$/);
      assert.match(mail.text, /The webhook at hooks\.example of “Merchant no\. \d+” was disabled/);
      assert.doesNotMatch(`${mail.text} ${mail.html}`, /secret/);
      assert.equal(linkIn(mail).href, 'https://shop.example/console/webhooks');
      await until(async () => (await queuedMails(service)).length === 0);
      assert.equal(server.received.filter(({ text }) => text.includes('hooks.example')).length, 1);
      assert.equal(server.received.filter(({ text }) => text.includes('operator.example')).length, 0);
    });

    it('do not go to users who have turned off this kind', async () => {
      const { server, service } = parts();
      const merchant = await service.newMerchant();
      const [quiet, other] = [await newUser(service, merchant, 'viewer'), await newUser(service, merchant)];
      const client = new ConsoleClient(service.client);
      await client.signIn(quiet.email);
      const read = async () => (await client.get('/notifications')).json();
      assert.deepEqual(await read(), { keys_expiring: true, endpoint_disabled: true });
      const changed = await client.post('/notifications', { endpoint_disabled: false });
      assert.equal(changed.status, 200, changed.text);
      assert.deepEqual(await read(), { keys_expiring: true, endpoint_disabled: false });
      await disableEndpoint(service, merchant.id, 'muted.example');
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
      await disableEndpoint(service, found.id, 'without-users.example');
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
      assert.equal((await client.post(`/uploads/${quiet.id}/import`, {})).status, 200);
      await untilState(client, quiet.id, 'done');
      const { id } = await checkFile(client, 'pots.ndjson', `${productLines(3)}nonsense\n`);
      assert.equal((await client.post(`/uploads/${id}/import`, { notify: true })).status, 200);
      await untilState(client, id, 'done');
      const mail = await server.mailTo(asking.email, /^Your import has finished$/);
      assert.match(
        mail.text,
        /The import of “pots\.ndjson” into the catalog of “Merchant no\. \d+” has finished\./,
      );
      assert.match(mail.text, /Products: 2 created, 0 updated, 1 unchanged, 1 rejected\./);
      assert.equal(linkIn(mail).href, `https://shop.example/console/products/upload?id=${id}`);
      await until(async () => (await queuedMails(service)).length === 0);
      const others = server.received.filter(
        ({ to, text }) => to.includes(other.email) || text.includes('quiet.ndjson'),
      );
      assert.deepEqual(others, []);
    });
  });

  it('no mail about an event is queued without a mail server', async () => {
    await using service = await startTestService(engine);
    const merchant = await service.newMerchant();
    const { email } = await newUser(service, merchant);
    const client = new ConsoleClient(service.client);
    await client.signIn(email);
    await disableEndpoint(service, merchant.id, 'hooks.example');
    const { id } = await checkFile(client, 'pots.ndjson', productLines(1));
    await client.post(`/uploads/${id}/import`, { notify: true });
    await untilState(client, id, 'done');
    await until(async () => (await service.database.all(listOutboxIds)).length === 0);
    assert.deepEqual(await queuedMails(service), []);
  });
});
