import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { checkFile, productLines } from '../support/console-imports.ts';
import { sqlite } from '../support/engines.ts';
import { importFileByApi, postFile } from '../support/imports.ts';
import { useService } from '../support/service.ts';
import { row, workbookParts, zip } from '../support/workbook.ts';

describeInBrowser('the upload page', () => {
  const service = useService(sqlite, { environment: { MAX_UPLOAD: '1' } });
  const open = useBrowser(service);
  const openPage = async (t: TestContext): Promise<{ visitor: Visitor; as: ConsoleClient }> => {
    const as = await signedIn(service(), await service().newMerchant());
    const visitor = await open(t, { as });
    await visitor.goTo('/products/import');
    await visitor.sees('Upload products');
    return { visitor, as };
  };
  const send = async ({ page }: Visitor, name: string, content: Buffer | string): Promise<void> => {
    const file = { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) };
    await page.getByLabel('Product file').setInputFiles(file);
  };

  it('says why a file cannot be read, and accepts another', async (t) => {
    const { visitor } = await openPage(t);
    await send(visitor, 'prices.xlsx', 'PK\x03\x04 xl/workbook.xml');
    await visitor.reads(/^The workbook is damaged or incomplete \(.*\)\.$/);
    assert.equal(await visitor.page.getByText('Something went wrong').count(), 0);
    await visitor.press('Upload another file');
    await send(visitor, 'prices.csv', 'name,price\nPot,3\n');
    await visitor.reads('Choose the column with the identifier of each product, such as the SKU.');
    await visitor.press('Upload another file');
    await send(visitor, 'pots.ndjson', productLines(3));
    await visitor.page.getByRole('heading', { name: 'Preview' }).waitFor();
  });

  it('says how large a file can be', async (t) => {
    const { visitor } = await openPage(t);
    visitor.expectFailure(400, '/console/api/imports');
    await send(visitor, 'pots.ndjson', productLines(20_000));
    await visitor.reads('The file is larger than the limit of 1 MB.');
    await visitor.page.getByRole('button', { name: 'Choose file' }).waitFor();
  });

  it('shows the figures side by side while a file is checked', async (t) => {
    const as = await signedIn(service(), await service().newMerchant());
    const upload = await checkFile(as, 'pots.ndjson', productLines(2));
    const { id } = upload;
    const visitor = await open(t, { as });
    const json = { ...upload, state: 'checking', progress: 0.5 };
    await visitor.page.route(`**/console/api/imports/${id}`, (route) => route.fulfill({ json }));
    await visitor.goTo(`/products/import?id=${id}`);
    await visitor.page.getByRole('progressbar', { name: 'Checking file' }).waitFor();
    const boxes = await Promise.all(
      (await visitor.page.locator('dl dt').all()).map((label) => label.boundingBox()),
    );
    assert.equal(boxes.length, 4);
    assert.equal(new Set(boxes.map((box) => box?.y)).size, 1);
  });

  it('imports a sheet of a workbook, which can be chosen, with columns that are matched once', async (t) => {
    const { visitor } = await openPage(t);
    const { page } = visitor;
    const sheets = {
      'Read me': row('Hello'),
      Products: row('Item no.', 'Name', 'List price', 'Margin') + row('00123', 'Clay pot', 49.9, 0.4),
    };
    const field = (column: string) => page.getByLabel(`Product field for ${column}`);
    await send(visitor, 'supplier.xlsx', zip(workbookParts({ sheets })));
    await page.getByRole('heading', { name: 'Match columns' }).waitFor();
    await page.getByLabel('Sheet').selectOption('Products');
    await field('Name').waitFor();
    assert.equal(await field('Item no.').inputValue(), 'identifier');
    assert.equal(await field('Name').inputValue(), 'title');
    assert.equal(await field('List price').inputValue(), 'retail_price');
    assert.equal(await field('Margin').inputValue(), '');
    await field('List price').selectOption('Buy-now price');
    await field('Item no.').selectOption('');
    await visitor.reads('Choose the column with the identifier of each product, such as the SKU.');
    await page.getByRole('button', { name: 'Preview', disabled: true }).waitFor();
    await field('Item no.').selectOption('Identifier');
    await visitor.reads('3 of 4 columns will be imported.');
    await visitor.press('Preview');
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
    await visitor.reads(/Columns as you matched them/);
    const pot = page.getByRole('row', { name: 'Clay pot' });
    assert.match(await pot.innerText(), /00123[\s\S]*Buy-now price:\s*\$49\.90/);
    await visitor.press('Import');
    await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor();
    await visitor.press('Upload another file');
    await send(visitor, 'next.csv', 'Name,Item no.,Margin,List price\nClay pot,00123,,59\n');
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
    await visitor.reads(/Columns as last time/);
    assert.match(await page.getByRole('row', { name: 'Clay pot' }).innerText(), /\$49\.90\s*→\s*\$59\.00/);
    await visitor.press('Change');
    assert.equal(await field('List price').inputValue(), 'buy_now_price');
    await visitor.press('Cancel');
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
  });

  it('shows what a file would change of each product', async (t) => {
    const { visitor } = await openPage(t);
    await send(visitor, 'pots.ndjson', productLines(2));
    await visitor.reads('Preview the changes before importing.');
    await visitor.press('Import');
    await visitor.page.getByRole('heading', { name: 'Imported', exact: true }).waitFor();
    assert.equal(await visitor.page.getByText('Preview the changes').count(), 0);
    await visitor.press('Upload another file');
    const lines = [
      { identifier: 'P-1', title: 'Round pot' },
      { identifier: 'P-NEW', title: 'Jug' },
    ].map((line) => JSON.stringify(line));
    await send(visitor, 'more.ndjson', lines.join('\n'));
    const row = visitor.page.getByRole('row', { name: 'Round pot' });
    assert.match(await row.innerText(), /Title: .* → Round pot/);
    assert.match(await visitor.page.getByRole('row', { name: 'Jug' }).innerText(), /New/);
  });

  it('offers the rejected rows as a file', async (t) => {
    const { visitor, as } = await openPage(t);
    const { page } = visitor;
    const rows = Array.from({ length: 130 }, (_, index) => `P-${index},much ${index}`);
    await send(visitor, 'pots.csv', ['identifier,cost_basis,colour of the day', ...rows].join('\n'));
    await page.getByRole('heading', { name: 'Rejected rows (first 100 reasons)' }).waitFor();
    assert.equal(await page.locator('[data-bad] dd').innerText(), '130');
    assert.equal(await page.locator('tbody tr').count(), 100);
    await visitor.page.getByText('Ignored columns (1)').click();
    await visitor.reads('colour of the day');
    await page.getByRole('button', { name: 'Nothing to import', disabled: true }).waitFor();
    const started = page.waitForEvent('download');
    await visitor.follow('Download (CSV)');
    const download = await started;
    assert.equal(download.suggestedFilename(), 'pots.csv.rejects.csv');
    const id = new URL(page.url()).searchParams.get('id');
    const { text } = await as.get(`/imports/${id}/rejects.csv`);
    assert.equal(await readFile(await download.path(), 'utf8'), text);
    assert.equal(text.trimEnd().split('\n').length, 131);
  });

  it('says when it lists only the first reasons, even if each product has several rows', async (t) => {
    const { visitor } = await openPage(t);
    const heading = (name: string) => visitor.page.getByRole('heading', { name, exact: true });
    const shopify = (rows: number): string => {
      const lines = Array.from({ length: rows }, (_, row) => `pot-${row >> 1},Pot,S-${row},much`);
      return ['Handle,Title,Option1 Value,Variant Price', ...lines].join('\n');
    };
    await send(visitor, 'shopify.csv', shopify(100));
    await heading('Rejected rows').waitFor();
    const products = visitor.page.locator('tbody').getByRole('cell', { name: /^pot-\d+$/ });
    assert.equal(await products.count(), 100, 'each reason names its product');
    assert.equal(await visitor.page.getByText('Enter an amount of 0 or more, like 12.50').count(), 100);
    await visitor.press('Discard');
    await send(visitor, 'shopify.csv', shopify(102));
    await heading('Rejected rows (first 100 reasons)').waitFor();
    assert.equal(await visitor.page.locator('[data-bad] dd').innerText(), '51');
  });

  it('discards a file, and says so when its URL is opened again', async (t) => {
    const as = await signedIn(service(), await service().newMerchant());
    const { id } = await checkFile(as, 'pots.ndjson', productLines(2));
    const visitor = await open(t, { as });
    await visitor.goTo(`/products/import?id=${id}`);
    await visitor.press('Discard');
    await visitor.page.getByRole('button', { name: 'Choose file' }).waitFor();
    assert.equal((await as.get(`/imports/${id}`)).status, 404);
    visitor.expectFailure(404, `/console/api/imports/${id}`);
    await visitor.goTo(`/products/import?id=${id}`);
    await visitor.reads(`There is no import ${id}: upload the file again.`);
    await visitor.press('Upload file');
    await visitor.page.getByRole('button', { name: 'Choose file' }).waitFor();
  });

  it('lists recent uploads of the API and the console, and opens them', async (t) => {
    const merchant = await service().newMerchant();
    const as = await signedIn(service(), merchant);
    const { id } = await checkFile(as, 'pots.ndjson', productLines(2));
    await importFileByApi(service(), merchant, 'identifier\nP\n', { query: { name: 'stock.csv' } });
    const visitor = await open(t, { as });
    await visitor.goTo('/products/import');
    const row = (name: string) => visitor.page.getByRole('row').filter({ hasText: name });
    await row('stock.csv').getByText('Imported').waitFor();
    await row('stock.csv').getByText(`key ${merchant.keyId}`).waitFor();
    await row('pots.ndjson').getByText('Ready to import').waitFor();
    await visitor.follow('pots.ndjson');
    await visitor.page.getByRole('heading', { name: 'Preview' }).waitFor();
    assert.equal(new URL(visitor.page.url()).searchParams.get('id'), id);
  });
});

// A service of its own, because one address can sign in ten times a minute.
describeInBrowser('the upload page while a file is sent or imported', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('can cancel an upload', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    await visitor.goTo('/products/import');
    await visitor.page.route('**/console/api/imports?*', () => {});
    await visitor.upload('pots.csv', 'identifier\nP\n');
    await visitor.page.getByRole('progressbar', { name: 'Uploading' }).waitFor();
    await visitor.press('Cancel');
    await visitor.page.getByRole('button', { name: 'Choose file' }).waitFor();
  });

  it('can cancel an import of the API, and shows what was imported', async (t) => {
    const merchant = await service().newMerchant();
    const visitor = await open(t, { as: await signedIn(service(), merchant) });
    const headers = { 'content-type': 'application/gzip' };
    const body = gzipSync(productLines(90_000));
    const { id } = (await postFile(service(), merchant, body, { headers })).json<{ id: string }>();
    await visitor.goTo(`/products/import?id=${id}`);
    await visitor.press('Cancel');
    await visitor.page.getByRole('heading', { name: 'Canceled' }).waitFor();
    await visitor.press('Upload another file');
    await visitor.page.getByRole('button', { name: 'Choose file' }).waitFor();
  });
});
