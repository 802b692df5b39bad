import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConsoleImport } from '../../src/console/catalog-api.ts';
import type { Product } from '../../src/products/record/product.ts';
import { auditLogOf } from '../support/audit.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { checkFile, importFile } from '../support/console-imports.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

forEachEngine((engine) => {
  describe('a file uploaded to the console has the merchant’s authority', () => {
    const service = useService(engine, { environment: { BUDGETS: 'categories=3' } });

    async function newShop() {
      service().passTime(60_000);
      const merchant = await service().newMerchant();
      const client = await signedIn(service(), merchant);
      const banned = draft('P-1', { title: 'Pot', status: 'banned', sales_count: 3 }, [
        { identifier: 'P-1-S', quantity: 4 },
      ]);
      await importDrafts(service(), merchant, [[banned]]);
      return {
        client,
        merchant,
        product: async (): Promise<Product | undefined> => (await allProducts(service(), merchant))[0],
      };
    }
    const rejected = ({ rejections }: ConsoleImport) => rejections.map(({ line, column }) => [line, column]);

    it('cannot lift a ban, or set figures or times that only the operator may set', async () => {
      const { client, product } = await newShop();
      const before = await product();
      const lines = [
        { status: 'in_stock' },
        { status: 'enabled' },
        { sales_count: 2147483647 },
        { ratings_average: 4.9, ratings_count: 10 },
        { created_at: '1970-01-01T00:00:00Z' },
        { ratings_average: 5e300 },
      ].map((fields) => `${JSON.stringify({ identifier: 'P-1', ...fields })}\n`);
      const done = await importFile(client, 'pots.ndjson', lines.join(''));
      assert.deepEqual(rejected(done), [
        [1, 'status'],
        [2, 'status'],
        [3, 'sales_count'],
        [4, 'ratings_average'],
        [4, 'ratings_count'],
        [5, 'created_at'],
        [6, 'ratings_average'],
      ]);
      assert.deepEqual(await product(), before);
    });

    it('cannot lift a ban with a regular Shopify export, but enables products that were drafts', async () => {
      const { client, product } = await newShop();
      const shopify = (handle: string, status: string): string =>
        `Handle,Title,Status,Variant SKU,Variant Inventory Qty\n${handle},New title,${status},${handle}-S,9\n`;
      const done = await importFile(client, 'products_export.csv', shopify('P-1', 'active'));
      assert.equal(done.summary?.updated, 1);
      const { status, title, available_quantity } = (await product()) ?? {};
      assert.deepEqual([status, title, available_quantity], ['banned', 'New title', 9]);
      const other = await newShop();
      for (const [state, expected] of [
        ['draft', 'disabled'],
        ['active', 'in_stock'],
      ] as const) {
        await importFile(other.client, 'products_export.csv', shopify('P-2', state));
        const products = await allProducts(service(), other.merchant);
        assert.equal(products.find(({ identifier }) => identifier === 'P-2')?.status, expected);
      }
    });

    it('cannot change another merchant: rows that name one are rejected', async () => {
      const { client, merchant } = await newShop();
      const other = await newShop();
      const file = `merchant,identifier,title\n${other.merchant.id},A,x\n,B,x\n${merchant.id},C,x\n`;
      const done = await importFile(client, 'pots.csv', file);
      assert.deepEqual(rejected(done), [[2, 'merchant']]);
      assert.match(
        done.rejections[0]?.reason ?? '',
        /^expected .*, or blank, because the file belongs to this merchant$/,
      );
      assert.equal(done.summary?.created, 2);
    });

    it('cannot use more categories than the budget, which the rejection names', async () => {
      const { client } = await newShop();
      const done = await checkFile(client, 'pots.csv', 'identifier,category\nA,x | y\nB,z\nC,w\nD,x\n');
      assert.deepEqual(rejected(done), [[4, 'category']]);
      assert.match(done.rejections[0]?.reason ?? '', /^Budget categories exceeded: at most 3 categories/);
    });

    it('leaves an audit entry that counts the changes by field', async () => {
      const { client } = await newShop();
      const first = ['A', 'B', 'C'].map((identifier) => `${identifier},1,${identifier}-v,5`).join('\n');
      const header = 'identifier,buy_now_price,variation_identifier,variation_quantity\n';
      await importFile(client, 'catalog.csv', `${header}${first}\n`);
      await importFile(client, 'catalog.csv', `${header}A,2,A-v,6\nB,1,B-v,7\nC,1,C-v,5\nD,,,\n`);
      const entries = await auditLogOf(service(), client);
      assert.equal(
        entries[0]?.subject,
        'catalog.csv: 1 new, 2 changed (quantity 2, status 2, buy_now_price 1)',
      );
    });
  });
});
