import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { choose, select, tabTo } from './keyboard.ts';

describeInBrowser('bulk changes', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('change the price of all matching products after a preview, with the keyboard alone', async (t) => {
    const merchant = await service().newMerchant();
    const drafts = Array.from({ length: 60 }, (_, index) =>
      draft(`P-${index}`, {
        title: index < 55 ? `Pot ${index}` : `Cup ${index}`,
        buy_now_price: 10,
        cost_basis: index < 2 ? 9.5 : 5,
        minimum_bid_amount: index === 7 ? 9.5 : 4,
      }),
    );
    await importDrafts(service(), merchant, [drafts]);
    const visitor = await open(t, { as: await signedIn(service(), merchant) });
    const { page } = visitor;
    await visitor.goTo('/products?query=pot');
    await visitor.reads('of 55 products');
    await tabTo(visitor, 'Select page');
    await page.keyboard.press('Space');
    await visitor.reads('50 selected');
    await choose(visitor, 'Select all 55');
    await visitor.reads('55 selected');
    await choose(visitor, 'Set price');
    await page.getByRole('dialog', { name: 'Set price for 55 products' }).waitFor();
    await select(visitor, 'Change', 'Change by percent');
    await tabTo(visitor, 'Percent *');
    await page.keyboard.type('-10');
    await page.keyboard.press('Enter');
    await visitor.reads('Preview');
    await visitor.reads('Lower Buy-now price by 10% · 55 products');
    await visitor.reads('2 products would sell below cost.');
    await visitor.reads('1 product would have a minimum bid above the buy-now price.');
    await visitor.reads('Before → after');
    const row = page.getByRole('row', { name: 'Pot 54' });
    assert.match(await row.innerText(), /Buy-now price: \$10\.00 → \$9\.00/);
    await choose(visitor, 'Apply');
    await page.getByRole('heading', { name: 'Applied', exact: true }).waitFor();
    const prices = (await allProducts(service(), merchant)).map(({ buy_now_price: price }) => price);
    assert.deepEqual([prices.filter((price) => price === 9).length, prices.length], [55, 60]);
  });

  it('apply to chosen products of several pages, and say what is wrong with a value', async (t) => {
    const merchant = await service().newMerchant();
    const drafts = Array.from({ length: 30 }, (_, index) => draft(`P-${index}`, { title: `Pot ${index}` }));
    await importDrafts(service(), merchant, [drafts]);
    const visitor = await open(t, { as: await signedIn(service(), merchant) });
    const { page } = visitor;
    await visitor.goTo('/products?per_page=25&sort=unique_id_ascending');
    await page.getByLabel('Select Pot 0', { exact: true }).check();
    await visitor.follow('Next page');
    await visitor.reads('26–30 of 30 products');
    await page.getByLabel('Select Pot 9', { exact: true }).check();
    await visitor.reads('2 selected');
    await visitor.press('Set stock');
    visitor.expectFailure(400, '/console/api/products/bulk');
    await visitor.field('Units').fill('many');
    await visitor.press('Preview changes');
    await visitor.reads('Enter a whole number, 0 or higher');
    await visitor.field('Units').fill('4');
    await visitor.press('Preview changes');
    await visitor.reads('Set stock to 4 · 2 products');
    await visitor.press('Apply');
    await page.getByRole('heading', { name: 'Applied', exact: true }).waitFor();
    const stock = (await allProducts(service(), merchant)).filter(
      ({ available_quantity: units }) => units === 4,
    );
    assert.deepEqual(stock.map(({ identifier }) => identifier).sort(), ['P-0', 'P-9']);
  });
});
