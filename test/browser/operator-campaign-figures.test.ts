import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HourlyPlacements } from '../../src/placements/hourly/hourly-placements.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { sqlite } from '../support/engines.ts';
import { signedInOperator } from '../support/operators.ts';
import { useService } from '../support/service.ts';
import { inspectPage } from './inspect-page.ts';

const HOUR_MS = 60 * 60 * 1000;

describeInBrowser('the figures of campaigns on the operator’s screen', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('are drawn by hour, category and price, and lead to the campaigns', async (t) => {
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
    const json = { access_token: merchant.token, name: 'Spring', type: 'T', daily_budget: 60 };
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
    await page.getByRole('definition').getByRole('link', { name: '1', exact: true }).click();
    await page.waitForURL(/state=Active/);
    await page.getByRole('row').filter({ hasText: 'Spring' }).waitFor();
  });
});
