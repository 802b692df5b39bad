import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { Product } from '../../src/products/record/product.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { choose, fill, tabTo, untilFocused, untilFocusKept } from './keyboard.ts';

describeInBrowser('the list of products, with the keyboard alone', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  interface Shop {
    visitor: Visitor;
    products: () => Promise<Product[]>;
  }

  async function openShop(t: TestContext): Promise<Shop> {
    const merchant = await service().newMerchant();
    const drafts = Array.from({ length: 30 }, (_, index) =>
      draft(`P-${String(index).padStart(2, '0')}`, {
        title: `Pot ${String(index).padStart(2, '0')}`,
        condition: index < 3 ? 'Used' : 'New',
        category: index < 4 ? 'Home | Pots' : 'Garden',
        buy_now_price: index + 1,
        available_quantity: 9,
      }),
    );
    await importDrafts(service(), merchant, [drafts]);
    const visitor = await open(t, { as: await signedIn(service(), merchant) });
    await visitor.goTo('/products?sort=unique_id_ascending');
    await visitor.reads('of 30 products');
    return { visitor, products: () => allProducts(service(), merchant) };
  }

  const links = (page: Page): Promise<string[]> => page.locator('tbody').getByRole('link').allInnerTexts();
  const shows = (page: Page, ...titles: string[]): Promise<boolean> =>
    until(async () => (await links(page)).join() === titles.join());

  it('searches, filters, sorts and turns pages, and the focus stays where it is', async (t) => {
    const { visitor } = await openShop(t);
    const { page } = visitor;
    await tabTo(visitor, 'Search products');
    await page.keyboard.type('pot 0');
    await visitor.reads('of 10 products');
    await choose(visitor, 'Filters');
    await tabTo(visitor, 'Category');
    await page.keyboard.type('home');
    await page.getByRole('option', { name: /^Home \| Pots/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await shows(page, 'Pot 00', 'Pot 01', 'Pot 02', 'Pot 03');
    await tabTo(visitor, 'Condition');
    await page.keyboard.type('Used');
    await shows(page, 'Pot 00', 'Pot 01', 'Pot 02');
    await tabTo(visitor, 'Price from');
    await page.keyboard.type('$2');
    await shows(page, 'Pot 01', 'Pot 02');

    await choose(visitor, 'Remove filter: Condition Used');
    await shows(page, 'Pot 01', 'Pot 02', 'Pot 03');
    await untilFocused(visitor, 'Filters in use');
    await choose(visitor, 'Remove filter: Price from $2.00');
    await shows(page, 'Pot 00', 'Pot 01', 'Pot 02', 'Pot 03');
    await choose(visitor, 'Remove all');
    await visitor.reads('of 10 products');
    await untilFocusKept(visitor);
    await choose(visitor, 'Clear search');
    await visitor.reads('of 30 products');
    await untilFocused(visitor, 'Search products');

    await tabTo(visitor, 'Sort');
    await page.keyboard.type('Highest buy');
    await page.waitForURL(/sort=/);
    await tabTo(visitor, 'Per page');
    await page.keyboard.press('ArrowUp');
    await visitor.reads('1–25 of 30 products');
    await choose(visitor, 'Next page');
    await visitor.reads('26–30 of 30 products');
    await untilFocusKept(visitor);
  });

  it('keeps the focus in the search field while a slow browser shows what it finds', async (t) => {
    const { visitor } = await openShop(t);
    const { page } = visitor;
    const browser = await visitor.context.newCDPSession(page);
    await browser.send('Emulation.setCPUThrottlingRate', { rate: 12 });
    await tabTo(visitor, 'Search products');
    await page.keyboard.type('p');
    await page.waitForURL(/query=p$/);
    await page.keyboard.type('ot 0', { delay: 100 });
    await visitor.reads('of 10 products');
    await untilFocused(visitor, 'Search products');
  });

  it('saves, shows and deletes a view', async (t) => {
    const { visitor } = await openShop(t);
    const { page } = visitor;
    await tabTo(visitor, 'Search products');
    await page.keyboard.type('pot 1');
    await visitor.reads('of 10 products');
    await choose(visitor, 'Views');
    await untilFocused(visitor, 'Save this view…');
    await page.keyboard.press('Enter');
    await untilFocused(visitor, 'Name');
    await page.keyboard.type('Teens');
    await page.keyboard.press('Enter');
    await untilFocused(visitor, 'Teens');
    await visitor.goTo('/products');
    await visitor.reads('of 30 products');
    await choose(visitor, 'Views');
    await untilFocused(visitor, 'Teens');
    await page.keyboard.press('Enter');
    await visitor.reads('of 10 products');
    await untilFocusKept(visitor);
    await choose(visitor, 'Teens');
    await page.locator('[role=menuitem]:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await untilFocused(visitor, 'Delete “Teens”');
    await page.keyboard.press('Enter');
    await untilFocused(visitor, 'Views');
  });

  it('selects products, and changes their stock, campaign and status', async (t) => {
    const { visitor, products } = await openShop(t);
    const { page } = visitor;
    const select = async (title: string): Promise<void> => {
      await tabTo(visitor, `Select ${title}`);
      await page.keyboard.press('Space');
    };
    const back = async (): Promise<void> => {
      await choose(visitor, 'View products');
      await visitor.reads('of 30 products');
    };
    await tabTo(visitor, 'Select page');
    await page.keyboard.press('Space');
    await visitor.reads('30 selected');
    await choose(visitor, 'Clear');
    await visitor.reads('Select page');
    await untilFocusKept(visitor);
    await select('Pot 00');
    await select('Pot 01');
    await visitor.reads('2 selected');

    await tabTo(visitor, 'Set stock', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await untilFocused(visitor, 'Units *');
    await page.keyboard.type('many');
    visitor.expectFailure(400, '/console/api/products/bulk');
    await page.keyboard.press('Enter');
    await visitor.reads('Enter a whole number, 0 or higher');
    await untilFocused(visitor, 'Units *');
    await page.keyboard.press('Escape');
    await untilFocused(visitor, 'Set stock');
    await page.keyboard.press('Enter');
    await untilFocused(visitor, 'Units *');
    await page.keyboard.type('4');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Preview', exact: true }).waitFor();
    await choose(visitor, 'Apply');
    await page.getByRole('heading', { name: 'Applied', exact: true }).waitFor();
    await untilFocusKept(visitor);
    assert.equal((await products()).filter(({ available_quantity: units }) => units === 4).length, 2);
    await back();

    for (const [button, field, is] of [
      ['Set campaign', 'Campaign', (product: Product) => product.campaign_name === 'Spring'],
      ['Disable', undefined, (product: Product) => product.status === 'disabled'],
      ['Enable', undefined, (product: Product) => product.status !== 'disabled'],
      ['Delete', undefined, (product: Product) => product.status === 'deleted'],
    ] as const) {
      await page.locator('tbody').getByRole('link').first().waitFor();
      await tabTo(visitor, 'Select page');
      await page.keyboard.press('Space');
      await visitor.reads(/^\d+ selected/);
      await choose(visitor, button);
      if (field !== undefined) await fill(visitor, field, 'Spring');
      else await page.getByRole('dialog').waitFor();
      await choose(visitor, 'Preview changes');
      await page.getByRole('heading', { name: 'Preview', exact: true }).waitFor();
      await choose(visitor, 'Apply');
      await page.getByRole('heading', { name: 'Applied', exact: true }).waitFor();
      assert.equal((await products()).filter(is).length, 30, button);
      if (button !== 'Delete') await back();
    }
  });
});
