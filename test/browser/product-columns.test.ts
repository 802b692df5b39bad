import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { moderateProduct } from '../../src/products/moderation/moderate-product.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { inspectPage, SIZES } from './inspect-page.ts';
import { choose, tabTo, untilFocused } from './keyboard.ts';

/** Returns the visible controls of the page above an element, in rows: the names of each row. */
async function rowsAbove(locator: Locator): Promise<string[][]> {
  return await locator.evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    const rows = new Map<number, string[]>();
    for (const control of element.ownerDocument.querySelectorAll('#main :is(a, button, input, select)')) {
      const box = control.getBoundingClientRect();
      if (box.width < 2 || box.height < 2 || box.bottom > top) continue;
      const row = Math.round((box.top + box.height / 2) / 24);
      rows.set(row, [...(rows.get(row) ?? []), control.ariaLabel ?? control.textContent.trim()]);
    }
    return [...rows.values()];
  });
}

describeInBrowser('the columns and controls of the list of products', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);
  let merchant: TestMerchant;
  /** A user of the shop, with a choice of its own. */
  const newUser = (): Promise<ConsoleClient> => signedIn(service(), merchant);
  before(async () => {
    merchant = await service().newMerchant();
    const drafts = Array.from({ length: 30 }, (_, index) =>
      draft(`STONEWARE-POT-${index}`, {
        title: `Stoneware pot for herbs on the windowsill, glazed by hand, no. ${index}`,
        category: 'Home and garden | Pots and planters',
        buy_now_price: 12_345.6,
        cost_basis: index === 29 ? 13_000 : 9_876.54,
        retail_price: 20_000,
        minimum_bid_amount: 9_999,
        reserve_price: 8_888.5,
        scheduling_fee_bid: 1_234.5,
        available_quantity: 12_345,
        brand: 'The Stoneware Company of the North',
        campaign_name: 'Spring in the garden and on the balcony',
        condition: 'Refurbished - Manufacturer',
        ratings_average: 4.25,
        sales_count: 12_345,
        created_at: `2026-01-${String(index + 1).padStart(2, '0')}T00:00:00Z`,
      }),
    );
    await importDrafts(service(), merchant, [drafts]);
    const caller = { merchantId: merchant.id, who: OPERATOR, lowInventory: 5 };
    const decision = { identifier: 'STONEWARE-POT-29', state: 'problematic', reasons: [] } as const;
    await runVerb(service(), caller, moderateProduct, decision, { locksMerchant: true });
  });

  const headers = async (page: Page): Promise<string[]> =>
    (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim());
  const table = (page: Page): Locator => page.locator('.table-frame').first();
  const shows = (page: Page, ...wanted: string[]): Promise<boolean> =>
    until(async () => (await headers(page)).join() === wanted.join());

  it('fit a window of 1280 px, with the margin of each product', async (t) => {
    const visitor = await open(t, { as: await newUser() });
    const { page } = visitor;
    await page.setViewportSize({ width: 1280, height: 900 });
    await visitor.goTo('/products');
    await visitor.reads('of 30 products');
    const defaults = ['Product', 'Status', 'Stock', 'Price', 'Cost basis', 'Margin', 'Sales', 'Updated'];
    await shows(page, ...defaults);
    const cut = await table(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    assert.equal(cut, 0);
    const bar = page.getByRole('searchbox', { name: 'Search products' });
    const [first, last] = [await bar.boundingBox(), await visitor.field('Per page').boundingBox()];
    assert.equal(first?.y, last?.y, 'all controls are in one row');
    await page.getByRole('cell', { name: '20.0%' }).first().waitFor();
    await page
      .getByRole('row', { name: /no\. 29/ })
      .getByText('-5.3%')
      .waitFor();
    await inspectPage(visitor, 'products-columns-default');
  });

  it('are chosen with the keyboard, remembered in another browser, and restored', async (t) => {
    const as = await newUser();
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/products');
    await visitor.reads('of 30 products');
    await choose(visitor, 'Columns');
    await untilFocused(visitor, 'Status');
    const dialog = page.getByRole('dialog', { name: 'Columns' });
    for (const name of ['Status', 'Cost basis', 'Sales', 'Updated', 'Campaign', 'Created']) {
      if (name !== 'Status') await tabTo(visitor, name);
      await page.keyboard.press('Space');
      await untilFocused(visitor, name);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await untilFocused(visitor, 'Columns');
    const chosen = ['Product', 'Stock', 'Price', 'Margin', 'Campaign', 'Created'];
    await shows(page, ...chosen);
    await inspectPage(visitor, 'products-columns-chosen');

    const elsewhere = await open(t, { as });
    await elsewhere.goTo('/products');
    await shows(elsewhere.page, ...chosen);
    await elsewhere.goTo('/products?sort=ratings_descending');
    await shows(elsewhere.page, ...chosen.slice(0, 5), 'Rating', 'Created');
    await elsewhere.press('Columns');
    await elsewhere.press('Restore default');
    await shows(
      elsewhere.page,
      ...['Product', 'Status', 'Stock', 'Price', 'Cost basis', 'Margin', 'Rating', 'Sales', 'Updated'],
    );
    await page.reload();
    await page.getByRole('columnheader', { name: 'Status' }).waitFor();
  });

  it('are shown again as they were if the choice cannot be stored', async (t) => {
    const visitor = await open(t, { as: await newUser() });
    const { page } = visitor;
    await visitor.goTo('/products');
    await page.getByRole('columnheader', { name: 'Margin' }).waitFor();
    await visitor.press('Columns');
    await page.getByRole('dialog', { name: 'Columns' }).waitFor();
    await inspectPage(visitor, 'products-columns-menu');
    await page.route('**/console/api/product-columns', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { message: 'The choice was not stored.' } })
        : route.continue(),
    );
    visitor.expectFailure(400, '/console/api/product-columns');
    await visitor.field('Margin').uncheck();
    await visitor.reads('The choice was not stored.');
    await page.getByRole('columnheader', { name: 'Margin' }).waitFor();
    assert.ok(await visitor.field('Margin').isChecked());
  });

  for (const [name, viewport] of Object.entries(SIZES).filter(([size]) => size !== 'desktop')) {
    it(`on a ${name} screen, one row of controls is before the first product`, async (t) => {
      const visitor = await open(t, { as: await newUser(), context: { viewport, hasTouch: true } });
      const { page } = visitor;
      await visitor.goTo('/products');
      await visitor.reads('of 30 products');
      const product = page.locator('tbody').getByRole('link').first();
      const box = await product.boundingBox();
      assert.ok(box !== null && box.y < viewport.height / 2, `it is at ${box?.y}`);
      const rows = await rowsAbove(page.locator('tbody tr').first());
      assert.deepEqual(rows, [
        ['Export CSV', 'Upload file', 'Add product'],
        ['Search products', 'Filters'],
      ]);
      await visitor.press('Filters');
      const tabs = page.getByRole('navigation', { name: 'Status' });
      await tabs.getByRole('link', { name: /^In stock/ }).click();
      await page.waitForURL(/status=in_stock/);
      for (const label of ['Sort', 'Per page', 'Category']) await visitor.field(label).waitFor();
      await page.getByRole('button', { name: 'Columns' }).waitFor();
      await inspectPage(visitor, `products-filters-${name}`);
      await visitor.press('Columns');
      const columns = page.getByRole('dialog', { name: 'Columns' });
      await columns.getByLabel('Updated').scrollIntoViewIfNeeded();
      await inspectPage(visitor, `products-columns-${name}`);
      await visitor.press('Columns');
      await columns.waitFor({ state: 'hidden' });
      await visitor.press('Filters');
      await tabs.waitFor({ state: 'hidden' });
      await visitor.press('Remove filter: Status In stock');
      await page.waitForURL((url) => !url.search.includes('status'));
      await page
        .getByLabel(/^Select Stoneware pot/)
        .first()
        .check();
      await visitor.reads('1 selected');
    });
  }
});
