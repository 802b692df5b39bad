import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const PRODUCTS = [
  { title: 'Clay pot', condition: 'New', buy_now_price: 12, available_quantity: 3, campaign_name: 'Spring' },
  { title: 'Clay bowl', condition: 'Used', buy_now_price: 30, available_quantity: 40, category: 'Home' },
  { title: 'Glass jug', condition: 'New', buy_now_price: 60, available_quantity: 0, category: 'Home' },
  { title: 'Steel pan', condition: 'New', buy_now_price: null, available_quantity: 7 },
  { title: 'Clay tile', status: 'deleted' as const, available_quantity: 1 },
];

describeInBrowser('finding products', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);
  let merchant: TestMerchant;
  let as: ConsoleClient;
  before(async () => {
    merchant = await service().newMerchant();
    as = await signedIn(service(), merchant);
    const drafts = PRODUCTS.map((fields, index) =>
      draft(`SKU-${index}`, { ...fields, created_at: `2026-01-0${9 - index}T00:00:00Z` }),
    );
    await importDrafts(service(), merchant, [drafts]);
  });

  const titles = (page: Page): Promise<string[]> => page.locator('tbody').getByRole('link').allInnerTexts();
  const shows = (page: Page, ...wanted: string[]): Promise<boolean> =>
    until(async () => (await titles(page)).join() === wanted.join());
  const search = (page: Page): Locator => page.getByRole('searchbox', { name: 'Search products' });

  it('a search finds titles, SKUs and identifiers as the user types, and the URL has it', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/products');
    await page.keyboard.press('/');
    await page.keyboard.type('cla po');
    await shows(page, 'Clay pot');
    assert.equal(visitor.address, '/products?query=cla+po');
    await search(page).fill('sku-3');
    await shows(page, 'Steel pan');
    await search(page).fill('clay');
    await shows(page, 'Clay pot', 'Clay bowl');
    await page.getByLabel('Sort').selectOption('unique_id_descending');
    await shows(page, 'Clay bowl', 'Clay pot');
    await page.reload();
    await shows(page, 'Clay bowl', 'Clay pot');
    assert.equal(await search(page).inputValue(), 'clay');
    await search(page).fill('tile');
    await visitor.reads('No products match this search. Deleted products are under Deleted.');
    await page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: 'Deleted' }).click();
    await shows(page, 'Clay tile');
    await visitor.reads('Not for sale. You can restore it.');
    await visitor.press('Clear search');
    await page.waitForURL((url) => !url.search.includes('query'));
    assert.equal(await visitor.focused(), 'Search products');
  });

  it('filters combine, can be removed one by one, and stay in the URL', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/products');
    await visitor.press('Filters');
    await visitor.field('Condition').selectOption('New');
    await shows(page, 'Clay pot', 'Glass jug', 'Steel pan');
    await visitor.field('Price from').selectOption('10');
    await shows(page, 'Clay pot', 'Glass jug');
    await visitor.field('Price below').selectOption('50');
    await shows(page, 'Clay pot');
    await page.reload();
    await shows(page, 'Clay pot');
    await visitor.press('Remove filter: Condition New');
    await shows(page, 'Clay pot', 'Clay bowl');
    await visitor.press('Filters (2)');
    await visitor.field('Stock from').selectOption('20');
    await shows(page, 'Clay bowl');
    await visitor.press('Remove all');
    await shows(page, 'Clay pot', 'Clay bowl', 'Glass jug', 'Steel pan');
    await visitor.field('Campaign').fill('Spring');
    await page.keyboard.press('Enter');
    await shows(page, 'Clay pot');
    assert.equal(visitor.address, '/products?campaign=Spring');
    await page.goBack();
    await shows(page, 'Clay pot', 'Clay bowl', 'Glass jug', 'Steel pan');
  });

  it('a saved view shows its search and filters again, in another browser too, until it is deleted', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/products?query=clay&price_below=20');
    await shows(page, 'Clay pot');
    await visitor.press('Views');
    await page.getByRole('menuitem', { name: 'Save this view…' }).click();
    await visitor.field('Name').fill('Cheap clay');
    await visitor.press('Save');
    await page.getByRole('button', { name: 'Cheap clay' }).waitFor();
    const elsewhere = await open(t, { as });
    await elsewhere.goTo('/products');
    await elsewhere.press('Views');
    await elsewhere.page.getByRole('menuitem', { name: 'Cheap clay' }).click();
    await shows(elsewhere.page, 'Clay pot');
    await visitor.goTo('/products');
    await visitor.press('Views');
    await page.getByRole('menuitem', { name: 'Cheap clay' }).click();
    await shows(page, 'Clay pot');
    assert.equal(visitor.address, '/products?query=clay&price_below=20');
    await visitor.press('Cheap clay');
    await page.getByRole('menuitem', { name: 'Delete “Cheap clay”' }).click();
    await visitor.press('Views');
    await page.getByRole('menuitem', { name: 'Save this view…' }).waitFor();
    assert.equal(await page.getByRole('menuitem', { name: 'Cheap clay' }).count(), 0);
  });

  it('counts the results at the top, and by status for the filters; deleted products are under Deleted only', async (t) => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [
      [
        draft('A', { title: 'Clay pot', available_quantity: 0 }),
        draft('B', { title: 'Clay bowl', available_quantity: 90 }),
        draft('C', { title: 'Clay lamp', status: 'deleted' }),
        draft('D', { title: 'Glass', available_quantity: 90 }),
      ],
    ]);
    const visitor = await open(t, { as: await signedIn(service(), merchant) });
    const tabs = visitor.page.getByRole('navigation', { name: 'Status' });
    const counts = async (wanted: readonly string[]): Promise<void> => {
      for (const name of wanted) await tabs.getByRole('link', { name, exact: true }).waitFor();
    };
    const top = visitor.page.getByRole('region', { name: 'Bulk changes' });
    await visitor.goTo('/products');
    await counts(['All 3', 'In stock 2', 'Sold out 1', 'Deleted 1']);
    await top.getByText('3 products', { exact: true }).waitFor();
    assert.equal(await visitor.page.getByText('Clay lamp').count(), 0);
    await visitor.goTo('/products?query=clay');
    await counts(['All 2', 'In stock 1', 'Sold out 1', 'Deleted 1']);
    await top.getByText('2 products', { exact: true }).waitFor();
    await tabs.getByRole('link', { name: /^Deleted/ }).click();
    await visitor.reads('Clay lamp');
    await top.getByText('1 product', { exact: true }).waitFor();
  });

  it('the palette loads before it is opened', async (t) => {
    const visitor = await open(t, { as });
    const loaded = visitor.page.waitForResponse('**/assets/palette-*.js');
    await visitor.goTo('/');
    await loaded;
  });

  it('the palette keeps what is typed before it has loaded', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    const { promise: typed, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/palette-*.js', async (route) => {
      await typed;
      await route.continue();
    });
    await visitor.goTo('/');
    await visitor.sees('Overview');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('clay');
    release();
    await page.getByRole('option', { name: /^Clay pot/ }).waitFor();
    assert.equal(
      await page.getByRole('combobox', { name: 'Order, product, page, or action' }).inputValue(),
      'clay',
    );
  });

  it('the palette obeys keys that come before its input has the focus', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/');
    await visitor.sees('Overview');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('theme');
    await page.getByRole('option', { name: 'Use light theme', selected: true }).waitFor();
    await page.getByRole('combobox').blur();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  });

  it('the palette finds products, pages, and actions by keyboard alone', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    const palette = page.getByRole('combobox', { name: 'Order, product, page, or action' });
    await visitor.goTo('/');
    await visitor.sees('Overview');
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await page.keyboard.type('jug');
    await page.getByRole('option', { name: /^Glass jug/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await visitor.sees('Glass jug');
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await page.keyboard.type('sales');
    await page.getByRole('option', { name: 'Sales', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await visitor.sees('Sales');
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await page.keyboard.type('theme');
    await page.getByRole('option', { name: 'Use light theme', selected: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'hidden' });
  });

  it('“?” lists the shortcuts, and those of one character can be turned off', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await visitor.goTo('/sales');
    await visitor.sees('Sales');
    await page.keyboard.press('/');
    await visitor.sees('Products');
    await until(async () => (await visitor.focused()) === 'Search products');
    await page.keyboard.type('?');
    assert.equal(await search(page).inputValue(), '?');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await dialog.waitFor();
    await dialog.getByRole('checkbox').press('Space');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.keyboard.press('/');
    await page.keyboard.press('?');
    // It would have opened before this one, which still works.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Order, product, page, or action' }).waitFor();
    assert.equal(await dialog.count(), 0);
  });
});
