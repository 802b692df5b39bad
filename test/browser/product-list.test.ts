import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { Product } from '../../src/products/record/product.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { accepted, postAs } from '../support/writes.ts';
import { tabTo } from './keyboard.ts';

const PRODUCTS = [
  { title: 'Clay pot', condition: 'New', buy_now_price: 12, available_quantity: 3, campaign_name: 'Spring' },
  { title: 'Clay bowl', condition: 'Used', buy_now_price: 30, available_quantity: 40, category: 'Home' },
  { title: 'Glass jug', condition: 'New', buy_now_price: 60, available_quantity: 0, category: 'Home' },
  { title: 'Steel pan', condition: 'New', buy_now_price: null, available_quantity: 7 },
  { title: 'Clay tile', status: 'deleted' as const, available_quantity: 1 },
];

describeInBrowser('the list of products', () => {
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

  it('a search finds titles, SKUs and identifiers as the user types, counts them, and the URL has it', async (t) => {
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
    const tabs = page.getByRole('navigation', { name: 'Status' });
    for (const name of ['All 2', 'In stock 1', 'Low inventory 1', 'Sold out 0', 'Deleted 1'])
      await tabs.getByRole('link', { name, exact: true }).waitFor();
    const top = page.getByRole('region', { name: 'Bulk changes' });
    await top.getByText('2 products', { exact: true }).waitFor();
    await page.getByLabel('Sort').selectOption('unique_id_descending');
    await shows(page, 'Clay bowl', 'Clay pot');
    await page.reload();
    await shows(page, 'Clay bowl', 'Clay pot');
    assert.equal(await search(page).inputValue(), 'clay');
    await search(page).fill('tile');
    await visitor.reads('No products match this search. Deleted products are under Deleted.');
    await tabs.getByRole('link', { name: 'Deleted' }).click();
    await shows(page, 'Clay tile');
    await top.getByText('1 product', { exact: true }).waitFor();
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

  async function shop(): Promise<{
    as: ConsoleClient;
    merchant: TestMerchant;
    read: (identifier: string) => Promise<Product>;
    change: (form: Record<string, string>) => Promise<void>;
  }> {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [
      [
        draft('POT', { title: 'Pot', buy_now_price: 12.5, available_quantity: 8 }),
        draft('JUG', { title: 'Jug' }, [{ identifier: 'JUG-1', quantity: 4 }]),
        draft('PAN', { title: 'Pan' }, [
          { identifier: 'PAN-1', quantity: 4 },
          { identifier: 'PAN-2', quantity: 5 },
        ]),
      ],
    ]);
    const post = postAs(service, () => merchant);
    return {
      as: await signedIn(service(), merchant),
      merchant,
      read: async (wanted) =>
        (await allProducts(service(), merchant)).find(({ identifier }) => identifier === wanted) ??
        assert.fail(),
      change: async (form) => void accepted(await post('/products/update', form)),
    };
  }

  it('stock and price are changed by keyboard alone: Enter saves, Escape cancels, and the focus stays', async (t) => {
    const { as, read } = await shop();
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/products?sort=unique_id_ascending');
    await visitor.reads('of 3 products');
    await tabTo(visitor, 'Stock of Pot: 8');
    await page.keyboard.press('Enter');
    await page.keyboard.type('15');
    await page.keyboard.press('Enter');
    await visitor.reads('Stock of Pot: 8 → 15');
    assert.equal((await read('POT')).available_quantity, 15);
    await until(async () => (await visitor.focused()) === 'Stock of Pot: 15');
    await page.keyboard.press('Tab');
    assert.equal(await visitor.focused(), 'Price of Pot: $12.50');
    await page.keyboard.press('Enter');
    await page.keyboard.type('99');
    await page.keyboard.press('Escape');
    await until(async () => (await visitor.focused()) === 'Price of Pot: $12.50');
    assert.equal((await read('POT')).buy_now_price, 12.5);
    await page.keyboard.press('Enter');
    await page.keyboard.type('9.95');
    await page.keyboard.press('Tab');
    await visitor.reads('Price of Pot: $12.50 → $9.95');
    assert.equal((await read('POT')).buy_now_price, 9.95);
    assert.equal(visitor.address, '/products?sort=unique_id_ascending');
  });

  it('stock and price change the only variation of a product, and can be undone; a sum of several is not editable', async (t) => {
    const { as, read } = await shop();
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/products');
    await page.getByRole('button', { name: 'Stock of Jug: 4' }).click();
    await visitor.field('Stock of Jug').fill('6');
    await page.keyboard.press('Enter');
    await visitor.reads('Stock of Jug: 4 → 6');
    assert.equal((await read('JUG')).variations[0]?.quantity, 6);
    await visitor.press('Undo');
    await visitor.reads('Stock of Jug is 4 again.');
    assert.equal((await read('JUG')).variations[0]?.quantity, 4);
    await page.getByRole('button', { name: 'Stock of Jug: 4' }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Stock of Pan/ }).count(), 0);
  });

  it('stock and price show the API’s message for an invalid value, and the former value after Escape', async (t) => {
    const { as, read } = await shop();
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/products');
    await page.getByRole('button', { name: 'Price of Pot: $12.50' }).click();
    await visitor.field('Price of Pot').fill('cheap');
    visitor.expectFailure(400, '/v1/products/update.json');
    await page.keyboard.press('Enter');
    await visitor.reads(/^Enter an amount of 0 or more, like 12\.50/);
    const input = visitor.field('Price of Pot');
    const [error, cell] = [await page.getByRole('alert').boundingBox(), await input.boundingBox()];
    assert.ok(error !== null && cell !== null && error.y >= cell.y + cell.height, 'below the input');
    const color = await page
      .getByRole('alert')
      .evaluate((alert) => alert.ownerDocument.defaultView?.getComputedStyle(alert).backgroundColor);
    assert.notEqual(color, 'rgba(0, 0, 0, 0)');
    assert.equal(await input.inputValue(), 'cheap');
    assert.equal(await input.getAttribute('aria-invalid'), 'true');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Price of Pot: $12.50' }).waitFor();
    assert.equal((await read('POT')).buy_now_price, 12.5);
  });

  it('stock and price warn of a price below cost or below the minimum bid, and save it', async (t) => {
    const { as, read, change } = await shop();
    await change({ identifier: 'POT', cost_basis: '10', minimum_bid_amount: '9.5' });
    const visitor = await open(t, { as });
    await visitor.goTo('/products');
    await visitor.press('Price of Pot: $12.50');
    await visitor.field('Price of Pot').fill('9');
    await visitor.page.keyboard.press('Enter');
    await visitor.reads(
      'Price of Pot: $12.50 → $9.00. The price is below cost ($10.00). The minimum bid is above the buy-now price ($9.00).',
    );
    assert.equal((await read('POT')).buy_now_price, 9);
  });

  it('stock and price are not overwritten if someone else changed them meanwhile, unless the user insists', async (t) => {
    const { as, read, change } = await shop();
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/products');
    await page.getByRole('button', { name: 'Stock of Pot: 8' }).click();
    await visitor.field('Stock of Pot').fill('15');
    await change({ identifier: 'POT', available_quantity: '7', brand: 'Theirs' });
    await page.keyboard.press('Enter');
    await visitor.reads('Someone else changed this to 7. Press Enter to save 15, or Escape to keep 7.');
    assert.equal((await read('POT')).available_quantity, 7);
    await page.keyboard.press('Enter');
    await visitor.reads('Stock of Pot: 7 → 15');
    const { available_quantity: units, brand } = await read('POT');
    assert.deepEqual([units, brand], [15, 'Theirs']);
  });

  it('stock and price are not editable for viewers', async (t) => {
    const { merchant } = await shop();
    const visitor = await open(t, { as: await signedIn(service(), merchant, 'viewer') });
    await visitor.goTo('/products');
    await visitor.page.getByRole('cell', { name: '$12.50' }).waitFor();
    assert.equal(await visitor.page.getByRole('button', { name: /^(Stock|Price) of/ }).count(), 0);
    await visitor.follow('Pot');
    await visitor.sees('Pot');
    await visitor.field('Title').waitFor();
    assert.equal(await visitor.field('Title').getAttribute('readonly'), '');
    for (const button of ['Add variation', 'Disable', 'Delete'])
      assert.equal(await visitor.page.getByRole('button', { name: button }).count(), 0, button);
  });
});
