import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { FailedRequestList } from '../../src/console/catalog-api.ts';
import type { NewConsoleWebhook } from '../../src/console/console-api.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { importFileByApi } from '../support/imports.ts';
import { signedInOperator } from '../support/operators.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';
import { inspectPage } from './inspect-page.ts';

describeInBrowser('the operator’s pages about merchants’ integrations', () => {
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await WebhookReceiver.start();
  });
  after(() => receiver.close());
  const service = useService(sqlite, { findAddress: addressesOf(() => [receiver]) });
  const open = useBrowser(service);

  it('find a failing integration, and explain why it fails', async (t) => {
    const merchant = await service().newMerchant();
    const console = await signedIn(service(), merchant);
    const query = new URLSearchParams({ access_token: merchant.token, colour: 'red' });
    await service().request('GET', `/products?${query}`, { headers: { 'x-erp-name': 'Ledger 7' } });
    await until(async () => (await console.get('/requests')).json<FailedRequestList>().requests.length === 1);
    const { client } = await signedInOperator(service());
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await visitor.goTo('/');
    await visitor.follow('Calls');
    await visitor.sees('Calls');
    const row = page.getByRole('row').filter({ hasText: 'unrecognized_parameters' });
    await row.waitFor();
    assert.match(await row.innerText(), /GET \/v1\/products[\s\S]*Remove the parameters/);
    await inspectPage(visitor, 'operator-calls');
    await row.getByRole('link', { name: '1 merchant' }).click();
    await visitor.reads('Only 400 unrecognized_parameters GET /v1/products');
    await row.getByRole('listitem').getByRole('link').click();
    await visitor.reads(/^Failed calls of Merchant/);
    await page.locator('summary').click();
    await visitor.reads('The following parameters were provided but are not recognized: colour.');
    await visitor.reads('Ledger 7');
    await inspectPage(visitor, 'operator-calls-log');
  });

  it('show all imports, by state and source', async (t) => {
    const merchant = await service().newMerchant();
    await importFileByApi(service(), merchant, 'identifier,title\nPOT-1,Pot\n');
    const { client } = await signedInOperator(service());
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await visitor.goTo('/imports');
    await page.getByRole('row').filter({ hasText: 'Done' }).waitFor();
    await inspectPage(visitor, 'operator-imports');
    await visitor.follow('Failed');
    await visitor.reads('No imports');
    await visitor.follow('Finished');
    await visitor.field('Source').selectOption('CSV');
    await page.getByRole('row').filter({ hasText: 'Done' }).waitFor();
  });

  it('find a failing webhook, and send its event again', async (t) => {
    receiver.respond = (_, response) => response.writeHead(500).end('out of order');
    const merchant = await service().newMerchant();
    const console = await signedIn(service(), merchant);
    const created = await console.post('/webhooks', { url: receiver.url, types: 'campaign.created' });
    const { id } = created.json<NewConsoleWebhook>();
    await console.post('/v1/campaigns', { name: 'Spring', type: 'T' });
    await until(() => receiver.received.length > 0);
    const { client } = await signedInOperator(service());
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await until(async () => {
      const { text } = await console.get('/webhooks');
      return text.includes('"failing"');
    });
    await visitor.goTo('/webhooks');
    await visitor.follow(receiver.url);
    await visitor.sees('Webhook');
    await page.locator('summary').click();
    await visitor.reads('out of order');
    await inspectPage(visitor, 'operator-webhook');
    receiver.respond = (_, response) => response.writeHead(204).end();
    await visitor.press('Send test event');
    await visitor.press('Send');
    await visitor.reads('Status 204');
    await page.keyboard.press('Escape');
    await visitor.press('Resend campaign.created');
    await visitor.reads('Delivered');
    await visitor.press('Disable');
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await visitor.reads('Disabled by an operator');
    await visitor.goTo('/webhooks?state=disabled');
    await page.getByRole('link', { name: receiver.url }).waitFor();
    assert.match((await console.get('/webhooks')).text, new RegExp(`"${id}"[\\s\\S]*"operator"`));

    await visitor.follow('Events');
    await visitor.field('Type').selectOption('campaign.created');
    await page.locator('summary').first().waitFor();
    await page.locator('summary').first().click();
    await visitor.reads('"name": "Spring"');
    await inspectPage(visitor, 'operator-events');
  });
});
