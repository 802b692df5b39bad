import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { testSideOf } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';
import { addWebhook } from './webhooks.ts';

const WEBHOOKS_PER_SIDE = 20;
const countAttempted = statement<{ url: string }, { attempted: number }>(
  `SELECT CAST(count(*) AS integer) AS attempted
   FROM webhook_deliveries d JOIN webhooks e ON e.id = d.webhook_id WHERE d.attempts > 0 AND e.url = :url`,
);
const countWebhooks = statement<unknown, { webhooks: number }>(
  'SELECT CAST(count(*) AS integer) AS webhooks FROM webhooks WHERE due_at IS NOT NULL',
);

forEachEngine((engine) => {
  describe('webhooks of a merchant', () => {
    let slow: WebhookReceiver;
    let honest: WebhookReceiver;
    before(async () => {
      slow = await WebhookReceiver.start();
      honest = await WebhookReceiver.start();
    });
    // Before the service stops, which would wait for the attempts.
    after(() => Promise.all([slow.close(), honest.close()]));
    const service = useService(engine, { findAddress: addressesOf(() => [slow, honest]) });
    const addWebhooks = async (merchantId: number, url: string, count: number): Promise<void> => {
      for (let added = 0; added < count; added += 1) await addWebhook(service(), merchantId, url);
    };
    const createCampaign = async ({ token }: { token: string }): Promise<void> => {
      const json = { access_token: token, name: 'Spring', type: 'T' };
      const response = await service().request('POST', '/campaigns.json', { json });
      assert.equal(response.status, 200, response.text);
    };

    it('do not wait while three other merchants have 40 webhooks each that never respond', async () => {
      slow.respond = () => {};
      const hostile: TestMerchant[] = [];
      for (let count = 0; count < 3; count += 1) hostile.push(await service().newMerchant());
      for (const merchant of hostile) {
        await addWebhooks(merchant.id, slow.url, WEBHOOKS_PER_SIDE);
        await addWebhooks(testSideOf(merchant.id), slow.url, WEBHOOKS_PER_SIDE);
        await createCampaign(merchant);
        await createCampaign(await service().newTestKey(merchant));
      }
      const { database } = service();
      await until(async () => (await database.first(countWebhooks))?.webhooks === 120);
      await until(() => slow.received.length >= 3);
      const merchant = await service().newMerchant();
      await addWebhooks(merchant.id, honest.url, 1);
      await createCampaign(merchant);
      await until(() => honest.received.length > 0);
      // Each hostile attempt ends after 15 seconds, and would then leave its place.
      assert.equal((await database.first(countAttempted, { url: slow.url }))?.attempted, 0);
    });
  });
});
