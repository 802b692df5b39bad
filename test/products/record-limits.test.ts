import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import { readProductCsv } from '../../src/products/files/read-product-csv.ts';
import { readProductNdjson } from '../../src/products/files/read-product-ndjson.ts';
import type { Writer } from '../../src/products/record/catalog-batch.ts';
import { MAX_COUNT, type Product } from '../../src/products/record/product.ts';
import { chunked, flatten, openText, rejectionsOf } from '../files/fake-file.ts';
import { allProducts, asMerchant, draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { useDatabase } from '../support/test-database.ts';

const limits = {
  title: 1_000,
  description: 100_000,
  extra_images: 20_000,
  primary_image: 2_000,
  accessory_description: 10_000,
  brand: 255,
  material: 255,
  condition: 255,
  campaign_name: 255,
  shipping_origin: 255,
  fulfillment_partner: 255,
};
const MAX_BYTES = 262_144;

const setRecords = statement<{ merchantId: number; record: string }, never>(
  'UPDATE products SET record = :record WHERE merchant_id = :merchantId',
);

describe('each text field of a file', () => {
  it('has its own limit in characters, and is rejected by name above it', async () => {
    for (const [name, limit] of Object.entries(limits)) {
      for (const [length, expected] of [
        [limit, []],
        [limit + 1, [[name, `expected at most ${limit} characters`]]],
      ] as const) {
        const text = '🏺'.repeat(length);
        const line = Buffer.from(JSON.stringify({ identifier: 'A', [name]: text }));
        const fromNdjson = rejectionsOf(await flatten(readProductNdjson(chunked(line, [100_000]))));
        const csv = openText(`identifier,${name}\nA,${text}\n`);
        const fromCsv = rejectionsOf(await flatten(readProductCsv(csv).products));
        for (const rejections of [fromNdjson, fromCsv]) {
          assert.deepEqual(
            rejections.map(({ column, reason }) => [column, reason]),
            expected,
          );
        }
      }
    }
  });

  it('of a variation is also rejected by name', async () => {
    const variation = { identifier: 'v', size: 'x'.repeat(256), color: 'x'.repeat(256) };
    const line = Buffer.from(JSON.stringify({ identifier: 'A', variations: [variation] }));
    const rejections = rejectionsOf(await flatten(readProductNdjson(chunked(line, [1000]))));
    assert.deepEqual(
      rejections.map(({ column }) => column),
      ['variations[0].size', 'variations[0].color'],
    );
  });
});

forEachEngine((engine) => {
  const store = useDatabase(engine);
  const bytesOf = (product: Product | undefined): number =>
    Buffer.byteLength(JSON.stringify({ ...product, variations: [] }));

  async function newCatalog(writer: Writer = { authority: 'operator' }) {
    const merchant = await store().newMerchant();
    return {
      write: (...drafts: Parameters<typeof importDrafts>[2][number]) =>
        importDrafts(store(), merchant, [drafts], { writer }),
      product: async () => (await allProducts(store(), merchant))[0],
      /** With a record that an earlier version may have stored. */
      replace: (product: Product | undefined) =>
        store().database.transaction((connection) =>
          connection.run(setRecords, { record: JSON.stringify(product), merchantId: merchant.id }),
        ),
    };
  }

  describe('a record', () => {
    it('has at most 262,144 bytes without its variations, and a rejection names the largest field', async () => {
      const { write, product } = await newCatalog();
      const small = { title: 'T', description: '' };
      await write(draft('A', small, [{ identifier: 'v1', size: 'S'.repeat(255) }]));
      const room = MAX_BYTES - bytesOf(await product());
      // Characters of three bytes, followed by characters of one byte.
      const text = (bytes: number): string => '日'.repeat(Math.floor(bytes / 3)) + 'x'.repeat(bytes % 3);
      const { rejections, rejected } = await write(draft('A', { description: text(room + 1) }));
      assert.equal(rejected, 1);
      assert.deepEqual(
        rejections.map(({ line, column }) => [line, column]),
        [[1, 'description']],
      );
      assert.match(
        rejections[0]?.reason ?? '',
        /record of at most 262144 bytes without its variations, found 262145; this is its largest field/,
      );
      assert.equal((await write(draft('A', { description: text(room) }))).updated, 1);
      const over = await write(draft('B', { description: text(room), title: 'x'.repeat(900) }));
      assert.equal(over.rejections[0]?.column, 'description');
    });

    it('that is already larger stays as it is, and can become smaller but not larger', async () => {
      const { write, product, replace } = await newCatalog();
      await write(draft('A', { title: 'T', description: 'short' }));
      const stored = await product();
      assert(stored !== undefined);
      const large = 'x'.repeat(300_000);
      await replace({ ...stored, description: large });
      assert.equal((await write(draft('A', { description: large, title: 'T' }))).unchanged, 1);
      assert.equal((await write(draft('A', { title: 'Tt' }))).rejections[0]?.column, 'description');
      assert.equal((await write(draft('A', { title: null, description: large.slice(1) }))).updated, 1);
      assert.equal((await product())?.description, large.slice(1));
      assert.equal((await write(draft('A', {}, [{ identifier: 'v1', quantity: 3 }]))).updated, 1);
    });

    it('has at most 10,000 variations, deleted ones included, in any number of files', async () => {
      const { write, product } = await newCatalog();
      const variations = (first: number, count: number) =>
        Array.from({ length: count }, (_, index) => ({ identifier: `v${first + index}` }));
      assert.equal((await write(draft('A', {}, variations(0, 6_000)))).created, 1);
      const { rejections } = await write(draft('A', {}, variations(6_000, 4_001)));
      assert.deepEqual(
        rejections.map(({ column, value }) => [column, value]),
        [['variations', 'A']],
      );
      assert.match(
        rejections[0]?.reason ?? '',
        /at most 10000 variations, including deleted ones, found 10001/,
      );
      assert.equal((await write(draft('A', {}, variations(6_000, 4_000)))).updated, 1);
      assert.equal((await product())?.variations.length, 10_000);
      assert.equal((await write(draft('A', { title: 'T' }))).updated, 1);
    });

    it('has a stock of at most 2147483647, stated or as the sum of its variations, from the operator and a merchant', async () => {
      for (const writer of [{ authority: 'operator' }, asMerchant] satisfies Writer[]) {
        const { write, product, replace } = await newCatalog(writer);
        const stock = ({ rejections }: Awaited<ReturnType<typeof write>>): unknown =>
          rejections.map(({ column, reason }) => [column, reason]);
        assert.deepEqual(stock(await write(draft('A', { available_quantity: MAX_COUNT + 1 }))), [
          ['available_quantity', 'expected at most 2147483647'],
        ]);
        assert.equal((await write(draft('A', { available_quantity: MAX_COUNT }))).created, 1);
        const [half, all] = [MAX_COUNT / 2 - 0.5, MAX_COUNT];
        const variations = (one: number, other: number) => [
          { identifier: 'v1', quantity: one },
          { identifier: 'v2', quantity: other },
        ];
        assert.deepEqual(stock(await write(draft('A', {}, variations(all, 1)))), [
          [
            'available_quantity',
            'expected at most 2147483647, found 2147483648 as the sum of the variations',
          ],
        ]);
        assert.equal((await write(draft('A', {}, variations(half, half)))).updated, 1);
        const stored = await product();
        assert(stored !== undefined);
        const quantities = (quantity: number) =>
          stored.variations.map((variation) => ({ ...variation, quantity }));
        await replace({ ...stored, variations: quantities(all), available_quantity: 2 * all });
        assert.equal((await write(draft('A', {}, variations(all, all)))).unchanged, 1);
        assert.equal((await write(draft('A', { title: 'T' }))).updated, 1);
        assert.equal((await write(draft('A', {}, variations(all, all - 1)))).updated, 1);
        assert.equal((await write(draft('A', {}, variations(all, all)))).rejected, 1);
      }
    });

    it('has only HTTP URLs as images, from the operator and a merchant, except those that are stored already', async () => {
      for (const writer of [{ authority: 'operator' }, asMerchant] satisfies Writer[]) {
        const { write, product, replace } = await newCatalog(writer);
        for (const url of [
          'javascript:alert(1)',
          ' javascript:alert(1)',
          'java\tscript:alert(1)',
          'data:image/svg+xml,<svg/>',
          'file:///etc/passwd',
          '//images.example/1.png',
          'images.example/1.png',
          'https:images.example',
          'https://',
          'x https://images.example',
        ]) {
          const { rejections, rejected } = await write(
            draft('A', { primary_image: url, extra_images: `https://images.example/1.png|${url}` }),
          );
          assert.equal(rejected, 1, url);
          assert.deepEqual(
            rejections.map(({ column, reason }) => [column, reason]),
            [
              ['primary_image', 'expected a URL that starts with https:// or http://'],
              ['extra_images', 'expected URLs, separated by |, that start with https:// or http://'],
            ],
          );
        }
        const extra = 'http://images.example/my 1.png | HTTPS://images.example/2.png|';
        const good = { primary_image: 'https://images.example/日本.png?a=1#b', extra_images: extra };
        assert.equal((await write(draft('A', good))).created, 1);
        const stored = await product();
        assert(stored !== undefined);
        const old = { primary_image: 'javascript:1', extra_images: 'javascript:2|https://images.example' };
        await replace({ ...stored, ...old });
        assert.equal((await write(draft('A', old))).unchanged, 1);
        assert.equal((await write(draft('A', { title: 'T' }))).updated, 1);
        assert.equal((await write(draft('A', { primary_image: 'javascript:2' }))).rejected, 1);
        assert.equal(
          (await write(draft('A', { extra_images: `${old.extra_images}|javascript:3` }))).rejected,
          1,
        );
        assert.equal((await write(draft('A', good))).updated, 1);
        assert.equal((await write(draft('A', old))).rejected, 1);
      }
    });
  });
});
