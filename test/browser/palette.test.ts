import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Shop } from '../orders/orders-support.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { inspectPage, SOME_THEMES } from './inspect-page.ts';
import { untilFocused } from './keyboard.ts';

const PALETTE = { name: 'Order, product, page, or action' };

describeInBrowser('the palette and the keys', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);
  let shop: Shop;
  let as: ConsoleClient;
  let orders: number[];
  before(async () => {
    shop = await Shop.open(service());
    as = await signedIn(service(), shop.merchant, 'owner');
    const titles = ['Clay pot', 'Clay bowl', 'Glass jug'];
    const drafts = titles.map((title, index) =>
      draft(`SKU-${index}`, { title, created_at: `2026-01-0${9 - index}T00:00:00Z` }),
    );
    await importDrafts(service(), shop.merchant, [drafts]);
    orders = [];
    for (const name of ['Wendolin Wallace', 'Ada Miller']) {
      const { order_id: id } = await shop.push(`EXT-${orders.length}`, { customer_name: name });
      orders.push(id);
    }
    await as.post('/v1/campaigns', { name: 'Autumn pottery', type: 'Boost' });
    await as.post('/v1/campaigns', { name: 'Winter lights', type: 'Boost' });
    await as.post('/keys', { name: 'Warehouse sync', expires_at: null });
  });

  const openPalette = async ({ page }: Visitor, text: string): Promise<void> => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', PALETTE).waitFor();
    await page.keyboard.type(text);
  };
  const enter = async (visitor: Visitor, text: string, option: string | RegExp): Promise<void> => {
    await openPalette(visitor, text);
    await visitor.page.getByRole('option', { name: option, selected: true }).waitFor();
    await visitor.page.keyboard.press('Enter');
  };
  const atPath = (page: Page, path: string): Promise<void> =>
    page.waitForURL((url) => `${url.pathname}${url.hash}` === `/console${path}`);

  it('finds campaigns, keys, settings, pages, and calls of the API, and marks what matches', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/team');
    await visitor.sees('Team');
    await enter(visitor, 'autmn', /^Autumn pottery/);
    await visitor.sees('Autumn pottery');
    await enter(visitor, 'warehouse', /^Warehouse sync/);
    await visitor.sees('API keys');
    await enter(visitor, 'two fac', 'Two-factor authentication');
    await atPath(page, '/account#two-factor');
    await visitor.sees('Account');
    await openPalette(visitor, 'docs');
    await page.getByRole('option', { name: 'API reference', selected: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor({ state: 'detached' });
    await enter(visitor, 'sales', 'Sales');
    await visitor.sees('Sales');
    await enter(visitor, 'listProducts', /GET/);
    await atPath(page, '/reference/products#listProducts');
    await visitor.sees('Products');
    await openPalette(visitor, 'cla po');
    const option = page.getByRole('option', { name: /^Clay pot/ });
    await option.waitFor();
    assert.deepEqual(await option.locator('mark').allInnerTexts(), ['Cla', 'po']);
    await inspectPage(visitor, 'palette-marks', SOME_THEMES);
  });

  it('finds orders by the customer’s name, which is in no URL', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    const urls: string[] = [];
    page.on('request', (request) => urls.push(request.url()));
    page.on('framenavigated', (frame) => urls.push(frame.url()));
    await visitor.goTo('/');
    await visitor.sees('Overview');
    await enter(visitor, 'wendolin', new RegExp(`^Order ${orders[0]}`));
    await atPath(page, `/orders/${orders[0]}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.ok(urls.length > 5);
    assert.deepEqual(
      urls.filter((url) => /wendolin/i.test(url)),
      [],
    );
  });

  it('does what was typed before its code has loaded or its input has the focus, also Backspace and Enter', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    const { promise: loads, resolve: load } = Promise.withResolvers<void>();
    const { promise: typed, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/palette-*.js', async (route) => {
      load();
      await typed;
      await route.continue();
    });
    await visitor.goTo('/team');
    await visitor.sees('Team');
    // It loads before it is opened.
    await loads;
    await page.getByRole('link', { name: 'Sales', exact: true }).focus();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('glass jux');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('g');
    await page.keyboard.press('Enter');
    assert.equal(visitor.address, '/team');
    release();
    await visitor.sees('Glass jug');
    await openPalette(visitor, 'theme');
    await page.getByRole('option', { name: 'Use light theme', selected: true }).waitFor();
    await page.getByRole('combobox', PALETTE).blur();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
  });

  it('does not run a command that the text only resembles while the server still searches', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/team');
    await visitor.sees('Team');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('clay bowl');
    await page.keyboard.press('Enter');
    await visitor.sees('Clay bowl');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('no such thing');
    await page.keyboard.press('Enter');
    await visitor.reads('Nothing found');
    assert.match(visitor.address, /^\/products\/\d+$/);
  });

  it('G and a letter opens a page, and “?” lists the letters, which can be turned off there', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/');
    await visitor.sees('Overview');
    const pages: [letter: string, heading: string][] = [
      ['o', 'Orders'],
      ['p', 'Products'],
      ['c', 'Campaigns'],
      ['k', 'API keys'],
      ['e', 'Shop settings'],
      ['h', 'Overview'],
    ];
    for (const [letter, heading] of pages) {
      await page.keyboard.press('g');
      await page.keyboard.press(letter);
      await visitor.sees(heading);
    }
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await sheet.getByRole('row', { name: 'API reference G D' }).waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    await page.keyboard.press('/');
    await visitor.sees('Products');
    await untilFocused(visitor, 'Search products');
    await page.keyboard.type('go?');
    assert.equal(await page.getByRole('searchbox').inputValue(), 'go?');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await sheet.getByRole('checkbox').press('Space');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    for (const key of ['/', '?']) await page.keyboard.press(key);
    // The list of keys would have opened before the palette.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', PALETTE).waitFor();
    assert.equal(await sheet.count(), 0);
  });

  it('J and K move through the rows of a list, X selects, and Enter opens', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/products');
    await visitor.reads('Clay bowl');
    const rows = await page.locator('tbody').getByRole('link').allInnerTexts();
    const [first = '', second = '', third = ''] = rows;
    await page.keyboard.press('k');
    assert.equal(await visitor.focused(), first);
    await page.keyboard.press('j');
    assert.equal(await visitor.focused(), second);
    await page.keyboard.press('ArrowDown');
    assert.equal(await visitor.focused(), third);
    await page.keyboard.press('k');
    await page.keyboard.press('x');
    const checkbox = page.getByRole('checkbox', { name: `Select ${second}` });
    await until(() => checkbox.isChecked());
    await inspectPage(visitor, 'products-row-focus', SOME_THEMES);
    await page.keyboard.press('x');
    await until(async () => !(await checkbox.isChecked()));
    await page.keyboard.press('Enter');
    await visitor.sees(second);
    await visitor.goTo('/orders');
    await page.getByRole('row', { name: /Vase/ }).first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await visitor.reads('1 selected');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/orders\/\d+$/);
    await visitor.goTo('/campaigns');
    await visitor.reads('Autumn pottery');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    assert.equal(await visitor.focused(), 'Autumn pottery');
    await page.keyboard.press('Enter');
    await visitor.sees('Autumn pottery');
  });

  it('single keys can be switched off in the account, and then only combinations work', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/account');
    await visitor.sees('Account');
    await page.getByRole('checkbox', { name: 'Enable single-key shortcuts' }).uncheck();
    await page.getByRole('heading', { level: 1 }).click();
    for (const key of ['g', 'p', '?', 'j', '/']) await page.keyboard.press(key);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', PALETTE).waitFor();
    assert.equal(visitor.address, '/account');
    assert.equal(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count(), 0);
  });
});
