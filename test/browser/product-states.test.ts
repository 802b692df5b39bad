import assert from 'node:assert/strict';
import { it } from 'node:test';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { moderateProduct } from '../../src/products/moderation/moderate-product.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { inspectPage, SOME_THEMES } from './inspect-page.ts';
import { newProductShop, type ProductShop, untilSaved } from './product-shop.ts';

describeInBrowser('the states of a product and its variations', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);
  const shop = (): Promise<ProductShop> => newProductShop(service());

  it('adds, disables and deletes variations', async (t) => {
    const { as, path, read } = await shop();
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(path);
    await visitor.press('Add variation');
    await visitor.field('Identifier of new variation 1').fill('JUG');
    await visitor.field('Size of new variation 1').fill('L');
    await visitor.field('Stock of new variation 1').fill('many');
    visitor.expectFailure(400, '/v1/products/update.json');
    await visitor.press('Save');
    await visitor.reads('Enter a whole number, 0 or higher');
    await visitor.field('Stock of new variation 1').fill('5');
    await visitor.press('Save');
    await untilSaved(visitor);
    await page.getByRole('rowheader', { name: 'JUG' }).waitFor();
    assert.equal((await read()).available_quantity, 16);
    await visitor.press('Disable POT-S');
    await page.getByRole('button', { name: 'Enable POT-S' }).waitFor();
    assert.equal((await read()).available_quantity, 13);
    await visitor.press('Delete POT-M');
    await until(async () => (await read()).available_quantity === 5);
  });

  it('adds a variation of each size in each color that does not exist', async (t) => {
    const { as, path, read } = await shop();
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(path);
    await visitor.press('Add variations by size and color');
    const dialog = page.getByRole('dialog', { name: 'Add variations by size and color' });
    await dialog.waitFor();
    assert.equal(await visitor.focused(), 'Sizes');
    assert.ok(await dialog.getByRole('button', { name: 'Add variations' }).isDisabled());
    await page.keyboard.type('s, m, L');
    await dialog.getByRole('button', { name: 'Add 1 variation' }).waitFor();
    await visitor.field('Colors').fill('Moss, Sand');
    await dialog.getByRole('button', { name: 'Add 6 variations' }).waitFor();
    await inspectPage(visitor, 'product-combine');
    await visitor.field('Colors').press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    assert.equal(await visitor.field('Identifier of new variation 6').inputValue(), 'POT-L-SAND');
    await visitor.reads('Unsaved changes: 6 new variations');
    await visitor.field('Stock of new variation 1').fill('2');
    await inspectPage(visitor, 'product-combined', SOME_THEMES);
    await visitor.press('Save');
    await untilSaved(visitor);
    const { variations, available_quantity: units } = await read();
    assert.deepEqual([variations.length, units], [8, 13]);
    assert.deepEqual(
      variations.slice(2, 4).map(({ identifier, size, color }) => [identifier, size, color]),
      [
        ['POT-S-MOSS', 's', 'Moss'],
        ['POT-S-SAND', 's', 'Sand'],
      ],
    );
  });

  it('restores deleted variations, and undoes nothing older than their deletion', async (t) => {
    const { as, path, read } = await shop();
    const visitor = await open(t, { as });
    const { page } = visitor;
    const restored = (): Promise<boolean> =>
      until(async () => (await read()).variations.every(({ deleted_at: deleted }) => deleted === null));
    await visitor.goTo(path);
    await visitor.field('Stock of POT-S').fill('4');
    await visitor.press('Save');
    await untilSaved(visitor);
    const before = await read();
    await visitor.press('Delete POT-M');
    await visitor.reads('Variation POT-M deleted.');
    await visitor.reads(/^Deleted /);
    assert.equal(await page.getByRole('status').getByText('Saved', { exact: true }).count(), 0);
    await visitor.press('Undo');
    await restored();
    assert.deepEqual({ ...(await read()), updated_at: '' }, { ...before, updated_at: '' });
    await visitor.press('Delete POT-M');
    await visitor.press('Restore POT-M');
    await restored();
    await visitor.press('Disable POT-M');
    await page.getByRole('button', { name: 'Enable POT-M' }).waitFor();
    service().passTime(1_000);
    await visitor.press('Delete POT-M');
    await visitor.press('Restore POT-M');
    await page.getByRole('button', { name: 'Enable POT-M' }).waitFor();
    await visitor.field('Title').fill('My title');
    assert.ok(await page.getByRole('button', { name: 'Enable POT-M' }).isDisabled());
  });

  it('shows the whole table of variations beside a wide identifier, also after a deletion', async (t) => {
    const { as, path } = await shop();
    const identifier = 'OAK-TABLE-FOR-THE-GARDEN-WITH-A-VERY-LONG-NAME-1';
    const variations = { [identifier]: { identifier, size: 'Single', color: 'Moss' } };
    await as.post('/v1/products/update', { identifier: 'POT', variations });
    const visitor = await open(t, { as });
    const { page } = visitor;
    await page.setViewportSize({ width: 1280, height: 900 });
    await visitor.goTo(path);
    const table = page.getByRole('region', { name: 'Variations' });
    await table.getByText('Single / Moss').waitFor();
    await visitor.press(`Delete ${identifier}`);
    await table.getByRole('button', { name: `Restore ${identifier}` }).waitFor();
    const cut = await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    assert.equal(cut, 0);
  });

  it('says so if someone else deleted the product meanwhile, and keeps the edits', async (t) => {
    const { as, path, read } = await shop();
    const visitor = await open(t, { as });
    await visitor.goTo(path);
    await visitor.field('Title').fill('My title');
    await as.post('/v1/products/delete', { identifier: 'POT' });
    visitor.expectFailure(412, '/v1/products/update.json');
    visitor.expectFailure(400, '/v1/products/update.json');
    await visitor.press('Save');
    await visitor.page.getByRole('alert').filter({ hasText: 'the product POT is deleted' }).waitFor();
    assert.equal(await visitor.field('Title').inputValue(), 'My title');
    await visitor.press('Discard');
    await visitor.press('Restore');
    await visitor.reads('For sale, with enough units in stock.');
    assert.equal((await read()).title, 'Clay pot');
  });

  it('limits the product to the catalog, shows so, and keeps it as it was when it is restored', async (t) => {
    const { as, path, read } = await shop();
    const visitor = await open(t, { as });
    const { page } = visitor;
    const status = page.getByRole('region', { name: 'Status' });
    const chip = status.getByText('Catalog only', { exact: true });
    await visitor.goTo(path);
    await visitor.press('Limit to catalog');
    await chip.waitFor();
    await visitor.press('Disable');
    await visitor.reads('Not for sale until you enable it.');
    await visitor.press('Enable in catalog only');
    await visitor.reads('For sale, with enough units in stock.');
    const before = await read();
    assert.notEqual(before.catalog_only_at, null);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await visitor.press('Delete product');
    await visitor.press('Restore');
    await page.getByRole('button', { name: 'Allow auctions' }).waitFor();
    assert.deepEqual({ ...(await read()), updated_at: '' }, { ...before, updated_at: '' });
    await visitor.press('Allow auctions');
    await chip.waitFor({ state: 'detached' });
    assert.equal((await read()).catalog_only_at, null);
  });

  it('shows why the product is moderated, at the top and next to the fields', async (t) => {
    const { as, merchant, path } = await shop();
    const reasons = [
      { code: 'image_missing', field: 'primary_image', message: 'Show the pot from the front.' },
      { code: 'other', field: null, message: 'Ask us first.' },
    ];
    const caller = { merchantId: merchant.id, who: OPERATOR, lowInventory: 5 };
    const decision = { identifier: 'POT', state: 'problematic', reasons } as const;
    await runVerb(service(), caller, moderateProduct, decision, { locksMerchant: true });
    const visitor = await open(t, { as });
    await visitor.goTo(path);
    const notice = visitor.page.getByRole('region', {
      name: 'The marketplace has found problems with this product',
    });
    await notice.getByText('Ask us first.').waitFor();
    await notice.getByRole('button', { name: 'Main image' }).click();
    assert.equal(await visitor.focused(), 'Main image');
    const description = visitor
      .field('Main image')
      .locator('xpath=ancestor::*[contains(@class, "moderated")]');
    await description.getByText('Show the pot from the front.').waitFor();
  });
});
