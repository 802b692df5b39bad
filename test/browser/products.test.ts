import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import type { ProductCounts } from '../../src/console/catalog-api.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';

const COUNT = 120;
const PATIENCE_MS = 10_000;
const SORTS = [
  'created_at',
  'updated_at',
  'unique_id',
  'ratings',
  'target_price',
  'sfb',
  'sales',
  'reserve_price',
];
const EVIL = '<script>window.evil = 1</script><img src=x onerror="window.evil = 2">';

const links = (page: Page): Locator => page.locator('tbody').getByRole('link');

/** The list renders in several steps. */
async function untilListed(page: Page, titles: string[]): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const shown = await links(page).allInnerTexts();
    if (isDeepStrictEqual(shown, titles)) return;
    if (performance.now() > deadline) assert.deepEqual(shown, titles, page.url());
    await pause(20);
  }
}

describeInBrowser('the products page', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);
  let merchant: TestMerchant;
  let as: ConsoleClient;
  before(async () => {
    merchant = await service().newMerchant();
    as = await signedIn(service(), merchant);
    const picture = `${new URL(service().baseUrl).origin}/console/favicon.svg`;
    const drafts = Array.from({ length: COUNT }, (_, index) =>
      draft(
        `P-${index}`,
        {
          title: `Pot no. ${index}`,
          category: index % 3 === 0 ? 'Home | Pots' : 'Garden',
          cost_basis: (index * 7) % 50,
          reserve_price: (index * 11) % 60,
          scheduling_fee_bid: (index * 13) % 10,
          sales_count: (index * 17) % 40,
          ratings_average: (index * 3) % 5,
          primary_image: picture,
        },
        [{ identifier: `V-${index}`, quantity: index % 10, size: 'M' }],
      ),
    );
    drafts.push(
      draft('EVIL', { title: EVIL, description: EVIL, category: EVIL.replaceAll('|', ''), brand: EVIL }),
    );
    await importDrafts(service(), merchant, [drafts]);
  });

  it('has the tabs, categories, sorts and pages of the API, in the same order', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    /** The page shows what the API returns for the URL's parameters. */
    const matchesApi = async (): Promise<void> => {
      const { searchParams } = new URL(page.url());
      const query = { per_page: '50', ...Object.fromEntries(searchParams) };
      const products = (await service().get('/products.json', merchant, query)).json<{ title: string }[]>();
      const titles = products.map(({ title }) => title);
      await untilListed(page, titles);
    };
    await visitor.goTo('/products');
    await matchesApi();

    const counts = (await as.get('/products/counts')).json<ProductCounts>();
    const tabs = page.getByRole('navigation', { name: 'Status' });
    for (const [name, count] of [
      ['All', counts.all],
      ['In stock', counts.by_status.in_stock],
      ['Sold out', counts.by_status.sold_out],
      ['Banned', 0],
    ] as const) {
      await tabs.getByRole('link', { name: `${name} ${count}`, exact: true }).waitFor();
    }
    await tabs.getByRole('link', { name: /^Low inventory/ }).click();
    await page.waitForURL('**/products?status=low_inventory');
    await matchesApi();
    await visitor.press('Filters');
    await visitor.field('Category').click();
    await page.getByRole('option', { name: /^Home \(/ }).waitFor();
    await visitor.field('Category').fill('pOTs');
    await page.getByRole('option', { name: /^Home \| Pots/ }).click();
    await page.waitForURL(/category=Home/);
    await matchesApi();
    assert.equal(await visitor.field('Category').inputValue(), 'Home | Pots');
    await visitor.field('Category').click();
    await page.getByRole('option', { name: /^Home \| Pots/ }).waitFor();
    await page.keyboard.press('Escape');
    await tabs.getByRole('link', { name: /^Banned/ }).click();
    await visitor.reads('No matching products');
    await visitor.reads('No products match these filters.');
    await visitor.follow('Clear filters');
    await matchesApi();

    await visitor.field('Per page').selectOption('25');
    const sorts = visitor.field('Sort').locator('option');
    const offered = await sorts.evaluateAll((all) => all.map((one) => one.getAttribute('value')));
    const known = SORTS.flatMap((word) => [`${word}_ascending`, `${word}_descending`]);
    assert.deepEqual(offered.toSorted(), known.toSorted());
    for (const sort of ['reserve_price_ascending', 'sales_descending']) {
      await visitor.field('Sort').selectOption(sort);
      await page.waitForURL(new RegExp(`sort=${sort}`));
      await matchesApi();
    }
    await page.getByRole('columnheader', { name: 'Cost basis' }).getByRole('link').click();
    await page.waitForURL(/sort=target_price_descending/);
    await page.locator('th[aria-sort=descending]').getByText('Cost basis').waitFor();
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.waitForURL(/page=2/);
    await matchesApi();
    await page.getByLabel('Page', { exact: true }).fill('4');
    await page.keyboard.press('Enter');
    await page.waitForURL(/page=4/);
    await visitor.reads(`76–100 of ${COUNT + 1} products`);
    await matchesApi();
    await page.getByRole('link', { name: 'Last page' }).click();
    await page.waitForURL(/page=5/);
    await matchesApi();
    await visitor.goTo('/products?page=9');
    await visitor.reads('No more results');
  });

  it('restores its state from the URL, after a reload and with the back and forward buttons', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/products?status=in_stock&sort=sales_descending&per_page=25&page=2');
    await links(page).nth(22).waitFor();
    const second = await links(page).allInnerTexts();
    assert.equal(await visitor.field('Sort').inputValue(), 'sales_descending');
    assert.equal(await visitor.field('Per page').inputValue(), '25');
    await page.reload();
    await untilListed(page, second);
    await page.getByRole('link', { name: 'Previous page' }).click();
    await visitor.reads('1–25 of 48');
    await links(page).nth(24).waitFor();
    const first = await links(page).allInnerTexts();
    assert.notDeepEqual(first, second);
    await page.goBack();
    await visitor.reads('26–48 of 48');
    await untilListed(page, second);
    await page.goForward();
    await visitor.reads('1–25 of 48');
    await untilListed(page, first);
    await page
      .getByRole('navigation', { name: 'Status' })
      .locator('[aria-current=page]')
      .getByText('In stock')
      .waitFor();

    visitor.expectFailure(400, '/console/api/products');
    await visitor.goTo('/products?sort=price');
    const rejected = await service().get('/products.json', merchant, { sort: 'price' });
    await visitor.reads(rejected.message);
    await visitor.follow('Clear filters');
    await links(page).first().waitFor();
  });

  it('opens a product by keyboard, with all its fields, and returns to the same list', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/products?sort=unique_id_ascending&per_page=25');
    const link = page.getByRole('link', { name: 'Pot no. 10', exact: true });
    await link.focus();
    await page.keyboard.press('Enter');
    await visitor.sees('Pot no. 10');
    const product = (await allProducts(service(), merchant)).find(({ identifier }) => identifier === 'P-10');
    assert.equal(visitor.address, `/products/${product?.internal_id}`);
    await page.getByRole('rowheader', { name: 'V-10' }).waitFor();
    await page.getByText('JSON', { exact: true }).click();
    const json = await page.getByRole('region', { name: 'product as JSON' }).innerText();
    assert.deepEqual(JSON.parse(json), product);
    await page.reload();
    await visitor.sees('Pot no. 10');
    await page.goBack();
    await link.waitFor();
    assert.equal(visitor.address, '/products?sort=unique_id_ascending&per_page=25');
    await link.click();
    await visitor.sees('Pot no. 10');
    await page.getByRole('main').getByRole('link', { name: 'Products' }).click();
    await link.waitFor();
    assert.equal(visitor.address, '/products?sort=unique_id_ascending&per_page=25');
  });

  it('shows markup in product fields as text', async (t) => {
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/products?sort=created_at_descending');
    const link = page.getByRole('link', { name: EVIL });
    await link.click();
    await visitor.sees(EVIL);
    for (const field of ['Title', 'Description', 'Brand'])
      assert.equal(await visitor.field(field).inputValue(), EVIL);
    assert.equal(await page.evaluate('window.evil'), undefined);
    assert.equal(await page.locator('img[onerror], #main script').count(), 0);
  });

  it('shows an error for a product that does not exist or belongs to another merchant', async (t) => {
    const other = await service().newMerchant();
    const more = Array.from({ length: COUNT + 9 }, (_, index) => draft(`T-${index}`, { title: 'Not yours' }));
    await importDrafts(service(), other, [more]);
    const theirs = (await allProducts(service(), other)).at(-1);
    const visitor = await open(t, { as });
    for (const [id, status] of [
      [String(theirs?.internal_id), 404],
      ['999999999', 404],
      ['nonsense', 400],
    ] as const) {
      visitor.expectFailure(status, '/v1/products/retrieve.json');
      await visitor.goTo(`/products/${id}`);
      await visitor.sees('Page not found');
    }
    assert.equal((await visitor.page.content()).includes('Not yours'), false);
  });
});
