import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it, type TestContext } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { checkFile, productLines } from '../support/uploads.ts';
import type { Visitor } from '../support/visitor.ts';

describeInBrowser('the page that takes product files', () => {
  const service = useService(sqlite, { environment: { MAX_UPLOAD: '1' } });
  const open = useBrowser(service);
  const onPage = async (t: TestContext): Promise<{ visitor: Visitor; as: ConsoleClient }> => {
    const as = await signedIn(service(), await service().newMerchant());
    const visitor = await open(t, { as });
    await visitor.goTo('/products/upload');
    await visitor.sees('Upload products');
    return { visitor, as };
  };
  const send = async ({ page }: Visitor, name: string, content: Buffer | string): Promise<void> => {
    const file = { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) };
    await page.getByLabel('Product file').setInputFiles(file);
  };

  it('says what is wrong with a file that it cannot read, and takes another', async (t) => {
    const { visitor } = await onPage(t);
    await send(visitor, 'prices.xlsx', 'PK\x03\x04 and more');
    await visitor.reads('prices.xlsx: it is a workbook or a ZIP archive; save the sheet as CSV (UTF-8).');
    await visitor.press('Upload another file');
    await send(visitor, 'prices.csv', 'name,price\nPot,3\n');
    await visitor.reads(/^prices\.csv: .*identifier/);
    await visitor.press('Upload another file');
    await send(visitor, 'pots.ndjson', productLines(3));
    await visitor.page.getByRole('heading', { name: 'This is what would change' }).waitFor();
  });

  it('says how large a file may be', async (t) => {
    const { visitor } = await onPage(t);
    visitor.expectFailure(400, '/console/api/uploads');
    await send(visitor, 'pots.ndjson', productLines(20_000));
    await visitor.reads('The file is larger than 1 MB, the most that is taken.');
    await visitor.page.getByRole('button', { name: 'Choose a file' }).waitFor();
  });

  it('gives what was rejected as a file', async (t) => {
    const { visitor, as } = await onPage(t);
    const { page } = visitor;
    const rows = Array.from({ length: 130 }, (_, index) => `P-${index},much ${index}`);
    await send(visitor, 'pots.csv', ['identifier,cost_basis,colour of the day', ...rows].join('\n'));
    await page.getByRole('heading', { name: 'Rejected: the first of 130' }).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 100);
    await visitor.reads('colour of the day');
    await page.getByRole('button', { name: 'Nothing to import', disabled: true }).waitFor();
    const begun = page.waitForEvent('download');
    await visitor.follow('All of them as CSV');
    const download = await begun;
    assert.equal(download.suggestedFilename(), 'pots.csv.rejects.csv');
    const id = new URL(page.url()).searchParams.get('id');
    const { text } = await as.get(`/uploads/${id}/rejects.csv`);
    assert.equal(await readFile(await download.path(), 'utf8'), text);
    assert.equal(text.trimEnd().split('\n').length, 131);
  });

  it('forgets a file that is not to be imported, and says so where its address is opened again', async (t) => {
    const { visitor, as } = await onPage(t);
    const { id } = await checkFile(as, 'pots.ndjson', productLines(2));
    await visitor.goTo(`/products/upload?id=${id}`);
    await visitor.press('Do not import');
    await visitor.page.getByRole('button', { name: 'Choose a file' }).waitFor();
    assert.equal((await as.get(`/uploads/${id}`)).status, 404);
    visitor.expectFailure(404, `/console/api/uploads/${id}`);
    await visitor.goTo(`/products/upload?id=${id}`);
    await visitor.reads(`There is no upload ${id}: send the file again.`);
    await visitor.press('Upload a file');
    await visitor.page.getByRole('button', { name: 'Choose a file' }).waitFor();
  });

  it('can be stopped while a file is on its way', async (t) => {
    const { visitor } = await onPage(t);
    await visitor.page.route('**/console/api/uploads?*', () => {});
    await send(visitor, 'pots.ndjson', productLines(3));
    await visitor.page.getByRole('progressbar', { name: 'Sending the file' }).waitFor();
    await visitor.press('Stop');
    await visitor.page.getByRole('button', { name: 'Choose a file' }).waitFor();
  });
});
