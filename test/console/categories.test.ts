import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { CategoryPage } from '../../src/console/catalog-api.ts';
import type { Database } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import { insertInto } from '../../src/database/statement.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';

const PAGE = 7;
const insertCount = insertInto<{ merchant_id: number; status: string; category: string; products: number }>(
  'product_counts',
  ['merchant_id', 'status', 'category', 'products'],
);

function watchRows(database: Database, report: (rows: number) => void): Database {
  return intercept(database, {
    all: async (statement, ...parameters) => {
      const rows = await database.all(statement, ...parameters);
      report(rows.length);
      return rows;
    },
  });
}

forEachEngine((engine) => {
  let mostRows = 0;
  const service = useService(engine, {
    wrap: (database) =>
      watchRows(database, (rows) => {
        mostRows = Math.max(mostRows, rows);
      }),
  });

  const pageOf = async (client: ConsoleClient, query: Record<string, string | number>) => {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const response = await client.get(`/products/categories?${search}`);
    assert.equal(response.status, 200, response.text);
    return response.json<CategoryPage>();
  };
  /** Reads all pages, and checks that none is longer than its limit. */
  const allOf = async (client: ConsoleClient, query: Record<string, string> = {}): Promise<string[]> => {
    const found: string[] = [];
    let next: string | null = null;
    do {
      const page: CategoryPage = await pageOf(client, {
        ...query,
        limit: PAGE,
        ...(next !== null && { after: next }),
      });
      assert.ok(page.categories.length <= PAGE);
      found.push(...page.categories.map(({ category }) => category));
      next = page.next;
    } while (next !== null);
    return found;
  };

  describe('the categories of a catalog', () => {
    let merchant: TestMerchant;
    let client: ConsoleClient;
    before(async () => {
      merchant = await service().newMerchant();
      client = await signedIn(service(), merchant);
      const categories = ['Home | Garden', 'Home | Kitchen 50%', 'Home Office', 'Home', 'Toys', 'Art | Home'];
      const products = categories.map((category, index) => draft(`P-${index}`, { category }));
      await importDrafts(service(), merchant, [[...products, draft('P-none', { category: null })]]);
    });

    it('are listed by first level, with product counts', async () => {
      const { categories, next } = await pageOf(client, {});
      assert.deepEqual(categories, [
        { category: 'Art', products: 1 },
        { category: 'Home', products: 3 },
        { category: 'Home Office', products: 1 },
        { category: 'Toys', products: 1 },
      ]);
      assert.equal(next, null);
    });

    it('are listed by second level within one first level', async () => {
      assert.deepEqual(await allOf(client, { parent: 'Home' }), ['Home | Garden', 'Home | Kitchen 50%']);
      assert.deepEqual(await allOf(client, { parent: 'Hom' }), []);
    });

    it('are found by any part of their name, ignoring case', async () => {
      assert.deepEqual(await allOf(client, { query: 'hOmE' }), [
        'Art | Home',
        'Home',
        'Home Office',
        'Home | Garden',
        'Home | Kitchen 50%',
      ]);
      assert.deepEqual(await allOf(client, { query: '0%' }), ['Home | Kitchen 50%']);
      assert.deepEqual(await allOf(client, { query: '_' }), []);
      assert.deepEqual(await allOf(client, { query: 'h', parent: 'Art' }), ['Art | Home']);
    });

    it('disappear with their last product', async () => {
      await importDrafts(service(), merchant, [[draft('P-4', { category: 'Art | Home' })]]);
      assert.deepEqual(await allOf(client), ['Art', 'Home', 'Home Office']);
      assert.deepEqual(await allOf(client, { query: 'toys' }), []);
    });

    it('400: a limit above 100', async () => {
      assert.equal((await client.get('/products/categories?limit=101')).status, 400);
    });

    it('400: a query of more than 200 characters', async () => {
      assert.deepEqual(await allOf(client, { query: 'x'.repeat(200) }), []);
      const response = await client.get(`/products/categories?query=${'x'.repeat(201)}`);
      assert.equal(response.status, 400);
      assert.match(response.message, /^query: .*200/);
    });
  });

  describe('a hundred thousand categories', () => {
    const FIRST = 200;
    const SECOND = 500;
    let client: ConsoleClient;
    before(async () => {
      const merchant = await service().newMerchant();
      client = await signedIn(service(), merchant);
      const counts = Array.from({ length: FIRST }, (_, first) => [
        { category: `C-${first}`, products: SECOND },
        ...Array.from({ length: SECOND }, (__, second) => ({
          category: `C-${first} | S-${second}`,
          products: 1,
        })),
      ]).flat();
      const rows = [{ category: '', products: FIRST * SECOND }, ...counts].map((row) => ({
        merchant_id: merchant.id,
        status: '',
        ...row,
      }));
      await service().database.transaction((connection) => connection.runEach(insertCount, rows));
    });

    it('make no response large, and are never all read at once', async () => {
      mostRows = 0;
      for (const path of [
        '/products/counts',
        '/overview',
        '/products/categories?limit=100',
        '/products/categories?limit=100&parent=C-7',
        '/products/categories?limit=100&query=s-',
      ]) {
        const response = await client.get(path);
        assert.equal(response.status, 200);
        assert.ok(response.bytes.length < 10_000, `${path}: ${response.bytes.length} bytes`);
      }
      assert.ok(mostRows <= 101, `${mostRows} rows`);
    });

    it('can all be reached page by page', async () => {
      assert.equal((await allOf(client)).length, FIRST);
      assert.equal((await allOf(client, { parent: 'C-7' })).length, SECOND);
      assert.deepEqual(
        await allOf(client, { query: 's-499' }).then((found) => [new Set(found).size, found[0]]),
        [FIRST, 'C-0 | S-499'],
      );
    });
  });
});
