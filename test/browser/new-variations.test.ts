import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { inspectPage } from './inspect-page.ts';
import { newProductShop, type ProductShop, untilSaved } from './product-shop.ts';

describeInBrowser('the dialog for several variations', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);
  const shop = (): Promise<ProductShop> => newProductShop(service());

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
    await inspectPage(visitor, 'product-combined');
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
});
