import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, type TestService, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';
import { addWebhook, readWebhook, rotate, storeSecret } from './webhooks.ts';

const readTable = statement<unknown, Record<string, unknown>>('SELECT * FROM webhooks');
const setLeaseUntil = statement<{ id: string; until: number }, never>(
  'UPDATE webhooks SET lease_until = :until WHERE id = :id',
);

/** These parts must not be found anywhere. */
const partsOf = (secret: string): string[] => ['whsec_', secret.slice('whsec_'.length)];
const createCampaign = async (service: TestService, { token }: TestMerchant): Promise<void> => {
  const json = { access_token: token, name: 'Spring', type: 'T' };
  const response = await service.request('POST', '/campaigns.json', { json });
  assert.equal(response.status, 200, response.text);
};

forEachEngine((engine) => {
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await WebhookReceiver.start();
  });
  after(() => receiver.close());

  describe('the secrets of webhooks', () => {
    const service = useService(engine, { findAddress: addressesOf(() => [receiver]) });
    let merchant: TestMerchant;
    beforeEach(async () => {
      receiver.received.length = 0;
      merchant = await service().newMerchant();
    });
    const assertSignedBy = (...secrets: string[]): void => {
      const { body, headers } = receiver.received.at(-1) ?? assert.fail('nothing received');
      assert.equal(String(headers['webhook-signature']).split(' ').length, secrets.length);
      for (const secret of secrets)
        new StandardWebhook(secret).verify(body, headers as Record<string, string>);
    };
    const arrival = (count: number): Promise<unknown> => until(() => receiver.received.length === count);

    it('are in the database only encrypted, and sign messages, also the former one after a rotation', async () => {
      const webhook = await addWebhook(service(), merchant.id, receiver.url);
      await createCampaign(service(), merchant);
      await arrival(1);
      assertSignedBy(webhook.plainSecret);
      const rotated = await rotate(service(), webhook);
      await createCampaign(service(), merchant);
      await arrival(2);
      assertSignedBy(rotated, webhook.plainSecret);
      const stored = JSON.stringify(await service().database.all(readTable));
      for (const part of [webhook.plainSecret, rotated].flatMap(partsOf))
        assert.ok(!stored.includes(part), part);
      const { secret, former_secret: former } = await readWebhook(service().database, webhook);
      for (const value of [secret, former]) assert.match(value ?? '', /^enc:[0-9a-f]{8}:[\w-]+$/);
    });

    it('are refused in the row of another webhook or merchant, and if they were changed', async () => {
      const { database } = service();
      const { secrets } = service().webhooksOf(OPERATOR_ID);
      const [mine, theirs] = [
        await addWebhook(service(), merchant.id, receiver.url),
        await addWebhook(service(), (await service().newMerchant()).id, receiver.url),
      ];
      const row = await readWebhook(database, mine);
      assert.deepEqual(await secrets.decrypt(row, service().now()), [mine.plainSecret]);
      for (const moved of [
        { ...theirs, secret: row.secret },
        { ...row, merchant_id: -row.merchant_id },
        { ...row, secret: `${row.secret.slice(0, -5)}AAAAA` },
        { ...row, secret: mine.plainSecret },
      ])
        await assert.rejects(
          secrets.decrypt(moved, service().now()),
          /was changed(, or belongs to another row)?\.$/,
        );
    });

    it('of a row that was changed delay only its own messages', async () => {
      const [changed, intact] = [
        await addWebhook(service(), merchant.id, receiver.url),
        await addWebhook(service(), merchant.id, receiver.url),
      ];
      await storeSecret(service().database, changed, (await readWebhook(service().database, intact)).secret);
      await createCampaign(service(), merchant);
      await arrival(1);
      assertSignedBy(intact.plainSecret);
      await until(() => service().log.some((line) => line.includes('belongs to another row')));
      assert.equal(receiver.received.length, 1);
      await storeSecret(service().database, changed, changed.secret);
      await service().database.transaction((connection) =>
        connection.run(setLeaseUntil, { id: changed.id, until: 0 }),
      );
      await arrival(2);
      assertSignedBy(changed.plainSecret);
    });

    it('that another node encrypted with a newer key are decrypted after reading the file again', async () => {
      const webhook = await addWebhook(service(), merchant.id, receiver.url);
      const { encryptionKeyFile: file } = service().config;
      await appendFile(file, `0000000a ${randomBytes(32).toString('base64url')}\n`);
      const rotated = await rotate(service(), webhook);
      assert.match((await readWebhook(service().database, webhook)).secret, /^enc:0000000a:/);
      await createCampaign(service(), merchant);
      await arrival(1);
      assertSignedBy(rotated, webhook.plainSecret);
    });
  });
});
