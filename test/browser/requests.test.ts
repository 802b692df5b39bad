import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FailedRequestList } from '../../src/console/catalog-api.ts';
import type { KeyList } from '../../src/console/console-api.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { revokeKey } from '../support/keys.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { choose, tabTo } from './keyboard.ts';

describeInBrowser('the page of API requests', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('explains why a request failed, finds it by its ID, and counts all requests, with the keyboard alone', async (t) => {
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
