import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { endOfDay } from '../../src/budgets/budgets.ts';
import type { WebhookList } from '../../src/console/console-api.ts';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import type { DomainError } from '../../src/errors/domain-error.ts';
import { formatTime } from '../../src/shared/timestamps.ts';
import type { WebhookRow } from '../../src/webhooks/queries.ts';
import { replayEvents } from '../../src/webhooks/replay-events.ts';
import { signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';
import { addWebhook, readWebhook, skipDelay } from './webhooks.ts';

const ATTEMPTS = 3;
const everything = { since: 0, until: Number.MAX_SAFE_INTEGER, onlyFailed: false };
const listStates = statement<{ webhookId: string }, { state: string }>(
  'SELECT state FROM webhook_deliveries WHERE webhook_id = :webhookId ORDER BY event_number',
);
const listResponses = statement<{ webhookId: string }, { response: string | null }>(
  'SELECT response FROM webhook_attempts WHERE webhook_id = :webhookId ORDER BY attempt',
);

forEachEngine((engine) => {
  let receiver: WebhookReceiver;
  let other: WebhookReceiver;
  before(async () => {
    receiver = await WebhookReceiver.start();
    other = await WebhookReceiver.start();
  });
  after(() => Promise.all([receiver.close(), other.close()]));

  describe('webhooks of a merchant', () => {
    const environment = { BUDGETS: `webhook_attempts_per_day=${ATTEMPTS}` };
    const findAddress = addressesOf(() => [receiver, other]);
    const service = useService(engine, { findAddress, environment });
    let merchant: TestMerchant;
    let webhook: WebhookRow;
    beforeEach(async () => {
      for (const each of [receiver, other]) {
        each.received.length = 0;
        each.respond = (_, response) => response.writeHead(204).end();
      }
      merchant = await service().newMerchant();
      webhook = await addWebhook(service(), merchant.id, receiver.url);
    });
    const createCampaign = async ({ token }: { token: string }): Promise<void> => {
      const json = { access_token: token, name: 'Spring', type: 'T' };
      const response = await service().request('POST', '/campaigns.json', { json });
      assert.equal(response.status, 200, response.text);
    };
    const states = async (): Promise<string[]> =>
      (await service().database.all(listStates, { webhookId: webhook.id })).map(({ state }) => state);
    const isDelivered = async (count: number): Promise<boolean> =>
      (await states()).filter((state) => state === 'delivered').length === count;
    const isFailing = async (row: WebhookRow): Promise<boolean> =>
      (await readWebhook(service().database, row)).failing_since !== null;
    const replay = () =>
      replayEvents(service().database, { merchantId: merchant.id, id: webhook.id }, everything);

    it('are replayed one replay after the other', async () => {
      await createCampaign(merchant);
      await until(() => isDelivered(1));
      const responding = Promise.withResolvers<void>();
      receiver.respond = async (_, response) => {
        await responding.promise;
        response.writeHead(204).end();
      };
      assert.equal(await replay(), 1);
      await assert.rejects(replay(), { code: 'replay_in_progress' });
      await until(() => receiver.received.length === 2);
      await assert.rejects(replay(), { code: 'replay_in_progress' });
      responding.resolve();
      await until(async () => Number.isInteger(await replay().catch((error: DomainError) => error.code)));
      await until(() => receiver.received.length === 3);
    });

    it('keep the text of the last response of a delivery only', async () => {
      let attempts = 0;
      receiver.respond = (_, response) => {
        attempts += 1;
        response.writeHead(attempts === 1 ? 500 : 200).end(`attempt ${attempts}`);
      };
      await createCampaign(merchant);
      await until(() => isFailing(webhook));
      await skipDelay(service().database, webhook);
      await until(() => isDelivered(1));
      const rows = await service().database.all(listResponses, { webhookId: webhook.id });
      assert.deepEqual(
        rows.map(({ response }) => response),
        [null, 'attempt 2'],
      );
    });

    it('wait for the next day once its attempts are used up, which the console shows, and lose no event', async () => {
      const browser = await signedIn(service(), merchant);
      const shown = async () => {
        const { webhooks } = (await browser.get('/webhooks')).json<WebhookList>();
        return webhooks.map(({ waits_until }) => waits_until);
      };
      assert.deepEqual(await shown(), [null]);
      await addWebhook(service(), OPERATOR_ID, other.url);
      const honest = await service().newMerchant();
      await addWebhook(service(), honest.id, other.url);
      for (let count = 0; count < ATTEMPTS + 2; count += 1) await createCampaign(merchant);
      const midnight = endOfDay(service().now());
      await until(async () => (await shown())[0] === formatTime(midnight));
      await until(() => isDelivered(ATTEMPTS));
      const testing = await browser.post(`/webhooks/${webhook.id}/test`);
      assert.equal(testing.status, 429);
      assert.equal(
        testing.message,
        `Budget webhook_attempts_per_day exceeded: at most ${ATTEMPTS} attempts to deliver events to webhooks per day (UTC).`,
      );
      await createCampaign(honest);
      // The operator’s webhook has no budget; the other one is of another merchant.
      await until(() => other.received.length === ATTEMPTS + 4);
      assert.deepEqual(receiver.received.length, ATTEMPTS);
      const metrics = (await service().health.metrics()).flat() as { name: string; values: object[] }[];
      const refusals = metrics.find(({ name }) => name === 'tradepost_budget_refusals_total');
      assert.match(JSON.stringify(refusals), /webhook_attempts_per_day/);
      service().passTime(midnight - service().now());
      await until(() => isDelivered(ATTEMPTS + 2));
    });
  });
});
