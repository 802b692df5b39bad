import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConsoleImport } from '../../src/console/catalog-api.ts';
import { statement } from '../../src/database/statement.ts';
import { allProducts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { checkFile, untilState } from '../support/console-imports.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { importFileByApi, postFile } from '../support/imports.ts';
import { useService } from '../support/service.ts';
import { row, workbook } from '../support/workbook.ts';

const SUPPLIER = 'Item No.,Name,List price,Margin\nA-1,Pot,12.50,40%\nA-2,Pan,much,\n';
const MAPPING = { 'Item No.': 'identifier', Name: 'title', 'List price': 'retail_price' };

const countMappings = statement<{ merchantId: number }, { total: number }>(
  'SELECT count(*) AS total FROM column_mappings WHERE merchant_id = :merchantId',
);

forEachEngine((engine) => {
  describe('the columns of a file', () => {
    const service = useService(engine);

    async function match(
      as: ConsoleClient,
      { id }: ConsoleImport,
      columns: Record<string, string>,
    ): Promise<ConsoleImport> {
      const { status, text } = await as.post(`/imports/${id}/check`, { columns });
      assert.equal(status, 200, text);
      return await untilState(as, id, 'checked');
    }

    it('are shown with examples if the identifier is missing, and can be matched with fields', async () => {
      const merchant = await service().newMerchant();
      const as = await signedIn(service(), merchant);
      const first = await checkFile(as, 'supplier.csv', SUPPLIER);
      assert.match(
        first.failure ?? '',
        /^supplier\.csv: Missing column "identifier"; columns found: Item No\./,
      );
      assert.deepEqual(first.columns, [
        { name: 'Item No.', sample: 'A-1' },
        { name: 'Name', sample: 'Pot' },
        { name: 'List price', sample: '12.50' },
        { name: 'Margin', sample: '40%' },
      ]);
      assert.deepEqual([first.mapping, first.is_remembered], [null, false]);
      assert.equal((await as.post(`/imports/${first.id}/import`)).status, 409);
      const checked = await match(as, first, MAPPING);
      const { summary, failure, mapping, rejections } = checked;
      assert.deepEqual([failure, summary?.created, summary?.rejected], [null, 1, 1]);
      assert.deepEqual([mapping, checked.ignored_columns], [MAPPING, ['Margin']]);
      assert.deepEqual(
        rejections.map(({ line, column, identifier }) => [line, column, identifier]),
        [[3, 'List price', 'A-2']],
      );
      await as.post(`/imports/${first.id}/import`);
      await untilState(as, first.id, 'done');
      const [pot] = await allProducts(service(), merchant);
      assert.deepEqual([pot?.identifier, pot?.title, pot?.retail_price], ['A-1', 'Pot', 12.5]);
    });

    it('are read as the last time in files with the same headers, in any order and format', async () => {
      const merchant = await service().newMerchant();
      const as = await signedIn(service(), merchant);
      await match(as, await checkFile(as, 'supplier.csv', SUPPLIER), MAPPING);
      const sheet = workbook(row('Name', 'Item No.', 'Margin', 'List price'), row('Jug', 'A-3', null, 7));
      const again = await checkFile(as, 'supplier.xlsx', sheet);
      assert.deepEqual([again.mapping, again.is_remembered, again.failure], [MAPPING, true, null]);
      assert.equal(again.summary?.created, 1);
      const changed = await match(as, again, { ...MAPPING, 'List price': 'buy_now_price' });
      assert.equal(changed.is_remembered, false);
      const third = await checkFile(as, 'supplier.csv', SUPPLIER);
      assert.equal(third.mapping?.['List price'], 'buy_now_price');
      const other = await signedIn(service(), await service().newMerchant());
      assert.equal((await checkFile(other, 'supplier.csv', SUPPLIER)).mapping, null);
      const fewer = await checkFile(as, 'other.csv', 'Item No.,Name\nA-1,Pot\n');
      assert.equal(fewer.mapping, null);
    });

    it('can be left out, and cannot be matched twice or with what is no field', async () => {
      const as = await signedIn(service(), await service().newMerchant());
      const first = await checkFile(as, 'pots.csv', 'identifier,title,Name\nA,Old,New\n');
      assert.equal(first.failure, null);
      const left = await match(as, first, { title: '', Name: 'title' });
      assert.equal(left.changes?.[0]?.title, 'New');
      const twice = await match(as, first, { Name: 'title' });
      assert.match(twice.failure ?? '', /^pots\.csv: Duplicate column "title"\.$/);
      for (const columns of [{ Name: 'nothing' }, { Name: 5 }, ['title'], 'title', { '': 'title' }]) {
        const { status, message } = await as.post(`/imports/${first.id}/check`, { columns });
        assert.equal(status, 400);
        assert.match(message, /columns: .*expected a JSON object/);
      }
    });

    it('are remembered for 50 sets of headers of a merchant', async () => {
      const merchant = await service().newMerchant();
      const as = await signedIn(service(), merchant);
      const { database } = service();
      await database.transaction(
        (connection) =>
          connection.runEach(
            statement<{ merchantId: number; headers: string; at: number }, never>(
              `INSERT INTO column_mappings (merchant_id, headers, columns, used_at)
               VALUES (:merchantId, :headers, '{}', :at)`,
            ),
            Array.from({ length: 50 }, (_, at) => ({ merchantId: merchant.id, headers: `h${at}`, at })),
          ),
        { merchantId: merchant.id },
      );
      await match(as, await checkFile(as, 'supplier.csv', SUPPLIER), MAPPING);
      assert.equal((await database.first(countMappings, { merchantId: merchant.id }))?.total, 50);
      assert.equal((await checkFile(as, 'supplier.csv', SUPPLIER)).is_remembered, true);
    });

    it('can be named in POST imports, which remembers and recalls nothing', async () => {
      const merchant = await service().newMerchant();
      const columns = JSON.stringify(MAPPING);
      const done = await importFileByApi(service(), merchant, SUPPLIER, { query: { columns } });
      assert.deepEqual([done.status, done.created, done.rejected], ['done', 1, 1]);
      expectError(
        await postFile(service(), merchant, SUPPLIER),
        400,
        /file.*Missing column "identifier"; columns found: Item No\., Name, List price, Margin/,
      );
      assert.equal((await service().database.first(countMappings, { merchantId: merchant.id }))?.total, 0);
      const wrong = await postFile(service(), merchant, SUPPLIER, {
        query: { columns: '{"Name":"nothing"}' },
      });
      assert.equal(wrong.status, 400);
    });
  });
});
