import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { signedInOperator } from '../support/operators.ts';
import { useService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';
import { inspectPage, SOME_THEMES } from './inspect-page.ts';
import { untilFocused } from './keyboard.ts';

describeInBrowser('the API reference', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('has a page for each group, which the contents lead to', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    const { page } = visitor;
    await visitor.goTo('/reference');
    const contents = page.getByRole('navigation', { name: 'Endpoints' });
    await contents.getByRole('link', { name: 'Orders', exact: true }).click();
    await visitor.sees('Orders');
    assert.equal(visitor.address, '/reference/orders');
    await contents.getByRole('link', { name: /^Refund an order/ }).click();
    await page.locator('#refundOrder[data-linked]').waitFor();
    assert.equal(visitor.address, '/reference/orders#refundOrder');
    await contents.locator('[aria-current=location]', { hasText: 'Refund an order' }).waitFor();
    // The name of a record leads to its fields.
    const refund = page.getByRole('region', { name: 'Refund an order' });
    await refund.getByRole('link', { name: 'Order', exact: true }).click();
    await page.locator('#Order[data-linked]').waitFor();
    await visitor.goTo('/reference/nowhere');
    await visitor.reads('Check the address.');
  });

  it('shows the part that a link names, also in what is folded', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    const { page } = visitor;
    await visitor.goTo('/reference/products#createProduct.blacklisted_at');
    const deprecated = page.locator('[id="createProduct.blacklisted_at"][data-linked]');
    await deprecated.getByText('Not supported').waitFor();
    const top = await deprecated.evaluate((element) => element.getBoundingClientRect().top);
    assert.ok(top >= 0 && top < 800, `at ${top}`);
    const create = page.getByRole('region', { name: 'Create a product' });
    await create.getByRole('link', { name: 'weight', exact: true }).click();
    assert.equal(visitor.address, '/reference/products#createProduct.weight');
    await page.locator('[id="createProduct.weight"][data-linked]').waitFor();
  });

  it('finds calls, paths, parameters and fields with the keyboard', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    const { page } = visitor;
    await visitor.goTo('/reference');
    await page.getByRole('navigation', { name: 'Endpoints' }).waitFor();
    await page.keyboard.press('/');
    await untilFocused(visitor, 'Search the reference');
    await page.keyboard.type('buy_now');
    const results = page.getByRole('list', { name: 'Results' });
    await results.getByText('Field · Product', { exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await untilFocused(visitor, /^buy_now_price/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await untilFocused(visitor, 'Search the reference');
    await page.keyboard.press('Enter');
    await visitor.sees('Products');
    assert.match(visitor.address, /^\/reference\/products#\w+\.buy_now_price$/);
    await visitor.field('Search the reference').fill('no such thing');
    await visitor.reads(/^Nothing found\./);
    await visitor.field('Search the reference').fill('campaigns/pause');
    await results.getByRole('link').first().click();
    await visitor.sees('Campaigns');
    await page.locator('#pauseCampaign[data-linked]').waitFor();
  });

  it('has samples in four languages with the token that was entered, which is nowhere else', async (t) => {
    const merchant = await service().newMerchant();
    const visitor = await open(t, { as: await signedIn(service(), merchant) });
    const { page } = visitor;
    await visitor.goTo('/reference/products');
    const list = page.getByRole('region', { name: 'List products' });
    const search = page.getByRole('region', { name: 'Search products' });
    await list.getByText('$TRADEPOST_TOKEN').waitFor();
    await visitor.field('Access token').fill(merchant.token);
    await list.getByText(`Authorization: Bearer ${merchant.token}`).waitFor();
    for (const [language, words] of [
      ['TypeScript', 'tradepost.searchProducts('],
      ['PHP', '$tradepost->searchProducts('],
      ['Python', 'client.search_products('],
      ['curl', '/v1/products/search'],
    ] as const) {
      await list.getByRole('button', { name: language, exact: true }).click();
      const sample = search.getByRole('region', { name: `${language} sample of searchProducts` });
      const text = await sample.innerText();
      assert.ok(text.includes(words) && text.includes(merchant.token), text);
      assert.doesNotMatch(text, /access_token/);
    }
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    assert.ok(!stored.includes(merchant.token) && !page.url().includes(merchant.token));
    await page.reload();
    await list.getByText('$TRADEPOST_TOKEN').waitFor();
  });

  it('sends requests to the API and shows the responses', async (t) => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[draft('P-1', { title: 'Pot' }), draft('P-2')]]);
    const visitor = await open(t, { as: await signedIn(service(), merchant) });
    const { page } = visitor;
    await visitor.goTo('/reference/products');
    const list = page.getByRole('region', { name: 'List products' });
    await list.locator('summary', { hasText: 'Try it' }).click();
    await list.getByRole('button', { name: 'Send', disabled: true }).waitFor();

    visitor.expectFailure(401, '/v1/products');
    await visitor.field('Access token').fill('nonsense');
    await list.getByRole('button', { name: 'Send' }).click();
    const response = list.getByRole('region', { name: 'Response', exact: true });
    await response.getByText('401 ').waitFor();

    await visitor.field('Access token').fill(merchant.token);
    await list.getByLabel('sort').selectOption('unique_id_ascending');
    await list.getByLabel('per_page').fill('1');
    await list.getByText(/per_page=1/).waitFor();
    await list.getByRole('button', { name: 'Send' }).click();
    await response.getByText('200 OK').waitFor();
    const body = await response.getByRole('region', { name: 'response body' }).innerText();
    const query = { sort: 'unique_id_ascending', per_page: '1' };
    assert.deepEqual(JSON.parse(body), (await service().get('/products.json', merchant, query)).json());

    await page
      .getByRole('navigation', { name: 'Endpoints' })
      .getByRole('link', { name: 'Campaigns' })
      .click();
    const create = page.getByRole('region', { name: 'Create a campaign' });
    await create.locator('summary', { hasText: 'Try it' }).click();
    await create.getByLabel('name', { exact: false }).first().fill('From the reference');
    await create.getByLabel('type', { exact: false }).first().fill('AuctionCampaign');
    await create.getByRole('button', { name: 'Send' }).click();
    await create.getByRole('region', { name: 'Response', exact: true }).getByText('200 OK').waitFor();
    const [campaign] = await campaignsOf(service(), merchant);
    assert.equal(campaign?.name, 'From the reference');
  });

  it('of the operator API is on the operator’s screen, with commands for curl', async (t) => {
    const { client } = await signedInOperator(service());
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await visitor.goTo('/reference');
    await visitor.sees('API reference');
    await visitor.reads('tradepost operator-keys create');
    await inspectPage(visitor, 'operator-reference');
    const contents = page.getByRole('navigation', { name: 'Endpoints' });
    await contents.getByRole('link', { name: 'Merchants', exact: true }).click();
    await visitor.sees('Merchants');
    assert.equal(visitor.address, '/reference/merchants');
    const list = page.locator('#listMerchants');
    await list.getByText('/operator/v1/merchants', { exact: true }).waitFor();
    assert.deepEqual(
      await list.getByRole('group', { name: 'Language' }).getByRole('button').allTextContents(),
      ['curl'],
    );
    assert.equal(await list.getByText('Try it').count(), 0);
    await inspectPage(visitor, 'operator-reference-group', SOME_THEMES);
  });
});
