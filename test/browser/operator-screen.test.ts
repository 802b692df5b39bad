import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { HourlyPlacements } from '../../src/placements/hourly/hourly-placements.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { invitedOperator, signedInOperator } from '../support/operators.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { inspectPage } from './inspect-page.ts';

const HOUR_MS = 60 * 60 * 1000;

describeInBrowser('the operator’s screen', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('finds merchants, pages, and actions in its palette by keyboard alone', async (t) => {
    for (const name of ['Alpine Vases', 'Alpine Pots', 'Coast Jugs'])
      await createMerchant(service(), { name, email: null, timeZone: 'UTC' });
    const { client } = await signedInOperator(service());
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    const palette = page.getByRole('combobox', { name: 'Merchant, page, or action' });
    const enter = async (text: string, option: string | RegExp): Promise<void> => {
      await page.keyboard.press('Control+k');
      await palette.waitFor();
      await page.keyboard.type(text);
      await page.getByRole('option', { name: option, selected: true }).waitFor();
    };
    await visitor.goTo('/');
    await visitor.sees('Overview');
    await enter('alp', /^Alpine/);
    await page.getByRole('option', { name: /^Alpine Pots/ }).waitFor();
    await inspectPage(visitor, 'operator-palette');
    await page.keyboard.type('ine v');
    await page.getByRole('option', { name: /^Alpine Vases/, selected: true }).waitFor();
    await page.getByRole('option', { name: /^Alpine Pots/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await visitor.sees('Alpine Vases');
    await enter('audit', 'Audit log');
    await page.keyboard.press('Enter');
    await visitor.sees('Audit log');
    await enter('suspended', 'Show suspended merchants');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/merchants\?state=suspended$/);
    await enter('create', 'Create merchant');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create merchant' }).waitFor();
    await until(async () => (await visitor.focused()).startsWith('Name'));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await page.keyboard.type('no such thing');
    await visitor.reads('Nothing found');
    await page.keyboard.press('Escape');
  });

  it('offers only what the operator may do in its palette, also from the navigation, and with “/” and “?”', async (t) => {
    // The first operator is an admin.
    await invitedOperator(service());
    const { client } = await signedInOperator(service(), 'viewer');
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await visitor.goTo('/lists');
    await visitor.sees('Lists');
    await page.getByRole('button', { name: /^Go to…/ }).click();
    await page.getByRole('option', { name: 'Sign out' }).waitFor();
    await page.getByRole('option', { name: 'Create merchant' }).waitFor({ state: 'detached' });
    await page.getByRole('option', { name: 'Invite operator' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await inspectPage(visitor, 'operator-shortcuts');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await visitor.sees('Merchants');
    await until(async () => (await visitor.focused()) === 'Search merchants');
  });

  it('lists campaigns by state, which an admin ends, whom the merchant sees', async (t) => {
    const { client, name } = await signedInOperator(service());
    const merchant = await service().newMerchant();
    for (const json of [
      { name: 'Spring', type: 'AuctionCampaign', daily_budget: 20 },
      { name: 'Autumn', type: 'T' },
    ]) {
      const body = { access_token: merchant.token, ...json };
      await service().request('POST', '/campaigns.json', { json: body });
    }
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await visitor.goTo('/campaigns');
    await visitor.sees('Campaigns');
    await visitor.reads('of US$20.00');
    await visitor.reads('Auction campaign, created');
    await page.getByRole('button', { name: 'End Spring' }).click();
    await visitor.press('End campaign');
    await visitor.reads('Spring has ended.');
    await inspectPage(visitor, 'operator-campaigns');
    await visitor.follow('Ended');
    await page.getByRole('row').filter({ hasText: 'Spring' }).waitFor();
    await page.getByText('Autumn').waitFor({ state: 'detached' });
    await visitor.follow('Budget spent');
    await visitor.reads('No such campaigns');

    const { client: support } = await signedInOperator(service(), 'support');
    const other = await open(t, { as: support, base: '/operator' });
    await other.goTo('/campaigns');
    await other.reads('Autumn');
    await other.page.getByRole('button', { name: 'Pause Autumn' }).waitFor({ state: 'detached' });
    const shop = await open(t, { as: await signedIn(service(), merchant) });
    await shop.goTo('/activity');
    await shop.reads(`Operator ${name}`);
  });

  it('draws the figures of campaigns by hour, category and price, which lead to the campaigns', async (t) => {
    const { database, now } = service();
    const hourly = new HourlyPlacements(database, (error) => assert.fail(String(error)));
    const count = (currency: string, category: string[], prices: number[], hoursAgo: number): void =>
      hourly.count(
        { currency, category },
        { awards: prices.map((price) => ({ price })) as never[] },
        now() - hoursAgo * HOUR_MS,
      );
    for (let hour = 0; hour < 48; hour++) {
      const prices = Array.from(
        { length: 5 + ((hour * 7) % 11) },
        (_, index) => 1_000 + ((hour + index) % 9) * 700,
      );
      count('USD', [['Watches'], ['Vases', 'Glass'], []][hour % 3] ?? [], prices, hour);
    }
    count('EUR', ['Books'], [9_900], 1);
    await hourly.flush();
    const merchant = await service().newMerchant();
    const json = { access_token: merchant.token, name: 'Summer', type: 'T', daily_budget: 60 };
    await service().request('POST', '/campaigns.json', { json });
    const { client } = await signedInOperator(service(), 'admin');
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await visitor.goTo('/campaigns');
    await visitor.sees('Campaigns');
    const chart = page.getByRole('application', { name: 'Spend by hour' });
    await chart.waitFor();
    await page.getByRole('application', { name: 'Placements by price' }).waitFor();
    await inspectPage(visitor, 'operator-campaign-figures');
    await chart.focus();
    await page.keyboard.press('End');
    await visitor.reads('This hour so far');
    const categories = page.getByRole('table', { name: 'Placements by the category that was asked for' });
    await categories.getByRole('row', { name: /Watches/ }).waitFor();
    await page.getByText('Show the values of each hour').click();
    const values = page.getByRole('table', { name: 'Spend by hour' });
    assert.equal(await values.getByRole('row').count(), 25);
    await page.getByText('Show the number of each price').click();
    await page.getByRole('table', { name: 'Placements by price' }).waitFor();
    await inspectPage(visitor, 'operator-campaign-values');
    await page.getByLabel('Period').selectOption('Last 7 days');
    await page.waitForURL(/\/campaigns\?hours=168$/);
    await page.getByLabel('Currency').selectOption('EUR');
    await page.waitForURL(/currency=EUR/);
    await categories.getByRole('row', { name: /Books/ }).waitFor();
    await page.getByLabel('Currency').selectOption('USD');
    await page.locator('dt:text-is("Active campaigns") + dd').getByRole('link').click();
    await page.waitForURL(/state=Active/);
    await page.getByRole('row').filter({ hasText: 'Summer' }).waitFor();
  });

  it('changes lists for all merchants and resets them, for admins, and shows them to viewers', async (t) => {
    const { client } = await signedInOperator(service());
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await visitor.goTo('/lists');
    await visitor.sees('Lists');
    const row = page.getByRole('row').filter({ hasText: 'Colors' });
    await row.getByRole('button', { name: 'Edit Colors' }).click();
    await visitor.field('Entries').fill('Teal\nRust\n\n');
    await visitor.press('Change for all merchants');
    await visitor.reads('Colors changed for all merchants.');
    await row.getByText('Operator').waitFor();
    const merchant = await service().newMerchant();
    const { colors } = (await service().get('/metadata', merchant)).json<{ colors: string[] }>();
    assert.deepEqual(colors, ['Teal', 'Rust']);
    await page.getByRole('row').filter({ hasText: 'Carriers' }).getByRole('button', { name: 'Edit' }).click();
    visitor.expectFailure(400, '/operator/v1/metadata/carriers');
    await visitor.field('Entries').fill('UPS');
    await visitor.press('Change for all merchants');
    await page
      .getByRole('dialog')
      .getByText(/expected/)
      .first()
      .waitFor();
    await visitor.press('Cancel');
    await inspectPage(visitor, 'operator-lists');
    await row.getByRole('button', { name: 'Reset Colors' }).click();
    await visitor.press('Reset list');
    await row.getByText('Tradepost').waitFor();

    const { client: viewer } = await signedInOperator(service(), 'viewer');
    const other = await open(t, { as: viewer, base: '/operator' });
    await other.goTo('/lists');
    await other.page.getByRole('button', { name: 'Show Colors' }).click();
    assert.ok(await other.page.getByRole('button', { name: 'Change for all merchants' }).isDisabled());
  });
});
