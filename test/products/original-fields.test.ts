import assert from 'node:assert/strict';
import { it } from 'node:test';
import { exampleProduct } from '../../src/products/record/example-product.ts';
import {
  MAX_GROWTH,
  renderRecord,
  spliceRecord,
  spliceRecords,
} from '../../src/products/record/original-fields.ts';
import { type Product, renderProduct } from '../../src/products/record/product.ts';
import { moderationStates, newBasis } from '../../src/products/record/product-status.ts';
import { formatTime } from '../../src/shared/timestamps.ts';
import { withOriginalFields } from '../support/original-fields.ts';
import { fc } from '../support/seed.ts';

/** Texts with what the end of a record, and of a moderation, look like. */
const fragment = fc.constantFrom(
  ...[
    '],"cost_basis":',
    ',{"moderation_reasons":',
    '],"moderation":',
    '"}',
    '}',
    '{"identifier":"',
    '\\',
    '"',
  ],
);
const text = fc
  .array(fc.oneof(fragment, fc.string({ unit: 'binary', maxLength: 8 }), fc.string({ unit: 'grapheme' })))
  .map((parts) => parts.join(''));
const amount = fc.option(fc.constantFrom(0, 0.1, 12.5, 1e21, 5e-324, 1.7976931348623157e308));
const url = fc
  .tuple(fc.constantFrom('http://', 'HTTPS://', ' https://', 'ftp://', ''), fc.webPath(), text)
  .map(([scheme, path, end]) => `${scheme}shop.example${path}${end.replaceAll('|', '')}`);
const product: fc.Arbitrary<Product> = fc
  .record({
    title: fc.option(text),
    description: fc.option(text),
    variations: fc.array(fc.record({ identifier: text, size: fc.option(text), color: fc.option(text) }), {
      maxLength: 3,
    }),
    minimum_bid_amount: amount,
    scheduling_fee_bid: amount,
    buy_one_get_one_price: amount,
    accessory_price: amount,
    accessory_description: fc.option(text),
    primary_image: fc.option(url),
    extra_images: fc.option(fc.array(fc.oneof(url, fc.constantFrom('', ' '))).map((urls) => urls.join('|'))),
    catalog_only_at: fc.constantFrom(null, '2026-01-01T00:00:00Z'),
  })
  .map(
    ({ variations, ...fields }) =>
      ({
        ...exampleProduct,
        ...fields,
        variations: variations.map((each, index) => ({
          ...exampleProduct.variations[0],
          ...each,
          internal_id: index,
        })),
      }) as Product,
  );
const moderation = fc
  .record({
    moderation: fc.constantFrom(...moderationStates),
    at: fc.nat(4e12),
    reasons: fc.array(fc.record({ code: text, field: fc.option(text), message: text }), { maxLength: 3 }),
  })
  .map(({ moderation: state, at, reasons }) => {
    const isOk = state === 'ok';
    return { state, at: isOk ? null : at, reasons: isOk ? [] : reasons };
  });
const entry = fc.tuple(product, moderation);
type Entry = readonly [
  Product,
  { state: (typeof moderationStates)[number]; at: number | null; reasons: { message: string }[] },
];

/** What a statement returns for a product. */
const itemOf = ([product, { state, at, reasons }]: Entry): string =>
  `${renderProduct(product)},${JSON.stringify({ moderation_reasons: reasons, moderation: state, moderated_at: at })}`;

const expectedOf = ([product, { state, at, reasons }]: Entry): string =>
  JSON.stringify(
    withOriginalFields(product as unknown as Record<string, unknown>, {
      state,
      at: at === null ? null : formatTime(at),
      messages: reasons.map(({ message }) => message),
    }),
  );

it('a record gets the fields of the original API at its end, whatever its texts contain', () => {
  fc.assert(
    fc.property(entry, (each) => {
      const [product, { state, at, reasons }] = each;
      assert.equal(spliceRecord(Buffer.from(itemOf(each))).toString(), expectedOf(each));
      const basis = {
        ...newBasis,
        moderation: state,
        moderation_reasons: reasons.length === 0 ? '' : JSON.stringify(reasons),
        moderated_at: at,
      };
      assert.equal(renderRecord({ product, basis }, 'original'), expectedOf(each));
      assert.equal(renderRecord({ product, basis }, 'standard'), renderProduct(product));
    }),
  );
});

it('each record of a page gets them, unless the page would be too large', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 5 }), fc.nat(2), async (entries, spare) => {
      const items = Buffer.from(`[${entries.map(itemOf).join()}]`);
      const expected = `[${entries.map(expectedOf).join()}]`;
      const bytes = Buffer.byteLength(expected);
      assert.equal((await spliceRecords(items, bytes + spare))?.toString(), expected);
      if (entries.length > 0) assert.equal(await spliceRecords(items, bytes - 2 - spare), undefined);
    }),
  );
});

it('a page stays in time slices: other work runs while it is spliced', async () => {
  const item = itemOf([exampleProduct, { state: 'ok', at: null, reasons: [] }]);
  const items = Buffer.from(`[${Array(20_000).fill(item).join()}]`);
  let turns = 0;
  const count = setInterval(() => {
    turns += 1;
  }, 0);
  const splicing = spliceRecords(items, Number.POSITIVE_INFINITY);
  assert.ok((await splicing) !== undefined);
  clearInterval(count);
  assert.ok(turns > 0);
});

it('a record grows at most by the documented factor, and a few thousand bytes', () => {
  const images = Array(2_222).fill('http://x').join('|');
  const product = { ...exampleProduct, primary_image: 'http://x', extra_images: images };
  const basis = { ...newBasis };
  const standard = renderRecord({ product, basis }, 'standard').length;
  const original = renderRecord({ product, basis }, 'original').length;
  assert.ok(original <= MAX_GROWTH * standard + 4_000, `${original} from ${standard}`);
  assert.ok(original > 0.9 * MAX_GROWTH * images.length);
});
