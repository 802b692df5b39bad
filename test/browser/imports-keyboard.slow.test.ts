import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ProductPageView } from '../../src/console/catalog-api.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { signedIn } from '../support/console.ts';
import { productLines } from '../support/console-imports.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { choose, untilFocusKept } from './keyboard.ts';

describeInBrowser('the upload page, with the keyboard alone', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('cancels, checks, discards and imports files, and the focus stays', async (t) => {
    const as = await signedIn(service(), await service().newMerchant());
    const visitor = await open(t, { as });
    await visitor.goTo('/products/import');
    await visitor.sees('Upload products');
    const { page } = visitor;
    const chooseFile = async (content: string): Promise<void> => {
      const chosen = page.waitForEvent('filechooser');
      await choose(visitor, 'Choose file');
      const buffer = Buffer.from(content);
      await (await chosen).setFiles({ name: 'pots.ndjson', mimeType: 'application/octet-stream', buffer });
    };
    const heading = (name: string) => page.getByRole('heading', { name, exact: true });
    const hold = '**/console/api/imports?*';
    await page.route(hold, () => {});
    await chooseFile(productLines(3));
    await page.getByRole('progressbar', { name: 'Uploading' }).waitFor();
    await untilFocusKept(visitor);
    await choose(visitor, 'Cancel');
    await page.getByRole('button', { name: 'Choose file' }).waitFor();
    await page.unroute(hold);
    await untilFocusKept(visitor);

    await chooseFile(productLines(3));
    await heading('Preview').waitFor();
    await untilFocusKept(visitor);
    await choose(visitor, 'Discard');
    await page.getByRole('button', { name: 'Choose file' }).waitFor();
    await untilFocusKept(visitor);
    await chooseFile(`${productLines(3)}nonsense\n`);
    await heading('Rejected rows').waitFor();
    const download = page.waitForEvent('download');
    await choose(visitor, 'Download (CSV)');
    await download;
    await visitor.page.reload();
    await heading('Preview').waitFor();
    await choose(visitor, 'Import');
    await heading('Imported').waitFor();
    await untilFocusKept(visitor);
    await choose(visitor, 'Upload another file');
    await page.getByRole('button', { name: 'Choose file' }).waitFor();
    await untilFocusKept(visitor);
    await choose(visitor, 'pots.ndjson');
    await heading('Imported').waitFor();
    await choose(visitor, 'View products');
    await visitor.reads('1–3 of 3 products');
    assert.equal((await as.get('/products')).json<ProductPageView>().total_entries, 3);
  });
});
