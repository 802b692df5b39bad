import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { FailedRequestList } from '../../src/console/catalog-api.ts';
import type { KeyList, WebhookList } from '../../src/console/console-api.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { revokeKey } from '../support/keys.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';
import { choose, fill, tabTo, untilFocused, untilFocusKept } from './keyboard.ts';

describeInBrowser('the pages of webhooks and of requests, with the keyboard alone', () => {
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await WebhookReceiver.start();
  });
  after(() => receiver.close());
  const service = useService(sqlite, { findAddress: addressesOf(() => [receiver]) });
  const open = useBrowser(service);

  const webhooksOf = async (client: ConsoleClient): Promise<WebhookList['webhooks']> =>
    (await client.get('/webhooks')).json<WebhookList>().webhooks;
  const idsAt = (path: string): unknown[] =>
    receiver.received.filter((each) => each.path === path).map(({ headers }) => headers['webhook-id']);

  it('adds a webhook, sends a test event, edits it, and rotates its secret', async (t) => {
    const as = await signedIn(service(), await service().newMerchant());
    const visitor = await open(t, { as });
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await visitor.goTo('/webhooks');
    await visitor.reads('No webhooks yet');
    await choose(visitor, 'Add webhook');
    await untilFocused(visitor, 'URL *');
    await page.keyboard.type('https://127.0.0.1/');
    visitor.expectFailure(400, '/console/api/webhooks');
    await choose(visitor, 'Add webhook');
    await visitor.reads('Expected a URL with a public address.');
    await untilFocused(visitor, 'Add webhook');
    await fill(visitor, 'URL *', receiver.url);
    await dialog.getByText('Expected a URL').waitFor({ state: 'detached' });
    await fill(visitor, 'Description', 'Warehouse');
    await tabTo(visitor, 'All events');
    await page.keyboard.press('Space');
    await tabTo(visitor, 'campaign.paused');
    await page.keyboard.press('Space');
    await choose(visitor, 'Add webhook');
    await visitor.reads('Copy the secret now.');
    await untilFocusKept(visitor);
    await choose(visitor, 'Done');
    await dialog.waitFor({ state: 'detached' });
    await untilFocusKept(visitor);
    const [added] = await webhooksOf(as);
    assert.deepEqual(
      [added?.url, added?.description, added?.types],
      [receiver.url, 'Warehouse', ['campaign.paused']],
    );

    await choose(visitor, receiver.url);
    await visitor.reads('No deliveries yet');
    await choose(visitor, 'Send test event');
    await untilFocused(visitor, 'Send');
    await page.keyboard.press('Enter');
    await dialog.getByText(/^Status 204 \(\d+ ms\)$/).waitFor();
    assert.equal(idsAt('/hooks').length, 1);
    await untilFocused(visitor, 'Send again');
    await page.keyboard.press('Escape');
    await untilFocused(visitor, 'Send test event');

    await choose(visitor, 'Edit');
    await untilFocused(visitor, 'URL *');
    await fill(visitor, 'Description', 'Stock room');
    await choose(visitor, 'Save');
    await visitor.reads('Stock room');
    await untilFocused(visitor, 'Edit');
    await choose(visitor, 'Rotate secret');
    await dialog.waitFor();
    await choose(visitor, 'Rotate secret');
    await visitor.reads('Copy the secret now.');
    await untilFocusKept(visitor);
    await choose(visitor, 'Done');
    await untilFocused(visitor, 'Rotate secret');
  });

  it('resends events, disables, enables and deletes a webhook', async (t) => {
    const as = await signedIn(service(), await service().newMerchant());
    await as.post('/webhooks', { url: `${receiver.url}/sales`, types: 'campaign.created' });
    await as.post('/v1/campaigns', { name: 'Spring', type: 'T' });
    await until(() => idsAt('/hooks/sales').length === 1);
    const visitor = await open(t, { as });
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await visitor.goTo('/webhooks');
    await page.getByRole('link', { name: receiver.url }).waitFor();
    await choose(visitor, `${receiver.url}/sales`);
    await page.locator('summary').waitFor();
    await tabTo(visitor, 'Failed only');
    await page.keyboard.press('Space');
    await visitor.reads('No failed deliveries');
    await page.keyboard.press('Space');
    await page.locator('summary').waitFor();
    await page.keyboard.press('Tab');
    await untilFocused(visitor, /campaign\.created/);
    await page.keyboard.press('Enter');
    await choose(visitor, 'Resend campaign.created');
    await until(() => idsAt('/hooks/sales').length === 2);
    assert.equal(new Set(idsAt('/hooks/sales')).size, 1);
    await untilFocused(visitor, 'Resend campaign.created');

    await choose(visitor, 'Resend events');
    await untilFocused(visitor, 'Period');
    await page.keyboard.type('The last hour');
    await tabTo(visitor, 'Events');
    await page.keyboard.type('All events');
    await choose(visitor, 'Resend');
    await visitor.reads('Resending 1 event.');
    await until(() => idsAt('/hooks/sales').length === 3);
    await untilFocused(visitor, 'Resend events');

    await choose(visitor, 'Disable');
    await page.getByRole('button', { name: 'Enable' }).waitFor();
    await untilFocused(visitor, 'Enable');
    assert.equal((await webhooksOf(as))[0]?.state, 'disabled');
    await page.keyboard.press('Enter');
    await untilFocused(visitor, 'Disable');
    await choose(visitor, 'Delete');
    await untilFocused(visitor, 'Cancel');
    await choose(visitor, 'Delete webhook');
    await visitor.reads('No webhooks yet');
    await dialog.waitFor({ state: 'detached' });
    await untilFocusKept(visitor);
    assert.deepEqual(await webhooksOf(as), []);
  });

  it('explains why a request failed, finds it by its ID, and counts all requests', async (t) => {
    const merchant = await service().newMerchant();
    const as = await signedIn(service(), merchant);
    const revoked = await service().newKey(merchant);
    await revokeKey(service(), revoked.id);
    const send = async (token: string, query: object, id: string): Promise<void> => {
      const text = new URLSearchParams({ access_token: token, ...query });
      await service().request('GET', `/products?${text}`, { headers: { 'x-request-id': id } });
    };
    await send(merchant.token, {}, 'good-1');
    await send(merchant.token, { page: '0' }, 'night-1');
    await send(merchant.token, { colour: 'red' }, 'night-2');
    await send(revoked.token, {}, 'night-3');
    for (const method of ['GET', 'DELETE'])
      await service().request(method, `/nothing-here?access_token=${merchant.token}`);
    await until(async () => (await as.get('/requests')).json<FailedRequestList>().requests.length === 5);

    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/requests');
    await visitor.reads(/was revoked on .*, and was used once since\./);
    const usage = page.getByRole('region', { name: 'All requests' });
    await usage.getByRole('row', { name: 'GET /v1/products 4 3' }).waitFor();
    await usage.getByRole('row', { name: 'Unknown path 2 2' }).waitFor();
    assert.equal(await page.locator('summary').count(), 5);

    await tabTo(visitor, 'Request ID');
    await page.keyboard.type('night-2');
    await page.keyboard.press('Enter');
    await visitor.reads('The following parameters were provided but are not recognized: colour.');
    await visitor.reads('Remove the parameters that the message lists, or correct their names.');
    // The former list is shown until the search has a result.
    await until(async () => (await page.locator('summary').count()) === 1);
    assert.match(page.url(), /request_id=night-2/);

    await visitor.goTo('/requests');
    await page.getByLabel('Status').selectOption('401');
    await until(async () => (await page.locator('summary').count()) === 1);
    await page.locator('summary').focus();
    await page.keyboard.press('Enter');
    await visitor.reads('Create or rotate a key, and give the software its new token.');
    await choose(visitor, 'Refresh');

    const { name } =
      (await as.get('/keys')).json<KeyList>().keys.find(({ id }) => id === merchant.keyId) ?? {};
    await visitor.goTo('/keys');
    await visitor.follow(`Requests of ${name}`);
    const ofKey = page.getByRole('region', { name: `All requests with key ${merchant.keyId}` });
    await ofKey.getByRole('row', { name: 'GET /v1/products 3 2' }).waitFor();

    await visitor.goTo('/requests?request_id=unknown');
    await visitor.reads('No matching requests');
    await choose(visitor, 'Clear filters');
    await until(async () => (await page.locator('summary').count()) === 5);
  });
});
