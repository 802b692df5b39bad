import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Notifications, ShopSettings } from '../../src/console/console-api.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { MailServer } from '../support/mail-server.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { inspectPage } from './inspect-page.ts';
import { choose, tabTo } from './keyboard.ts';

describeInBrowser('settings of the shop and of its users', () => {
  let server: MailServer;
  let service: TestService;
  before(async () => {
    server = await MailServer.start();
    service = await startTestService(sqlite, server);
  });
  const open = useBrowser(() => service);
  after(async () => {
    await service.close();
    await server.close();
  });

  it('change with the keyboard alone, and show what is wrong', async (t) => {
    const as = await signedIn(service, await service.newMerchant());
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/settings');
    await visitor.field('Shop name').waitFor();
    await tabTo(visitor, 'Shop name *');
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await visitor.reads('Enter a shop name.');
    await page.keyboard.type('12');
    await tabTo(visitor, 'Time zone');
    await page.keyboard.type('Europe/Vienna');
    await tabTo(visitor, 'Currency');
    await page.keyboard.type('EUR');
    visitor.expectFailure(400, '/console/api/shop');
    await choose(visitor, 'Save');
    await visitor.reads('"12" looks like an id: add a letter to the name.');
    await visitor.field('Shop name').fill('Alpine Vases');
    await page.keyboard.press('Enter');
    await visitor.reads('Settings saved.');
    const expected = { time_zone: 'Europe/Vienna', time_zone_fixed: false, currency: 'EUR' };
    assert.deepEqual((await as.get('/shop')).json<ShopSettings>(), { name: 'Alpine Vases', ...expected });
    await page.getByRole('navigation', { name: 'Console' }).getByText('Alpine Vases').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled());
  });

  it('include the mails that a user gets', async (t) => {
    const as = await signedIn(service, await service.newMerchant(), 'viewer');
    const visitor = await open(t, { as });
    await visitor.goTo('/account');
    const webhooks = visitor.page.getByLabel('A webhook was disabled');
    assert.ok(await webhooks.isChecked());
    await webhooks.focus();
    await visitor.page.keyboard.press('Space');
    const saved = async (): Promise<Notifications> => (await as.get('/notifications')).json<Notifications>();
    await until(async () => !(await saved()).webhook_disabled);
    await visitor.page.reload();
    await webhooks.waitFor();
    assert.deepEqual([await webhooks.isChecked(), (await saved()).keys_expiring], [false, true]);
    await inspectPage(visitor, 'account-notifications');
  });
});
