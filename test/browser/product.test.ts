import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Product, productFields } from '../../src/products/record/product.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { allProducts } from '../support/catalog.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { choose, fill, tabTo, untilFocused, untilFocusKept } from './keyboard.ts';
import { newProductShop, type ProductShop, untilSaved } from './product-shop.ts';

describeInBrowser('the form of a product', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);
  const shop = (): Promise<ProductShop> => newProductShop(service());

  it('edits every field that the merchant owns, and undoes the last save', async (t) => {
    const { as, path, read } = await shop();
    const before = await read();
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(path);
    await visitor.sees('Clay pot');
    const more = page.getByRole('button', { name: /^Add (?!variation)/ });
    await more.first().waitFor();
    while ((await more.count()) > 0) await more.first().click();
    const picture = `${visitor.origin}/console/favicon.svg`;
    const values: Partial<Record<keyof Product, string>> = {};
    const owned = Object.entries(productFields).filter(
      ([name, { owner }]) => owner === 'merchant' && name !== 'identifier' && name !== 'variations',
    );
    for (const [name, { kind }] of owned) {
      const input = page.locator(`[name="${name}"]`);
      const text =
        { text: `New ${name}`, category: 'A | B | C', amount: '7.25', count: '4' }[kind as string] ?? '';
      const value =
        { condition: 'Used - Good', primary_image: picture, extra_images: `${picture}?a\n${picture}?b` }[
          name
        ] ?? text;
      if (name === 'condition') await input.selectOption(value);
      else await input.fill(value);
      values[name as keyof Product] = value.replace('\n', '|');
    }
    await visitor.field('Stock of POT-S').fill('11');
    await visitor.reads(/^Unsaved changes: Category, Title, Description, and \d+ more$/);
    await page.keyboard.press('Control+s');
    await untilSaved(visitor);
    await visitor.sees('New title');
    const saved = await read();
    for (const [name, value] of Object.entries(values))
      assert.equal(String(saved[name as keyof Product]), value, name);
    assert.deepEqual(
      saved.variations.map(({ quantity }) => quantity),
      [11, 8],
    );

    await visitor.press('Undo');
    await visitor.sees('Clay pot');
    await until(async () => (await read()).title === 'Clay pot');
    const { updated_at: _, ...undone } = await read();
    const { updated_at: __, ...original } = before;
    assert.deepEqual(undone, original);
  });

  it('says next to the fields what to enter, and focuses the first one', async (t) => {
    const { as, path, read } = await shop();
    const before = await read();
    const visitor = await open(t, { as });
    await visitor.goTo(path);
    await visitor.field('Buy-now price').fill('a lot');
    await visitor.field('Stock of POT-M').fill('-1');
    visitor.expectFailure(400, '/v1/products/update.json');
    await visitor.press('Save');
    await visitor.reads('Couldn’t save: 2 fields have errors.');
    for (const [field, reason] of [
      ['Buy-now price', 'Enter an amount of 0 or more, like 12.50'],
      ['Stock of POT-M', 'Enter a whole number, 0 or higher'],
    ] as const) {
      const input = visitor.field(field);
      assert.equal(await input.getAttribute('aria-invalid'), 'true');
      const ids = (await input.getAttribute('aria-describedby'))?.split(' ') ?? [];
      const texts = await Promise.all(ids.map((id) => visitor.page.locator(`[id="${id}"]`).innerText()));
      assert.ok(texts.includes(reason), texts.join());
    }
    assert.equal(await visitor.focused(), 'Stock of POT-M');
    assert.deepEqual(await read(), before);
    await visitor.press('Discard');
    assert.equal(await visitor.field('Buy-now price').inputValue(), '12.50');
  });

  it('warns of a price below cost and of a minimum bid above the price, and saves them', async (t) => {
    const { as, path, read } = await shop();
    const visitor = await open(t, { as });
    await visitor.goTo(path);
    await visitor.field('Cost basis').fill('96.73');
    await visitor.reads('The price is below cost ($96.73).');
    await visitor.field('Buy-now price').fill('100');
    await visitor.page.getByText('The price is below cost').waitFor({ state: 'detached' });
    await visitor.reads('3.3%');
    await visitor.reads('$3.27 for each unit sold at the buy-now price');
    await visitor.field('Minimum bid').fill('900');
    await visitor.reads('The minimum bid is above the buy-now price ($100.00).');
    await visitor.press('Save');
    await untilSaved(visitor);
    assert.equal((await read()).minimum_bid_amount, 900);
  });

  it('asks whose text to keep only where someone else changed the same field, and keeps their other changes', async (t) => {
    const { as, path, read, change } = await shop();
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(path);
    await visitor.field('Title').fill('New title');
    await change({ brand: 'New brand', 'variations[POT-S][quantity]': '9' });
    visitor.expectFailure(412, '/v1/products/update.json');
    await visitor.press('Save');
    await untilSaved(visitor);
    const saved = await read();
    assert.deepEqual([saved.title, saved.brand, saved.available_quantity], ['New title', 'New brand', 17]);
    assert.equal(await visitor.field('Brand').inputValue(), 'New brand');

    await visitor.field('Title').fill('My title');
    await visitor.field('Brand').fill('My brand');
    await change({ title: 'Their title', brand: 'Their brand', material: 'Steel' });
    await visitor.press('Save');
    const dialog = page.getByRole('dialog', { name: 'Someone else changed this product' });
    await dialog.getByText('Their title').waitFor();
    await dialog.getByRole('group', { name: 'Brand' }).getByLabel('Take theirs').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await untilSaved(visitor);
    const { title, brand, material } = await read();
    assert.deepEqual([title, brand, material], ['My title', 'Their brand', 'Steel']);

    await visitor.field('Title').fill('Another title');
    await change({ title: 'Their last title' });
    await visitor.press('Save');
    await dialog.getByLabel('Take theirs').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await visitor.sees('Their last title');
    assert.equal((await read()).title, 'Their last title');
  });

  it('is edited, saved and undone with the keyboard alone, and never loses the focus', async (t) => {
    const { as, path, read } = await shop();
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(path);
    await visitor.sees('Clay pot');
    await tabTo(visitor, 'Title');
    await page.keyboard.type('Jar');
    await tabTo(visitor, 'Stock of POT-M');
    await page.keyboard.type('2');
    await choose(visitor, 'Save');
    await untilSaved(visitor);
    await untilFocused(visitor, 'Undo');
    assert.deepEqual([(await read()).title, (await read()).available_quantity], ['Jar', 5]);
    await page.keyboard.press('Enter');
    await visitor.sees('Clay pot');
    await untilFocusKept(visitor);
    await choose(visitor, 'Disable POT-S');
    await untilFocused(visitor, 'Enable POT-S');
    await choose(visitor, 'Disable');
    await untilFocused(visitor, 'Enable');
    assert.equal((await read()).status, 'disabled');

    await choose(visitor, 'Add variation');
    await tabTo(visitor, 'Remove new variation 1');
    await page.keyboard.press('Enter');
    await untilFocusKept(visitor);
    await choose(visitor, 'Delete POT-S');
    await untilFocused(visitor, 'Restore POT-S');
    await choose(visitor, 'Delete');
    await choose(visitor, 'Delete product');
    await page.getByRole('button', { name: 'Restore', exact: true }).waitFor();
    await untilFocusKept(visitor);
    assert.equal((await read()).status, 'deleted');
    await choose(visitor, 'Restore');
    await page.getByRole('button', { name: 'Restore', exact: true }).waitFor({ state: 'detached' });
    await untilFocusKept(visitor);
  });

  it('is created with the keyboard alone, follows a form whose errors are next to its inputs', async (t) => {
    const { as, merchant } = await shop();
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/products');
    await visitor.reads('of 2 products');
    await choose(visitor, 'Add product');
    await visitor.sees('Add product');
    await fill(visitor, 'Identifier *', 'POT');
    await fill(visitor, 'Title *', 'Vase');
    visitor.expectFailure(400, '/v1/products.json');
    await page.keyboard.press('Enter');
    await visitor.reads('A product with the identifier POT already exists');
    await fill(visitor, 'Identifier *', 'VASE');
    await page.keyboard.press('Enter');
    await visitor.sees('Vase');
    await untilFocusKept(visitor);
    await visitor.field('Units in stock').fill('6');
    await visitor.press('Save');
    await untilSaved(visitor);
    const created = (await allProducts(service(), merchant)).at(-1);
    assert.deepEqual([created?.identifier, created?.available_quantity], ['VASE', 6]);
  });

  it('suggests the marketplace’s values, and accepts others, except for conditions', async (t) => {
    const { as, path, read } = await shop();
    const operator = await service().newOperatorToken();
    for (const [list, entries] of Object.entries({
      brands: { Ceramics: ['Northwind', 'Fabrikam'], Glass: ['Northwind'] },
      categories: ['Home | Kitchen', 'Toys'],
      colors: ['Teal'],
      conditions: ['Used', 'New'],
    }))
      await service().operator('PUT', `/metadata/${list}`, operator, { json: { entries } });
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(path);
    const suggestions = async (label: string): Promise<string[]> => {
      const list = await visitor.field(label).getAttribute('list');
      const options = page.locator(`datalist[id="${list}"] option`);
      return await options.evaluateAll((all) => all.map((one) => one.getAttribute('value') ?? ''));
    };
    const untilSuggested = (label: string, ...expected: string[]): Promise<unknown> =>
      until(async () => (await suggestions(label)).join() === expected.join());
    await visitor.field('Brand').fill('');
    await untilSuggested('Brand', 'Northwind', 'Fabrikam');
    await visitor.field('Brand').fill('north');
    await untilSuggested('Brand', 'Northwind');
    await visitor.field('Category').fill('');
    await untilSuggested('Category', 'Home', 'Home | Kitchen', 'Toys');
    await visitor.press('Add variation');
    await untilSuggested('Color of new variation 1', 'Teal');
    assert.ok((await suggestions('Size of new variation 1')).includes('XL'));
    await visitor.press('Remove new variation 1');
    const conditions = await visitor.field('Condition').locator('option').allInnerTexts();
    assert.deepEqual(conditions, ['None', 'New', 'Used']);
    await visitor.field('Category').fill('Garden');
    await visitor.press('Save');
    await untilSaved(visitor);
    const { brand, category } = await read();
    assert.deepEqual([brand, category], ['north', 'Garden']);
    for (const list of ['brands', 'categories', 'colors', 'conditions'])
      await service().operator('DELETE', `/metadata/${list}`, operator);
  });

  it('asks before edits are lost', async (t) => {
    const { as, path } = await shop();
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo(path);
    await visitor.field('Title').fill('My title');
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Sales' }).click();
    await visitor.press('Keep editing');
    assert.equal(await visitor.field('Title').inputValue(), 'My title');
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Sales' }).click();
    await visitor.press('Discard changes');
    await visitor.sees('Sales');
  });
});
