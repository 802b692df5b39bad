import assert from 'node:assert/strict';
import { it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import { readProductCsv } from '../../src/products/files/read-product-csv.ts';
import { readProductNdjson } from '../../src/products/files/read-product-ndjson.ts';
import { productCsvHeader, productCsvLines } from '../../src/products/files/write-product-csv.ts';
import type { Product } from '../../src/products/record/product.ts';
import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import { chunked, flatten, itemsOf, openText, rejectionsOf } from '../files/fake-file.ts';
import { anyDraft } from '../support/arbitraries.ts';
import { allProducts, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { fc } from '../support/seed.ts';
import { useDatabase } from '../support/test-database.ts';
import { runs } from '../support/thorough.ts';

const findCounters = statement<
  { merchantId: number },
  { status: string; category: string; products: number }
>('SELECT status, category, products FROM product_counts WHERE merchant_id = :merchantId');

const batches = fc.array(fc.array(anyDraft, { maxLength: 6 }), { maxLength: 5 });

/** Writes an export in a format, and reads it back as an import does. */
const formats: Record<string, (products: Product[]) => Promise<ProductDraft[]>> = {
  ndjson: async (products) => {
    const lines = products.map((product) => `${JSON.stringify(product)}\n`).join('');
    return acceptedOf(await flatten(readProductNdjson(chunked(Buffer.from(lines), [1000]))));
  },
  csv: async (products) => {
    const lines = products.map((product) => productCsvLines(product)).join('');
    return acceptedOf(await flatten(readProductCsv(openText(productCsvHeader(false) + lines)).products));
  },
};

function acceptedOf(parsed: Parameters<typeof itemsOf<ProductDraft>>[0]): ProductDraft[] {
  assert.deepEqual(rejectionsOf(parsed), []);
  return itemsOf(parsed);
}

/** Without the IDs that the service assigns. In CSV, empty text is null. */
function comparable(products: Product[], format: string): unknown {
  const text = JSON.stringify(products).replaceAll(/"internal_id":\d+/g, '"internal_id":0');
  return JSON.parse(format === 'csv' ? text.replaceAll(':""', ':null') : text);
}

forEachEngine((engine) => {
  const [one, other] = [useDatabase(engine), useDatabase(engine)];

  for (const [format, readBack] of Object.entries(formats)) {
    it(`a catalog exported as ${format} can be imported into an empty database unchanged`, async () => {
      await fc.assert(
        fc.asyncProperty(batches, fc.integer({ min: 1, max: 7 }), async (drafts, size) => {
          const from = await one().newMerchant();
          await importDrafts(one(), from, drafts);
          const exported = await allProducts(one(), from);

          other().passTime(1000);
          const into = await other().newMerchant();
          const read = await readBack(exported);
          const parts = Array.from({ length: Math.ceil(read.length / size) }, (_, index) =>
            read.slice(index * size, (index + 1) * size),
          );
          const { rejections, created } = await importDrafts(other(), into, parts);
          assert.deepEqual(rejections, []);
          assert.equal(created, exported.length);
          const again = await allProducts(other(), into);
          assert.deepEqual(comparable(again, format), comparable(exported, format));
        }),
        { numRuns: runs(60) },
      );
    });
  }

  it('importing an export changes nothing, not even the revision', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (drafts) => {
        const merchant = await one().newMerchant();
        await importDrafts(one(), merchant, drafts);
        const exported = await allProducts(one(), merchant);
        const revision = await one().revisionOf(merchant);
        one().passTime(60_000);
        const read = await formats.ndjson?.(exported);
        const { unchanged, ...rest } = await importDrafts(one(), merchant, [read ?? []]);
        assert.equal(unchanged, exported.length);
        const nothing = { created: 0, updated: 0, rejected: 0, repeated: 0 };
        assert.deepEqual(rest, { ...nothing, changed_fields: {}, rejections: [] });
        assert.deepEqual(await allProducts(one(), merchant), exported);
        assert.equal(await one().revisionOf(merchant), revision);
      }),
      { numRuns: runs(60) },
    );
  });

  it('importing the same file twice changes nothing the second time', async () => {
    const file = fc.uniqueArray(anyDraft, { selector: ({ identifier }) => identifier, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(file, async (drafts) => {
        const merchant = await one().newMerchant();
        assert.equal((await importDrafts(one(), merchant, [drafts])).created, drafts.length);
        const [before, revision] = [await allProducts(one(), merchant), await one().revisionOf(merchant)];
        one().passTime(60_000);
        assert.equal((await importDrafts(one(), merchant, [drafts])).unchanged, drafts.length);
        assert.deepEqual(await allProducts(one(), merchant), before);
        assert.equal(await one().revisionOf(merchant), revision);
      }),
      { numRuns: runs(60) },
    );
  });

  it('a file leads to the same catalog in one batch or in many', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (drafts) => {
        const [whole, parted] = [await one().newMerchant(), await one().newMerchant()];
        const { rejections: _, ...inOne } = await importDrafts(one(), whole, [drafts.flat()]);
        const { rejections: __, ...inMany } = await importDrafts(
          one(),
          parted,
          drafts.flat().map((draft) => [draft]),
        );
        assert.deepEqual(inMany, inOne);
        assert.deepEqual(await allProducts(one(), parted), await allProducts(one(), whole));
      }),
      { numRuns: runs(60) },
    );
  });

  it('a dry run reports the same as the import, and changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(batches, batches, async (before, drafts) => {
        const merchant = await one().newMerchant();
        await importDrafts(one(), merchant, before);
        const contents = await one().contents();
        const reported = await importDrafts(one(), merchant, [drafts.flat()], { dryRun: true });
        assert.deepEqual(await one().contents(), contents);
        assert.deepEqual(await importDrafts(one(), merchant, [drafts.flat()]), reported);
      }),
      { numRuns: runs(30) },
    );
  });

  it('the counters always equal the actual numbers of products', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (drafts) => {
        const merchant = await one().newMerchant();
        for (const batch of drafts) {
          one().passTime(1);
          await importDrafts(one(), merchant, [batch]);
        }
        const counted: Record<string, number> = {};
        for (const { status, category } of await allProducts(one(), merchant)) {
          const levels = category?.split(' | ') ?? [];
          const categories = [
            '',
            ...levels.slice(0, 2).map((_, index) => levels.slice(0, index + 1).join(' | ')),
          ];
          for (const key of categories.flatMap((name) => [`/${name}`, `${status}/${name}`])) {
            counted[key] = (counted[key] ?? 0) + 1;
          }
        }
        const rows = await one().database.all(findCounters, { merchantId: merchant.id });
        const kept = Object.fromEntries(rows.map((row) => [`${row.status}/${row.category}`, row.products]));
        assert.deepEqual(kept, counted);
      }),
      { numRuns: runs(60) },
    );
  });
});
