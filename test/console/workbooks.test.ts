import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConsoleImport } from '../../src/console/catalog-api.ts';
import type { Import } from '../../src/imports/import-record.ts';
import { allProducts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { checkFile, importFile, untilState } from '../support/console-imports.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { importFileByApi, postFile, untilEnded } from '../support/imports.ts';
import { useService } from '../support/service.ts';
import { row, workbook, workbookParts, zip } from '../support/workbook.ts';

const XLSX = {
  headers: { 'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
};
const POTS = [
  row('identifier', 'title', 'retail_price', 'available_quantity', 'Notes'),
  row('00123', 'Clay pot', 49.9, 4, '<c t="e"><v>#N/A</v></c>'),
  row(4006381333931, 'Pan', 30, 2, null),
  row('BAD', 'Jug', '<c t="e"><v>#REF!</v></c>', 1, null),
];
const SHEETS = {
  'Read me': row('Hello'),
  Prices: row('identifier', 'retail_price') + row('POT', 12.5),
  Stock: row('identifier', 'available_quantity') + row('POT', 7),
};

forEachEngine((engine) => {
  describe('a workbook', () => {
    const service = useService(engine);

    it('is previewed and imported in the console, with the numbers of rejected rows', async () => {
      const merchant = await service().newMerchant();
      const as = await signedIn(service(), merchant);
      const checked = await checkFile(as, 'pots.xlsx', workbook(...POTS));
      const { summary, rejections, sheet, ignored_columns: ignored, format, failure } = checked;
      assert.deepEqual([summary?.created, summary?.rejected], [2, 1]);
      assert.deepEqual([format, failure, ignored], ['csv', null, ['Notes']]);
      assert.deepEqual(sheet, { name: 'Products', names: ['Products'] });
      assert.deepEqual(
        rejections.map(({ line, column, value, identifier }) => [line, column, value, identifier]),
        [[4, 'retail_price', '#REF!', 'BAD']],
      );
      await as.post(`/imports/${checked.id}/import`);
      await untilState(as, checked.id, 'done');
      const products = await allProducts(service(), merchant);
      assert.deepEqual(
        products
          .map((product) => [product.identifier, product.retail_price, product.available_quantity])
          .sort(),
        [
          ['00123', 49.9, 4],
          ['4006381333931', 30, 2],
        ],
      );
    });

    it('is imported through POST imports, from the sheet that is named', async () => {
      const merchant = await service().newMerchant();
      const body = zip(workbookParts({ sheets: SHEETS }));
      expectError(
        await postFile(service(), merchant, body, XLSX),
        400,
        /file.*Missing column "identifier"; columns found: Hello/,
      );
      expectError(
        await postFile(service(), merchant, body, { ...XLSX, query: { sheet: 'Costs' } }),
        400,
        /file.*There is no sheet “Costs”; sheets found: Read me, Prices, Stock/,
      );
      for (const sheet of ['Prices', 'Stock']) {
        const done = await importFileByApi(service(), merchant, body, { ...XLSX, query: { sheet } });
        assert.deepEqual([done.status, done.created + done.updated], ['done', 1]);
      }
      const [pot] = await allProducts(service(), merchant);
      assert.deepEqual([pot?.retail_price, pot?.available_quantity], [12.5, 7]);
    });

    it('is another request with the same Idempotency-Key if the sheet differs', async () => {
      const merchant = await service().newMerchant();
      const body = zip(workbookParts({ sheets: SHEETS }));
      const send = (sheet: string) =>
        postFile(service(), merchant, body, {
          query: { sheet },
          headers: { ...XLSX.headers, 'idempotency-key': 'once' },
        });
      const { id } = (await send('Prices')).json<Import>();
      await untilEnded(service(), merchant, id);
      assert.equal((await send('Prices')).json<Import>().id, id);
      assert.equal((await send('Stock')).status, 400);
    });

    it('can be checked again with another sheet, also if the first one has no products', async () => {
      const merchant = await service().newMerchant();
      const as = await signedIn(service(), merchant);
      const first = await checkFile(as, 'shop.xlsx', zip(workbookParts({ sheets: SHEETS })));
      assert.deepEqual(first.sheet, { name: 'Read me', names: ['Read me', 'Prices', 'Stock'] });
      assert.match(first.failure ?? '', /^shop\.xlsx: Missing column "identifier"; columns found: Hello\.$/);
      assert.equal((await as.post(`/imports/${first.id}/import`)).status, 409);
      const check = async (sheet: string): Promise<ConsoleImport> => {
        const { status, text } = await as.post(`/imports/${first.id}/check`, { sheet });
        assert.equal(status, 200, text);
        return await untilState(as, first.id, 'checked');
      };
      const prices = await check('Prices');
      assert.deepEqual([prices.failure, prices.summary?.created, prices.sheet?.name], [null, 1, 'Prices']);
      const stock = await check('Stock');
      assert.deepEqual(
        stock.changes?.[0]?.fields.map(({ name }) => name).includes('available_quantity'),
        true,
      );
      await as.post(`/imports/${first.id}/import`);
      await untilState(as, first.id, 'done');
      assert.equal((await allProducts(service(), merchant))[0]?.available_quantity, 7);
      assert.equal((await as.post(`/imports/${first.id}/check`, { sheet: 'Prices' })).status, 409);
    });

    it('fails with a reason if it is damaged, or has no sheet that can be read', async () => {
      const as = await signedIn(service(), await service().newMerchant());
      const cut = workbook(...POTS).subarray(0, 400);
      const damaged = await checkFile(as, 'cut.xlsx', cut, 'failed');
      assert.match(damaged.failure ?? '', /^cut\.xlsx: The workbook is damaged or incomplete \(.*\)\.$/);
      const empty = await checkFile(as, 'empty.xlsx', workbook(), 'failed');
      assert.equal(empty.failure, 'empty.xlsx: The sheet “Products” is empty.');
    });

    it('can have the columns of a Shopify export', async () => {
      const merchant = await service().newMerchant();
      const as = await signedIn(service(), merchant);
      const rows = [
        row('Handle', 'Title', 'Published', 'Variant SKU', 'Variant Inventory Qty', 'Variant Price'),
        row('pot', 'Pot', '<c t="b"><v>1</v></c>', 'POT-S', 3, 12.5),
        row('pot', null, null, 'POT-L', 4, 12.5),
      ];
      const done = await importFile(as, 'shopify.xlsx', workbook(...rows));
      assert.deepEqual([done.format, done.summary?.created], ['shopify', 1]);
      const [pot] = await allProducts(service(), merchant);
      assert.deepEqual([pot?.available_quantity, pot?.buy_now_price, pot?.status], [7, 12.5, 'in_stock']);
    });
  });
});
