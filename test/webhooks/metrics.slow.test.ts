import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { checkWebhooks } from '../../src/doctor/check-webhooks.ts';
import { changeWebhook, createWebhook } from '../../src/webhooks/manage-webhooks.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';

interface Figure {
  name: string;
  values: { value: number; labels: { outcome?: string } }[];
}

forEachEngine((engine) => {
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await WebhookReceiver.start();
  });
  after(() => receiver.close());
  const service = useService(engine, { findAddress: addressesOf(() => [receiver]) });
  const read = async (name: string, outcome?: string): Promise<number> => {
    const figures = (await service().health.metrics()).flat() as Figure[];
    const values = figures.find((figure) => figure.name === `tradepost_${name}`)?.values ?? [];
    return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
  };

  it('metrics and doctor tell how many webhooks fail and are disabled', async () => {
    const { database, now } = service();
    const operator = service().webhooksOf(OPERATOR_ID);
    const examine = (): ReturnType<typeof checkWebhooks> => checkWebhooks(database, database.dialect, now());
    assert.equal((await examine()).result, 'ok');
    receiver.respond = (_, response) => response.writeHead(500).end();
    const fields = { url: receiver.url, types: ['key.created'], description: '' } as const;
    const { id } = await runVerb(service(), operator, createWebhook, fields);
    await service().newMerchant();
    await until(async () => (await read('webhook_attempts_total', 'retried')) > 0);
    await until(async () => (await read('webhooks_failing')) === 1);
    const failing = await examine();
    assert.equal(failing.result, 'warning');
    assert.match(failing.message, /1 in all, 1 failing, 0 disabled/);
    await runVerb(service(), operator, changeWebhook, { id, enabled: false });
    await until(async () => (await read('webhooks_disabled')) === 1);
    assert.equal((await examine()).result, 'ok');
    assert.equal(await read('webhook_seconds'), 0);
  });
});
