import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import { readProductCsv } from '../../src/products/files/read-product-csv.ts';
import { readProductNdjson } from '../../src/products/files/read-product-ndjson.ts';
import { productCsvHeader, productCsvLines } from '../../src/products/files/write-product-csv.ts';
import type { Writer } from '../../src/products/record/catalog-batch.ts';
import type { Product } from '../../src/products/record/product.ts';
import type { ProductDraft, VariationDraft } from '../../src/products/record/product-draft.ts';
import { chunked, flatten, itemsOf, openText } from '../files/fake-file.ts';
import { allProducts, asMerchant, draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { useDatabase } from '../support/test-database.ts';

const findModeration = statement<{ merchantId: number }, { moderation: string }>(
  'SELECT moderation FROM products WHERE merchant_id = :merchantId',
);
const findName = statement<{ merchantId: number }, { name: string }>(
  'SELECT name FROM merchants WHERE id = :merchantId',
);
const TIME = '2026-01-31T23:59:59Z';
const READ_ONLY = 'read-only: set by the marketplace operator';
const MODERATION = 'read-only: only the marketplace operator moderates products';

const sentBack: Record<string, (product: Product) => Promise<ProductDraft[]>> = {
  ndjson: async (product) =>
    itemsOf(await flatten(readProductNdjson(chunked(Buffer.from(JSON.stringify(product)), [1000])))),
  csv: async (product) =>
    itemsOf(
      await flatten(readProductCsv(openText(productCsvHeader(false) + productCsvLines(product))).products),
    ),
};

forEachEngine((engine) => {
  const store = useDatabase(engine);

  /** Returns functions to write a catalog as operator or merchant, and to read it. */
  async function newCatalog() {
    const merchant = await store().newMerchant();
    const write = async (writer: Writer | undefined, drafts: ProductDraft[]) => {
      store().passTime(1000);
      return await importDrafts(store(), merchant, [drafts], { ...(writer && { writer }) });
    };
    return {
      merchant,
      byOperator: (...drafts: ProductDraft[]) => write(undefined, drafts),
      byMerchant: (...drafts: ProductDraft[]) => write(asMerchant, drafts),
      product: async (): Promise<Product> => {
        const [product] = await allProducts(store(), merchant);
        assert(product !== undefined);
        return product;
      },
      moderation: async (): Promise<string | undefined> =>
        (await store().database.first(findModeration, { merchantId: merchant.id }))?.moderation,
    };
  }

  describe('an operator-only field in a merchant’s file', () => {
    const operatorFields: [ProductDraft['fields'], column: string][] = [
      [{ ratings_average: 4.5 }, 'ratings_average'],
      [{ ratings_count: 7 }, 'ratings_count'],
      [{ sales_count: 2 ** 31 - 1 }, 'sales_count'],
      [{ created_at: '1970-01-01T00:00:00Z' }, 'created_at'],
      [{ updated_at: TIME }, 'updated_at'],
    ];
    for (const [fields, column] of operatorFields) {
      it(`rejects a row with another ${column}, even of a new product, and changes nothing`, async () => {
        const { byOperator, byMerchant, product } = await newCatalog();
        await byOperator(draft('A', { title: 'T', ratings_average: 3, ratings_count: 1, sales_count: 9 }));
        const before = await product();
        for (const identifier of ['A', 'B']) {
          const { rejections, rejected } = await byMerchant(draft(identifier, { title: 'U', ...fields }));
          assert.equal(rejected, 1);
          const value = String(Object.values(fields)[0]);
          assert.deepEqual(rejections, [{ line: 1, identifier, column, value, reason: READ_ONLY }]);
        }
        assert.deepEqual(await product(), before);
      });
    }

    it('is ignored if it is blank or unchanged, and all others are reported together', async () => {
      const { byOperator, byMerchant, product } = await newCatalog();
      const figures = { ratings_average: 3.5, ratings_count: 2, sales_count: 9, created_at: TIME };
      await byOperator(draft('A', { ...figures, updated_at: TIME }));
      const blank = { ratings_average: null, ratings_count: null, sales_count: null, created_at: null };
      assert.equal((await byMerchant(draft('A', { title: 'T', ...blank, updated_at: null }))).updated, 1);
      const { ratings_average, ratings_count, sales_count, created_at, updated_at } = await product();
      assert.deepEqual({ ratings_average, ratings_count, sales_count, created_at }, figures);
      assert.notEqual(updated_at, TIME);
      assert.equal((await byMerchant(draft('A', { title: 'U', ...figures, updated_at }))).updated, 1);
      const { rejections } = await byMerchant(
        draft('A', { sales_count: 1, ratings_count: 1, disabled_at: TIME }),
      );
      assert.deepEqual(
        rejections.map(({ column }) => column),
        ['ratings_count', 'sales_count', 'disabled_at'],
      );
    });

    it('is also rejected for created_at of a variation', async () => {
      const { byMerchant, product } = await newCatalog();
      await byMerchant(draft('A', {}, [{ identifier: 'v1', created_at: null }]));
      const [variation] = (await product()).variations;
      assert(variation !== undefined);
      const { created_at } = variation;
      assert.equal((await byMerchant(draft('A', {}, [{ identifier: 'v1', created_at }]))).unchanged, 1);
      for (const identifier of ['v1', 'v2']) {
        const { rejections } = await byMerchant(draft('A', {}, [{ identifier, created_at: TIME }]));
        const reason = `created_at of this variation is ${READ_ONLY}`;
        const rejection = { line: 1, identifier: 'A', column: 'variations', value: identifier, reason };
        assert.deepEqual(rejections, [rejection]);
      }
    });
  });

  describe('moderation', () => {
    for (const status of ['banned', 'problematic'] as const) {
      it(`cannot be lifted by a merchant’s file with a status other than ${status}`, async () => {
        const { byOperator, byMerchant, product, moderation } = await newCatalog();
        await byOperator(draft('A', { status, available_quantity: 9 }));
        assert.equal(await moderation(), status);
        for (const stated of ['in_stock', 'enabled', 'sold_out', 'low_inventory'] as const) {
          const { rejections } = await byMerchant(draft('A', { title: 'T', status: stated }));
          const rejection = { line: 1, identifier: 'A', column: 'status', value: stated, reason: MODERATION };
          assert.deepEqual(rejections, [rejection]);
        }
        assert.deepEqual([(await product()).status, (await product()).title], [status, null]);
      });

      it(`${status} stays if a merchant’s file omits the status, leaves it blank or sends it back`, async () => {
        const { byOperator, byMerchant, product, moderation } = await newCatalog();
        await byOperator(draft('A', { status, available_quantity: 9 }));
        for (const fields of [
          { available_quantity: 0 },
          { status: null, title: 'T' },
          { status, title: 'U' },
        ]) {
          assert.equal((await byMerchant(draft('A', fields))).updated, 1);
          assert.deepEqual([(await product()).status, await moderation()], [status, status]);
        }
      });

      it(`${status} cannot be set by a merchant’s file`, async () => {
        const { byMerchant, product } = await newCatalog();
        await byMerchant(draft('A', { available_quantity: 9 }));
        for (const identifier of ['A', 'B']) {
          const { rejections } = await byMerchant(draft(identifier, { status }));
          const rejection = { line: 1, identifier, column: 'status', value: status, reason: MODERATION };
          assert.deepEqual(rejections, [rejection]);
        }
        assert.equal((await product()).status, 'in_stock');
      });
    }

    it('is lifted by any other status in an operator’s file, but not by a blank one', async () => {
      const { byOperator, product, moderation } = await newCatalog();
      await byOperator(draft('A', { status: 'banned', available_quantity: 9 }));
      await byOperator(draft('A', { status: null, title: 'T' }));
      assert.deepEqual([(await product()).status, await moderation()], ['banned', 'banned']);
      await byOperator(draft('A', { status: 'in_stock' }));
      assert.deepEqual([(await product()).status, await moderation()], ['in_stock', 'ok']);
    });

    it('is overridden by `deleted`, and overrides `disabled`', async () => {
      const { byOperator, byMerchant, product, moderation } = await newCatalog();
      await byOperator(draft('A', { status: 'banned', available_quantity: 9 }));
      assert.equal((await byMerchant(draft('A', { status: 'disabled' }))).updated, 1);
      assert.equal((await product()).status, 'banned');
      assert.equal((await byMerchant(draft('A', { status: 'deleted' }))).updated, 1);
      assert.deepEqual([(await product()).status, await moderation()], ['deleted', 'banned']);
      await byOperator(draft('A', { status: 'deleted', title: 'The record sent back' }));
      assert.deepEqual([(await product()).status, await moderation()], ['deleted', 'banned']);
      await byOperator(draft('A', { deleted_at: null }));
      assert.equal((await product()).status, 'banned');
    });
  });

  describe('a status in a merchant’s file', () => {
    it('disables and enables the product', async () => {
      const { byMerchant, product } = await newCatalog();
      await byMerchant(draft('A', { available_quantity: 9, status: 'disabled' }));
      const { status, disabled_at } = await product();
      assert.deepEqual([status, disabled_at], ['disabled', (await product()).created_at]);
      assert.equal((await byMerchant(draft('A', { status: 'disabled' }))).unchanged, 1);
      await byMerchant(draft('A', { status: 'in_stock', title: 'T' }));
      assert.deepEqual([(await product()).status, (await product()).disabled_at], ['disabled', disabled_at]);
      await byMerchant(draft('A', { status: 'enabled' }));
      assert.deepEqual([(await product()).status, (await product()).disabled_at], ['in_stock', null]);
      await byMerchant(draft('A', { status: 'disabled', disabled_at: null }));
      assert.equal((await product()).status, 'disabled');
      await byMerchant(draft('A', { status: null }));
      assert.equal((await product()).status, 'in_stock');
    });

    it('lets a product that the operator limited to the catalog be placed in auctions', async () => {
      const { byOperator, byMerchant, product } = await newCatalog();
      await byOperator(draft('A', { available_quantity: 9, catalog_only_at: TIME }));
      assert.equal((await byMerchant(draft('A', { catalog_only_at: TIME }))).unchanged, 1);
      for (const status of ['disabled', null] as const) {
        await byMerchant(draft('A', { status }));
        assert.equal((await product()).catalog_only_at, TIME);
      }
      await byMerchant(draft('A', { status: 'enabled', catalog_only_at: TIME }));
      assert.equal((await product()).catalog_only_at, null);
    });

    it('deletes the product, keeps its identifier, and restores it', async () => {
      const { byMerchant, product } = await newCatalog();
      await byMerchant(draft('A', { available_quantity: 9 }));
      await byMerchant(draft('A', { status: 'deleted' }));
      const deleted = await product();
      assert.deepEqual([deleted.identifier, deleted.status], ['A', 'deleted']);
      assert.deepEqual([deleted.disabled_at, deleted.deleted_at], [deleted.updated_at, deleted.updated_at]);
      await byMerchant(draft('A', { status: null, title: 'T' }));
      assert.equal((await product()).status, 'deleted');
      await byMerchant(draft('A', { status: 'enabled' }));
      assert.equal((await product()).status, 'in_stock');
    });

    it('cannot come with times of the merchant’s choice', async () => {
      const { byMerchant } = await newCatalog();
      const { rejections } = await byMerchant(
        draft('A', { disabled_at: TIME, deleted_at: TIME, catalog_only_at: TIME }),
      );
      const reason = 'read-only: set by the service';
      assert.deepEqual(
        rejections.map((one) => [one.column, one.reason]),
        [
          ['disabled_at', reason],
          ['deleted_at', reason],
          ['catalog_only_at', reason],
        ],
      );
    });

    it('that describes the stock is derived again', async () => {
      const { byMerchant, product } = await newCatalog();
      await byMerchant(draft('A', { available_quantity: 0, status: 'in_stock' }));
      assert.equal((await product()).status, 'sold_out');
      await byMerchant(draft('A', { available_quantity: 50, status: 'sold_out' }));
      assert.equal((await product()).status, 'in_stock');
    });
  });

  it('a record that a merchant sends back unchanged changes nothing, for any status', async () => {
    const variations: VariationDraft[] = [
      { identifier: 'v1', quantity: 3, created_at: TIME },
      { identifier: 'v2', quantity: 4, disabled_at: TIME, deleted_at: TIME },
    ];
    const figures = { ratings_average: 4.25, ratings_count: 2, sales_count: 5, created_at: TIME };
    for (const fields of [
      {},
      { available_quantity: 0 },
      { available_quantity: 7, status: 'sold_out' },
      { status: 'banned' },
      { status: 'problematic', deleted_at: TIME },
      { status: 'disabled' },
      { disabled_at: TIME },
      { deleted_at: TIME, disabled_at: TIME },
      { status: 'enabled', available_quantity: 3 },
    ] as ProductDraft['fields'][]) {
      for (const listed of [[], variations]) {
        for (const [format, read] of Object.entries(sentBack)) {
          const { byOperator, byMerchant, product } = await newCatalog();
          await byOperator(draft('A', { ...figures, ...fields }, listed));
          const before = await product();
          const { unchanged, rejections } = await byMerchant(...(await read(before)));
          assert.deepEqual([unchanged, rejections], [1, []], `${format} ${JSON.stringify(fields)}`);
          assert.deepEqual(await product(), before);
        }
      }
    }
  });

  it('a merchant can choose the times at which variations are disabled and deleted', async () => {
    const { byMerchant, product } = await newCatalog();
    await byMerchant(
      draft('A', {}, [
        { identifier: 'v1', quantity: 3, disabled_at: TIME },
        { identifier: 'v2', quantity: 4, deleted_at: TIME },
        { identifier: 'v3', quantity: 5 },
      ]),
    );
    assert.equal((await product()).available_quantity, 5);
  });

  it('a row that names a merchant other than the file’s is rejected', async () => {
    const { merchant, byMerchant, byOperator } = await newCatalog();
    const other = await store().newMerchant();
    const row = await store().database.first(findName, { merchantId: merchant.id });
    const name = row?.name ?? '';
    for (const write of [byMerchant, byOperator]) {
      for (const named of [String(other.id), 'Nobody', '999999']) {
        const { rejections } = await write({ ...draft('A'), merchant: named });
        const reason = `expected ${name}, its ID ${merchant.id}, or blank, because the file belongs to this merchant`;
        assert.deepEqual(rejections, [
          { line: 1, column: 'merchant', value: named, reason, identifier: 'A' },
        ]);
      }
      for (const own of [String(merchant.id), name, null]) {
        assert.equal((await write({ ...draft('A'), merchant: own })).rejected, 0);
      }
    }
  });
});
