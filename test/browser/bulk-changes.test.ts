import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { BulkPreview } from '../../src/console/catalog-api.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { importFile, untilState } from '../support/console-imports.ts';
import { sqlite } from '../support/engines.ts';
import { importFileByApi } from '../support/imports.ts';
import { signedInOperator } from '../support/operators.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { inspectPage, SOME_THEMES } from './inspect-page.ts';
import { choose, select, tabTo, untilFocusKept } from './keyboard.ts';
import { newProductShop } from './product-shop.ts';

describeInBrowser('changes of many products', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('change the prices of all matching products after a preview, with the keyboard alone', async (t) => {
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

  it('an undo of a bulk change leaves alone what was changed since, and can be undone, with the keyboard alone', async (t) => {
    const merchant = await service().newMerchant();
    const drafts = Array.from({ length: 12 }, (_, index) =>
      draft(`P-${index}`, { title: `Pot ${index}`, buy_now_price: 10, brand: 'Acme' }),
    );
    await importDrafts(service(), merchant, [drafts]);
    const as = await signedIn(service(), merchant);
    const json = { all: true, kind: 'amount', field: 'buy_now_price', value: 9 };
    const { id } = (await as.post('/products/bulk', json)).json<BulkPreview>();
    await untilState(as, id, 'checked');
    await as.post(`/imports/${id}/import`);
    await untilState(as, id, 'done');
    const prices = async (): Promise<(number | null)[]> =>
      (await allProducts(service(), merchant)).map(({ buy_now_price: price }) => price).toSorted();
    const visitor = await open(t, { as });
    const { page } = visitor;
    const heading = (name: string) => page.getByRole('heading', { name, exact: true });
    await visitor.goTo(`/products/import?id=${id}`);
    await heading('Applied').waitFor();
    await as.post('/v1/products/update', { identifier: 'P-3', buy_now_price: 50 });
    await inspectPage(visitor, 'undo-button');

    await choose(visitor, 'Undo this change');
    await visitor.sees('Undo changes');
    await visitor.reads('11 products return to their former values.');
    await visitor.reads('1 field was changed since and is left alone.');
    await visitor.reads('An undo can be undone, too.');
    const left = page.getByRole('region', { name: 'Left alone' }).getByRole('row', { name: 'P-3' });
    assert.match(
      await left.innerText(),
      /Buy-now price\s+\$50\.00\s+The change set 9, and it has been set to 50 since/,
    );
    const changed = page.getByRole('region', { name: 'Changes' }).getByRole('row', { name: 'Pot 11' });
    assert.match(await changed.innerText(), /Buy-now price: \$9\.00 → \$10\.00/);
    await untilFocusKept(visitor);
    await inspectPage(visitor, 'undo-preview', SOME_THEMES);
    await choose(visitor, 'Undo changes');
    await heading('Undone').waitFor();
    await untilFocusKept(visitor);
    await visitor.reads('11 products are back at their former values.');
    await inspectPage(visitor, 'undo-done');
    assert.deepEqual(await prices(), [...Array(11).fill(10), 50]);

    await choose(visitor, 'Undo this undo');
    await visitor.sees('Redo changes');
    await choose(visitor, 'Redo changes');
    await heading('Redone').waitFor();
    await visitor.reads(/^Redo: Set Buy-now price to \$9\.00 · 11 products/);
    assert.deepEqual((await prices()).toSorted(), [50, ...Array(11).fill(9)].toSorted());
  });

  it('an undo of one change starts in the history of a product, and a second one has nothing to undo', async (t) => {
    const { as, path, read, change } = await newProductShop(service());
    await change({ buy_now_price: '20' });
    await change({ brand: 'Acme' });
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(path);
    const entry = page
      .getByRole('region', { name: 'History' })
      .getByRole('listitem')
      .filter({ hasText: '$20.00' })
      .filter({ has: page.getByRole('button') });
    await entry.scrollIntoViewIfNeeded();
    await inspectPage(visitor, 'undo-history');
    await entry.getByRole('button', { name: /^Undo/ }).click();
    await visitor.reads('1 product returns to its former values.');
    await visitor.reads(/^Undo: change of \w+ \d+, \d{4}, \d+:\d\d [AP]M · 1 product/);
    const row = page.getByRole('row', { name: 'Clay pot' });
    assert.match(await row.innerText(), /Buy-now price: \$20\.00 → \$12\.50/);
    await inspectPage(visitor, 'undo-one-change');
    await visitor.press('Undo changes');
    await page.getByRole('heading', { name: 'Undone', exact: true }).waitFor();
    const { buy_now_price: price, brand } = await read();
    assert.deepEqual([price, brand], [12.5, 'Acme']);

    visitor.expectFailure(400, '/console/api/imports/undo');
    await visitor.goTo(path);
    await entry
      .last()
      .getByRole('button', { name: /^Undo the/ })
      .click();
    await visitor.reads(/^There is nothing to undo/);
  });

  it('an undo of an import starts on the activity page, and nowhere for a viewer', async (t) => {
    const { as, merchant, path } = await newProductShop(service());
    const { id } = await importFile(as, 'brands.csv', 'identifier,brand\nPOT,Acme\nJUG,Brio\n');
    await as.post('/v1/products/update', { identifier: 'JUG', title: 'Big jug' });
    const viewer = await open(t, { as: await signedIn(service(), merchant, 'viewer') });
    const buttons = viewer.page.getByRole('button', { name: /^Undo/ });
    await viewer.goTo('/activity');
    await viewer.reads('2 products changed');
    assert.equal(await buttons.count(), 0);
    await viewer.goTo(path);
    await viewer.reads('import of brands.csv');
    assert.equal(await buttons.count(), 0);
    await viewer.goTo(`/products/import?id=${id}`);
    await viewer.page.getByRole('heading', { name: 'Imported', exact: true }).waitFor();
    assert.equal(await buttons.count(), 0);

    const visitor = await open(t, { as });
    await visitor.goTo('/activity');
    await visitor.reads('2 products changed');
    await inspectPage(visitor, 'undo-activity');
    await visitor.press('Undo this import');
    await visitor.reads('2 products return to their former values.');
    await visitor.reads('Undo: brands.csv · 2 products');
    await visitor.press('Undo changes');
    await visitor.reads('2 products are back at their former values.');
    await visitor.goTo('/activity');
    await visitor.follow('undo: brands.csv · 2 products');
    await visitor.sees('Undo changes');
  });

  it('an undo of a merchant’s import is the operator’s to start, or to prepare for the merchant', async (t) => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [
      [draft('POT', { title: 'Pot' }), draft('JUG', { title: 'Jug' })],
    ]);
    const file = 'identifier,title\nPOT,Vase\nJUG,Vase\n';
    await importFileByApi(service(), merchant, file, { query: { name: 'vases.csv' } });
    const { client } = await signedInOperator(service());
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await visitor.goTo('/imports');
    await visitor.press('Undo vases.csv');
    const dialog = page.getByRole('dialog', { name: 'Undo vases.csv?' });
    await dialog.waitFor();
    await inspectPage(visitor, 'operator-undo');
    await visitor.field('Only prepare it: the merchant sees what would return, and decides').check();
    await visitor.press('Prepare undo');
    const row = page.getByRole('row').filter({ hasText: 'Undo: vases.csv · 2 products' });
    await row.getByText('Checked', { exact: true }).waitFor();
    await visitor.press('Undo vases.csv');
    await visitor.press('Undo import');
    await row.getByText('Done', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo Undo: vases.csv · 2 products' }).waitFor();
    const titles = async (): Promise<string> =>
      (await allProducts(service(), merchant)).map(({ title }) => title).join();
    await until(async () => (await titles()) === 'Pot,Jug');
  });
});
