import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ScheduleDraft } from '../../src/sales/schedule-draft.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { draft, importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { inspectPage, SIZES, SOME_THEMES } from './inspect-page.ts';
import { addDays } from './sales.ts';

const PICTURE = 'https://images.example.com/pot.jpg';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';

describeInBrowser('sales of a range of days', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);
  const daysAgo = (days: number): string =>
    addDays(new Date(service().now()).toISOString().slice(0, 10), -days);

  const at = (name: string, day: string, product: string, sale_price: number): ScheduleDraft => ({
    ...{ merchant: null, schedule_id: name, product_identifier: product, sold: true, sale_price },
    ...{ scheduled_at: Date.parse(`${day}T00:00:00Z`), rating: null },
  });

  it('have one range for the page, which is in the URL, and is compared with last year on request', async (t) => {
    const shop = await service().newMerchant();
    const today = daysAgo(0);
    await importDrafts(service(), shop, [
      [draft('P-1', { title: 'Large pot', primary_image: PICTURE }), draft('P-2', { title: 'Small pot' })],
    ]);
    const [year = 0, month = 1, day = 1] = daysAgo(3).split('-').map(Number);
    const yearAgo = new Date(Date.UTC(year - 1, month - 1, day)).toISOString().slice(0, 10);
    await importScheduleDrafts(service(), shop, [
      [
        at('1', daysAgo(2), 'P-1', 3000),
        at('2', daysAgo(3), 'P-2', 1000),
        at('3', daysAgo(3), 'P-2', 1000),
        at('4', daysAgo(9), 'P-1', 4000),
        at('5', yearAgo, 'P-1', 2000),
      ],
    ]);
    const visitor = await open(t, { as: await signedIn(service(), shop) });
    const { page } = visitor;
    visitor.expectProblem(/^request to another origin: https:\/\/images\.example\.com\//);
    await visitor.context.route(PICTURE, (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: SVG }),
    );
    await visitor.goTo('/sales');
    const figure = page.locator('dl').first().locator('dd').first();
    const reads = (text: string): Promise<void> => figure.getByText(text).waitFor();
    await page.getByRole('combobox', { name: 'Range' }).selectOption('Last 7 days');
    await page.waitForURL(/range=7/);
    await reads('$50.00');
    await reads('+25%');
    assert.equal(await page.getByRole('combobox', { name: 'Group by' }).inputValue(), 'day');
    const table = page.getByRole('region', { name: 'Table of daily totals' });
    await until(async () => (await table.locator('tbody tr').count()) === 2);
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption('vs. last year');
    await page.waitForURL(/compare=last_year/);
    await reads('+150%');
    await page.reload();
    await reads('+150%');
    const products = page.getByRole('region', { name: 'By product' });
    const names = (): Promise<string[]> => products.locator('tbody .mono').allInnerTexts();
    await until(async () => (await names()).join() === 'P-1,P-2');
    await products.getByRole('link', { name: 'Sold', exact: true }).click();
    await page.waitForURL(/sort=orders_descending/);
    await until(async () => (await names()).join() === 'P-2,P-1');
    assert.equal(await products.locator('th[aria-sort=descending]').innerText(), 'Sold');
    await products.getByRole('link', { name: 'Sold', exact: true }).click();
    await until(async () => (await names()).join() === 'P-1,P-2');
    await inspectPage(visitor, 'sales-of-days', SOME_THEMES);
    await page.getByRole('combobox', { name: 'Range' }).selectOption('Custom');
    await page.waitForURL(/from=/);
    await page.getByLabel('First day').fill(daysAgo(2));
    await page.waitForURL(
      ({ searchParams: asked }) => asked.get('from') === daysAgo(2) && asked.get('to') === today,
    );
    await reads('$30.00');
    await until(async () => (await names()).join() === 'P-1');
    await page.goBack();
    await reads('$50.00');
  });

  it('show the first chart on a phone without scrolling', async (t) => {
    const shop = await service().newMerchant();
    await importDrafts(service(), shop, [[draft('P-1')]]);
    await importScheduleDrafts(service(), shop, [[at('1', daysAgo(2), 'P-1', 3000)]]);
    const visitor = await open(t, { as: await signedIn(service(), shop) });
    await visitor.page.setViewportSize(SIZES.phone);
    await visitor.goTo('/sales');
    const chart = visitor.page.getByRole('application', { name: 'Total sales' });
    await chart.waitFor();
    const box = await chart.boundingBox();
    assert.ok(box !== null && box.y + box.height < SIZES.phone.height, JSON.stringify(box));
  });
});
