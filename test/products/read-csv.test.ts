import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Parsed } from '../../src/files/parsed.ts';
import { readProductCsv } from '../../src/products/files/read-product-csv.ts';
import {
  productCsvHeader,
  productCsvLines,
  spreadsheetCsvHeader,
  spreadsheetCsvLines,
} from '../../src/products/files/write-product-csv.ts';
import {
  type Field,
  type Product,
  productFields,
  productStatuses,
  variationFields,
} from '../../src/products/record/product.ts';
import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import { formatTime } from '../../src/shared/timestamps.ts';
import { flatten, itemsOf, openText, rejectionsOf } from '../files/fake-file.ts';
import { fc } from '../support/seed.ts';

const read = (text: string | Buffer, sizes = [1000]): Promise<Parsed<ProductDraft>[]> =>
  flatten(readProductCsv(openText(text, sizes)).products);
const identifiers = (parsed: Parsed<ProductDraft>[]) => itemsOf(parsed).map(({ identifier }) => identifier);
const problems = (parsed: Parsed<ProductDraft>[]) =>
  rejectionsOf(parsed).map(({ line, column, value }) => [line, column, value]);

describe('readProductCsv', () => {
  it('reads a blank cell as null, and omits fields without a column', async () => {
    const parsed = await read('title,identifier,retail_price,merchant\nPot,A,12.50,Acme\n,B,,\n');
    assert.deepEqual(parsed, [
      {
        line: 2,
        item: {
          merchant: 'Acme',
          identifier: 'A',
          fields: { title: 'Pot', retail_price: 12.5 },
          variations: undefined,
        },
      },
      {
        line: 3,
        item: {
          merchant: null,
          identifier: 'B',
          fields: { title: null, retail_price: null },
          variations: undefined,
        },
      },
    ]);
  });

  it('reads consecutive rows as one product, with a variation per row', async () => {
    const text =
      'identifier,title,variation_identifier,variation_size,variation_internal_id\nA,Pot,A-1,S,9\nA,,A-2,L,\nA,Pot,A-3,,\nB,Pan,,,\nA,Again,A-1,S,\n';
    const parsed = await read(text, [3]);
    assert.deepEqual(
      itemsOf(parsed).map(({ identifier, fields, variations }) => [identifier, fields.title, variations]),
      [
        [
          'A',
          'Pot',
          [
            { identifier: 'A-1', size: 'S' },
            { identifier: 'A-2', size: 'L' },
            { identifier: 'A-3', size: null },
          ],
        ],
        ['B', 'Pan', []],
        ['A', 'Again', [{ identifier: 'A-1', size: 'S' }]],
      ],
    );
    assert.deepEqual(
      parsed.map(({ line }) => line),
      [2, 5, 6],
    );
  });

  it('keeps the products of two merchants apart', async () => {
    const parsed = await read('merchant,identifier,variation_identifier\n1,A,x\n2,A,x\n,A,y\n');
    assert.deepEqual(
      itemsOf(parsed).map(({ merchant, variations }) => [merchant, variations?.length]),
      [
        ['1', 1],
        ['2', 2],
      ],
    );
  });

  it('rejects the whole product for one invalid row, with all of its problems', async () => {
    const parsed = await read(
      'identifier,title,retail_price,variation_identifier,variation_quantity\n' +
        'A,Pot,"1,000.00",A-1,x\nA,Jug,,A-1,1\nA,,5,,2\nB,Pan,1,,\n',
    );
    assert.deepEqual(identifiers(parsed), ['B']);
    assert.deepEqual(problems(parsed), [
      [2, 'retail_price', '1,000.00'],
      [3, 'title', 'Jug'],
      [2, 'variation_quantity', 'x'],
      [3, 'variation_identifier', 'A-1'],
      [4, 'variation_identifier', ''],
    ]);
    assert.match(
      rejectionsOf(parsed)[1]?.reason ?? '',
      /same value as in the product's first row \(line 2\), or a blank cell/,
    );
  });

  it('accepts a repeated value in another notation', async () => {
    assert.equal((await read('identifier,weight,variation_identifier\nA,1.50,x\nA,1.5,y\n')).length, 1);
    assert.deepEqual(problems(await read('identifier,weight,variation_identifier\nA,1.50,x\nA,oops,y\n')), [
      [3, 'weight', 'oops'],
    ]);
  });

  it('rejects a product if one of its rows has no identifier', async () => {
    const parsed = await read('identifier,variation_identifier\nA,A-1\n,A-2\nB,B-1\n');
    assert.deepEqual(identifiers(parsed), ['B']);
    assert.deepEqual(problems(parsed), [[3, 'identifier', '']]);
    assert.deepEqual(problems(await read('identifier,title\nA,Pot\n,Pan\n')), [[3, 'identifier', '']]);
  });

  it('checks the values of a row without an identifier, without comparing them to the previous product', async () => {
    const header = 'identifier,title,retail_price,variation_identifier\n';
    assert.deepEqual(problems(await read(`${header}A,Pot,1,A-1\n,Pan,2,A-1\n`)), [[3, 'identifier', '']]);
    assert.deepEqual(problems(await read(`${header}A,Pot,1,A-1\n,Pan,cheap,P-1\n`)), [
      [3, 'identifier', ''],
      [3, 'retail_price', 'cheap'],
    ]);
  });

  it('rejects only the product to which an unreadable row belongs', async () => {
    const header = 'identifier,title,variation_identifier\n';
    for (const bad of ['A,"x"y,A-2', 'A,x', `A,,${'x'.repeat(1_100_000)}`, 'A,,"A\xff"']) {
      const text = Buffer.from(`${header}Z,z,Z-1\nA,Pot,A-1\n${bad}\nA,,A-3\nB,Pan,B-1\n`, 'latin1');
      assert.deepEqual(identifiers(await read(text, [60_000])), ['Z', 'B'], bad.slice(0, 20));
    }
    assert.deepEqual(identifiers(await read(`${header}A,Pot,A-1\nB,"x"y,B-1\nB,,B-2\nC,Pan,\n`)), ['A', 'C']);
  });

  it('rejects every product that an unreadable row may belong to or hide', async () => {
    const header = 'title,identifier,variation_identifier\n';
    const unknown = await read(`${header}Pot,A,A-1\n"x"y,B,B-1\n,C,C-1\nPan,D,D-1\n`);
    assert.deepEqual(identifiers(unknown), ['D']);
    const named = rejectionsOf(unknown).map(({ line, identifier }) => [line, identifier]);
    assert.deepEqual(named, [
      [3, 'A'],
      [4, 'C'],
    ]);
    assert.match(
      rejectionsOf(unknown)[1]?.reason ?? '',
      /the row on line 3 cannot be read and may contain rows of this product/,
    );
    const swallowing = await read(
      'identifier,title,variation_identifier\nA,Pot,A-1\nB,"Pan,B-1\nC,"Jug",C-1\nC,,C-2\nD,Cup,D-1\n',
    );
    assert.deepEqual(identifiers(swallowing), ['A', 'D']);
  });

  it('rejects no other product for an unreadable row if each product has one row', async () => {
    assert.deepEqual(identifiers(await read('title,identifier\nPot,A\n"x"y,B\nPan,C\n')), ['A', 'C']);
  });

  it('rejects a product of more than 10,000 rows, and continues', async () => {
    const rows = (count: number) => Array.from({ length: count }, (_, index) => `A,v${index}\n`).join('');
    const parsed = await read(`identifier,variation_identifier\n${rows(10_001)}B,B-1\n`, [100_000]);
    assert.deepEqual(identifiers(parsed), ['B']);
    const [rejected] = rejectionsOf(parsed);
    assert.match(rejected?.reason ?? '', /at most 10000 rows/);
    assert.equal(rejected?.identifier, 'A');
    assert.equal((await read(`identifier,variation_identifier\n${rows(10_000)}`, [100_000]))[0]?.line, 2);
    assert.equal(
      itemsOf(await read(`identifier,variation_identifier\n${rows(10_000)}`, [100_000]))[0]?.variations
        ?.length,
      10_000,
    );
  });

  it('names the ignored columns', () => {
    const ignored = (header: string) => readProductCsv(openText(`${header}\n`)).ignoredColumns;
    assert.deepEqual(ignored('identifier,internal_id,merchant,Title,colour,,title'), ['Title', 'colour']);
    assert.deepEqual(ignored('identifier,variation_size'), ['variation_size']);
    assert.deepEqual(ignored('identifier,variation_identifier,variation_internal_id,variations'), [
      'variations',
    ]);
  });
});

describe('productCsvLines', () => {
  const identifier = fc
    .string({ unit: fc.constantFrom(...'abcXYZ019-_ éß日'), minLength: 1, maxLength: 20 })
    .filter((text) => text.trim() === text);
  const time = fc.option(
    fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => formatTime(date.getTime())),
  );
  const level = fc.string({ minLength: 1 }).map((text) => text.replaceAll('|', '/').trim() || 'x');
  const kinds = {
    identifier,
    assigned: fc.nat(),
    status: fc.constantFrom(...productStatuses),
    category: fc.option(fc.array(level, { minLength: 1, maxLength: 3 }).map((levels) => levels.join(' | '))),
    // Never empty: CSV does not preserve empty text, which is read back as null.
    text: fc.option(fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\0'))),
    amount: fc.option(
      fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    ),
    rating: fc.option(fc.double({ min: 0, max: 5, noNaN: true }).map((number) => number + 0)),
    count: fc.option(fc.integer({ min: 0, max: 2 ** 31 - 1 })),
    sum: fc.option(fc.maxSafeNat()),
    time,
    variations: fc.constant([]),
  };
  const recordOf = (fields: Record<string, Field>) =>
    fc.record(Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, kinds[kind]])));
  const variations = fc.uniqueArray(recordOf(variationFields), {
    maxLength: 4,
    selector: (variation) => variation.identifier,
  });
  const product = fc
    .tuple(recordOf(productFields), variations)
    .map(([fields, listed]) => ({ ...fields, variations: listed }) as unknown as Product);

  it('is read back as the same product', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(product, { selector: (one) => one.identifier }),
        fc.boolean(),
        async (products, owned) => {
          const text =
            productCsvHeader(owned) +
            products.map((one) => productCsvLines(one, owned ? 'Acme' : undefined)).join('');
          const parsed = await read(text, [50, 1]);
          assert.deepEqual(rejectionsOf(parsed), []);
          const expected = products.map(
            ({ identifier: name, internal_id: _, variations: listed, ...fields }) => ({
              merchant: owned ? 'Acme' : null,
              identifier: name,
              fields,
              variations: listed.map(({ internal_id: __, ...variation }) => variation),
            }),
          );
          assert.deepEqual(itemsOf(parsed), expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is read back as the same product when formulas are escaped for spreadsheets', async () => {
    const hostile = product.map((one) => ({ ...one, title: `=${one.title}`, brand: `'${one.brand ?? '-'}` }));
    await fc.assert(
      fc.asyncProperty(hostile, async (one) => {
        const parsed = await read(spreadsheetCsvHeader() + [...spreadsheetCsvLines(one)].join(''), [50, 1]);
        const plain = await read(productCsvHeader(false) + productCsvLines(one), [50, 1]);
        assert.deepEqual(rejectionsOf(parsed), []);
        assert.deepEqual(itemsOf(parsed), itemsOf(plain));
      }),
      { numRuns: 200 },
    );
  });

  it('writes the fields of the product only in its first row', () => {
    const [first] = fc.sample(
      product.filter(({ variations: listed }) => listed.length === 3),
      { numRuns: 1, seed: 1 },
    );
    if (first === undefined) throw new Error('no sample');
    const plain = {
      ...first,
      identifier: 'A',
      title: 'Pot',
      variations: first.variations.map((one, index) => ({
        ...one,
        identifier: `v${index}`,
        size: null,
        color: null,
      })),
    };
    const lines = productCsvLines({ ...plain, description: null }, 'Acme').split('\n');
    assert.match(lines[1] ?? '', /^Acme,A,+v1,/);
  });
});
