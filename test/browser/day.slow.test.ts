import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import type { FailedRequestList } from '../../src/console/catalog-api.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { ConsoleClient, newUser, PASSWORD } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { codeOf, enableTwoFactor } from '../support/totp.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';

const PATHS_THAT_CHANGE = [
  ['POST', '/v1/products/update'],
  ['POST', '/products/bulk'],
  ['POST', '/v1/campaigns'],
  ['POST', '/v1/orders/fulfill'],
  ['POST', '/v1/orders/refund'],
  ['POST', '/orders/reveal'],
  ['POST', '/keys'],
  ['POST', '/webhooks'],
  ['POST', '/team'],
  ['POST', '/shop'],
  ['POST', '/imports?name=a.csv'],
] as const;

forEachEngine((engine) => {
  describeInBrowser('a merchant’s day', () => {
    let receiver: WebhookReceiver;
    before(async () => {
      receiver = await WebhookReceiver.start();
    });
    after(() => receiver.close());
    const service = useService(engine, { findAddress: addressesOf(() => [receiver]) });
    const open = useBrowser(service);

    it('from the sign-in with two factors to the export of the list', async (t) => {
      const merchant = await service().newMerchant();
      const { email } = await newUser(service(), merchant);
      const api = new ConsoleClient(service().client);
      await api.signIn(email);
      const app = await enableTwoFactor(api);
      const drafts = Array.from({ length: 40 }, (_, index) =>
        draft(`P-${index}`, { title: index < 10 ? `Oak lamp ${index}` : `Vase ${index}`, buy_now_price: 20 }),
      );
      await importDrafts(service(), merchant, [drafts]);
      const operator = await service().newOperatorToken();
      const reasons = [{ code: 'title', field: 'title', message: 'Say what the vase is made of.' }];
      await service().operator('PUT', `/merchants/${merchant.id}/products/P-39/moderation`, operator, {
        json: { state: 'problematic', reasons },
      });
      for (const [index, name] of ['Cleo Weaver', 'Dan Potter'].entries())
        await service().operator('PUT', `/merchants/${merchant.id}/orders/MP-${index}`, operator, {
          json: {
            product_identifier: `P-${index}`,
            available_refunds: { buyer_fee: 20, shipping_fee: 5 },
            fulfillment_due_date: new Date(service().now() - 1_000).toISOString(),
            customer_name: name,
            address1: '7 Mill Lane',
          },
        });
      await api.post('/v1/campaigns', { name: 'Autumn', type: 'T' });
      await api.post('/webhooks', { url: receiver.url, description: 'Warehouse', types: 'campaign.paused' });
      await service().request('GET', `/products?access_token=${merchant.token}&colour=red`, {
        headers: { 'x-request-id': 'last-night' },
      });
      await until(async () => (await api.get('/requests')).json<FailedRequestList>().requests.length === 1);

      const visitor = await open(t);
      const { page } = visitor;
      const menu = page.getByRole('navigation', { name: 'Console' });
      await visitor.goTo('/sign-in');
      await visitor.signIn(email, PASSWORD);
      await visitor.field('Authentication code').fill(codeOf(app, 1));
      await visitor.press('Continue');
      await visitor.sees('Overview');

      // Finds ten products, and changes their prices.
      await menu.getByRole('link', { name: 'Products', exact: true }).click();
      await page.getByPlaceholder('Title, SKU, or identifier').fill('oak');
      await visitor.reads('1–10 of 10 products');
      await page.getByLabel('Select page').check();
      await visitor.press('Set price');
      await visitor.field('New value').fill('24.5');
      await visitor.press('Preview changes');
      await visitor.reads('Set Buy-now price to $24.50 · 10 products');
      await visitor.press('Apply');
      await page.getByRole('heading', { name: 'Applied', exact: true }).waitFor();
      const prices = (await allProducts(service(), merchant)).map(({ buy_now_price: price }) => price);
      assert.equal(prices.filter((price) => price === 24.5).length, 10);

      // Corrects a product that the operator found a problem with.
      await visitor.goTo('/products?status=problematic');
      await page.getByRole('link', { name: 'Vase 39' }).click();
      await visitor.reads('Say what the vase is made of.');
      await visitor.field('Title').fill('Vase of clay');
      await visitor.press('Save');
      await visitor.sees('Vase of clay');

      // Ships an overdue order, and refunds the shipping fee of the other one, whose customer has called.
      await menu.getByRole('link', { name: 'Overview', exact: true }).click();
      await page.getByRole('link', { name: /^2 Overdue$/ }).click();
      await visitor.reads('2 orders');
      await visitor.follow('Oak lamp 0');
      await visitor.press('Show address');
      await visitor.reads('7 Mill Lane');
      await visitor.press('Ship');
      await visitor.field('Carrier').selectOption({ label: 'DHL Express' });
      await visitor.field('Tracking number').fill('1234567890');
      await page.keyboard.press('Enter');
      await visitor.reads('Order 1 shipped.');
      await visitor.reads('Package shipped: DHL Express 1234567890, 1 unit');
      await menu.getByRole('link', { name: 'Orders', exact: true }).click();
      await visitor.field('Search orders').fill('potter');
      await visitor.reads('1 order');
      await visitor.follow('Oak lamp 1');
      await visitor.press('Refund');
      await page.getByLabel('A part').check();
      await page.getByLabel('Buyer fee: $20.00').uncheck();
      await visitor.field('Reason').selectOption('delay_in_shipping');
      await visitor.press('Refund $5.00');
      await visitor.reads('Refund of $5.00 requested.');
      const sold = (await api.get('/v1/orders?sort=id_asc')).json<OrderRecord[]>();
      assert.deepEqual(
        sold.map(({ status, refunds }) => [status, refunds.map(({ amount }) => amount)]),
        [
          ['shipped', []],
          ['paid', [5]],
        ],
      );

      await menu.getByRole('link', { name: 'Campaigns', exact: true }).click();
      await visitor.follow('Autumn');
      await visitor.press('Pause');
      await visitor.reads('Paused');
      await until(() => receiver.received.length === 1);

      await menu.getByRole('link', { name: 'API requests', exact: true }).click();
      await visitor.field('Request ID').fill('last-night');
      await visitor.press('Find');
      await visitor.reads('The following parameters were provided but are not recognized: colour.');
      await visitor.reads('Remove the parameters that the message lists, or correct their names.');

      await menu.getByRole('link', { name: 'Webhooks', exact: true }).click();
      await page.getByRole('link', { name: receiver.url }).click();
      await page.locator('summary').filter({ hasText: 'campaign.paused' }).click();
      await page.getByRole('button', { name: 'Resend campaign.paused' }).click();
      await until(() => receiver.received.length === 2);
      const [first, second] = receiver.received;
      assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id']);

      await menu.getByRole('link', { name: 'Team', exact: true }).click();
      await visitor.press('Invite user');
      await visitor.field('Name').fill('Vera');
      await visitor.field('Email').fill(`vera-${engine.name}@example.com`);
      await page.getByLabel('Viewer').check();
      await visitor.press('Invite');
      const link = new URL(await page.getByRole('dialog').locator('pre').innerText());
      const vera = await open(t);
      await vera.goTo(`/set-password${link.hash}`);
      await vera.field('Password').fill(PASSWORD);
      await vera.press('Set password');
      await vera.follow('Sign in');
      await vera.signIn(`vera-${engine.name}@example.com`, PASSWORD);
      await vera.sees('Overview');
      const asViewer = new ConsoleClient(service().client);
      await asViewer.signIn(`vera-${engine.name}@example.com`);
      for (const [method, path] of PATHS_THAT_CHANGE)
        assert.equal((await asViewer.request(method, path, { json: {} })).status, 403, path);

      await visitor.goTo('/products?query=lamp');
      await visitor.reads('1–10 of 10 products');
      const started = page.waitForEvent('download');
      await visitor.follow('Export CSV');
      const text = await readFile(await (await started).path(), 'utf8');
      const lines = text.trimEnd().split(/\r?\n/);
      assert.equal(lines.length, 11);
      assert.ok(lines.slice(1).every((line) => line.includes('Oak lamp') && line.includes('24.5')));
    });
  });
});
