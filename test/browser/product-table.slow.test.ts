import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Product } from '../../src/products/record/product.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { accepted, postAs } from '../support/writes.ts';
import { choose, tabTo } from './keyboard.ts';

describeInBrowser('products in a table', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  async function shop(): Promise<{
    as: ConsoleClient;
    merchant: TestMerchant;
    read: () => Promise<Record<string, Product>>;
    change: (form: Record<string, string>) => Promise<void>;
  }> {
    const merchant = await service().newMerchant();
    const drafts = [1, 2, 3].map((number) =>
      draft(`P-${number}`, { title: `Pot ${number}`, buy_now_price: 10, available_quantity: 4 }),
    );
    const variations = ['S', 'M'].map((size) => ({ identifier: `HAT-${size}`, quantity: 7 }));
    await importDrafts(service(), merchant, [[...drafts, draft('HAT', { title: 'Hat' }, variations)]]);
    const post = postAs(service, () => merchant);
    return {
      as: await signedIn(service(), merchant),
      merchant,
      read: async () =>
        Object.fromEntries((await allProducts(service(), merchant)).map((each) => [each.identifier, each])),
      change: async (form) => void accepted(await post('/products/update', form)),
    };
  }

  async function openTable(visitor: Visitor): Promise<void> {
    const { page } = visitor;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await visitor.goTo('/products?sort=unique_id_ascending');
    await visitor.reads('1–4 of 4 products');
    await tabTo(visitor, 'Select page');
    await page.keyboard.press('Space');
    await choose(visitor, 'Edit in spreadsheet');
    await visitor.sees('Edit in spreadsheet');
    await page.getByRole('grid').waitFor();
  }

  const copy = (visitor: Visitor, text: string): Promise<void> =>
    visitor.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);

  it('are typed into, pasted from a spreadsheet, corrected and saved with the keyboard alone', async (t) => {
    const { as, read } = await shop();
    const visitor = await open(t, { as });
    const { page } = visitor;
    const press = (...keys: string[]): Promise<void> =>
      keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
    await openTable(visitor);
    // The first row is the hat; its stock is in the rows of its variations.
    await tabTo(visitor, 'Hat');
    await page.keyboard.type('Sun hat');
    await press('Tab');
    await page.keyboard.type('19');
    await press('Enter', 'ArrowRight');
    assert.equal(await visitor.focused(), '7');
    await page.keyboard.type('9');
    await press('Enter', 'Escape', 'ArrowLeft', 'ArrowDown');
    await copy(visitor, '12.5\t5\r\n12,5\t6\r\n');
    await press('Control+v');
    await visitor.reads('7 unsaved changes · 1 invalid value');
    await press('ArrowDown');
    await visitor.reads('decimal point');
    assert.ok(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled());
    await page.keyboard.type('13.5');
    await press('Enter');
    await visitor.reads(/^7 unsaved changes$/);
    await press('ArrowUp', 'ArrowUp', 'Shift+ArrowRight', 'Shift+ArrowDown', 'Control+c');
    const copied = await page.evaluate('navigator.clipboard.readText()');
    assert.equal(String(copied).replaceAll('\r', ''), '12.5\t5\n13.5\t6\n');
    await choose(visitor, 'Save');
    await visitor.reads('Saved 3 products.');
    const { HAT, 'P-1': first, 'P-2': second, 'P-3': third } = await read();
    assert.deepEqual([HAT?.title, HAT?.buy_now_price], ['Sun hat', 19]);
    assert.deepEqual(HAT?.variations.map(({ quantity }) => quantity).sort(), [7, 9]);
    assert.deepEqual([first?.buy_now_price, first?.available_quantity], [12.5, 5]);
    assert.deepEqual([second?.buy_now_price, second?.available_quantity], [13.5, 6]);
    assert.deepEqual([third?.buy_now_price, third?.available_quantity], [10, 4]);
  });

  it('undo step by step, also after a save', async (t) => {
    const { as, read } = await shop();
    const visitor = await open(t, { as });
    const { page } = visitor;
    await openTable(visitor);
    await page.getByRole('gridcell', { name: 'Pot 1' }).click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Delete');
    await visitor.reads('4 unsaved changes');
    await page.keyboard.press('Control+z');
    await visitor.reads('No changes.');
    await page.getByRole('gridcell', { name: 'Pot 3' }).click();
    await page.keyboard.type('Jar');
    await page.keyboard.press('Enter');
    await visitor.press('Save');
    await visitor.reads('Saved 1 product.');
    assert.equal((await read())['P-3']?.title, 'Jar');
    await visitor.press('Undo');
    await visitor.reads('1 unsaved change');
    await visitor.press('Save');
    await until(async () => (await read())['P-3']?.title === 'Pot 3');
  });

  it('warn of a price below cost, and name variations by size and color', async (t) => {
    const { as, change } = await shop();
    await change({ identifier: 'P-1', cost_basis: '9' });
    await change({ identifier: 'HAT', 'variations[HAT-L][size]': 'L', 'variations[HAT-L][color]': 'Moss' });
    const visitor = await open(t, { as });
    const { page } = visitor;
    await openTable(visitor);
    await page.getByRole('rowheader', { name: 'L / Moss' }).waitFor();
    await page.getByRole('rowheader', { name: '…-S' }).waitFor();
    await page.getByRole('gridcell', { name: 'Pot 1' }).click();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('8.50');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await visitor.reads('Unsaved. It was $10.00. The price is below cost ($9.00).');
    await visitor.press('Save');
    await visitor.reads('Saved 1 product.');
  });

  for (const width of [1280, 390]) {
    it(`are saved with a notice that covers no button, in a window of ${width} px`, async (t) => {
      const { as } = await shop();
      const visitor = await open(t, { as });
      const { page } = visitor;
      await openTable(visitor);
      await page.setViewportSize({ width, height: 844 });
      await page.getByRole('gridcell', { name: 'Pot 3' }).click();
      await page.keyboard.type('Jar');
      await page.keyboard.press('Enter');
      await visitor.press('Save');
      await visitor.reads('Saved 1 product.');
      for (const name of ['Undo', 'Discard', 'Save']) {
        const button = page.getByRole('button', { name, exact: true });
        const isOnTop = await button.evaluate((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return element.contains(element.ownerDocument.elementFromPoint(x + width / 2, y + height / 2));
        });
        assert.ok(isOnTop, name);
      }
    });
  }

  it('keep others’ changes of other fields, and let the user choose where both changed one', async (t) => {
    const { as, read, change } = await shop();
    const visitor = await open(t, { as });
    const { page } = visitor;
    await openTable(visitor);
    await page.getByRole('gridcell', { name: 'Pot 1' }).click();
    await page.keyboard.type('Mine');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Also mine');
    await page.keyboard.press('Enter');
    await change({ identifier: 'P-1', title: 'Theirs' });
    await change({ identifier: 'P-2', buy_now_price: '3' });
    await visitor.press('Save');
    await visitor.reads('Saved 1 product. 1 product couldn’t be saved: see the marked rows.');
    await visitor.reads('1 product was changed by someone else.');
    const after = await read();
    assert.deepEqual([after['P-2']?.title, after['P-2']?.buy_now_price], ['Also mine', 3]);
    assert.equal(after['P-1']?.title, 'Theirs');
    await page.getByRole('gridcell', { name: 'Mine', exact: true }).click();
    await visitor.reads('Someone else changed this to Theirs. Save again to replace it.');
    await visitor.press('Load their changes');
    await visitor.reads('No changes.');
    await page.getByRole('gridcell', { name: 'Theirs' }).waitFor();
  });
});
