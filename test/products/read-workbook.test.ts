import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvLine } from '../../src/files/write-csv.ts';
import { readProducts } from '../../src/products/files/read-products.ts';
import { fileWith, flatten, itemsOf, rejectionsOf } from '../files/fake-file.ts';
import { fc } from '../support/seed.ts';
import { runs } from '../support/thorough.ts';
import { wildIdentifier, wildText } from '../support/wild-data.ts';
import { writtenWorkbook } from '../support/workbook.ts';

const COLUMNS = [
  'identifier',
  'title',
  'description',
  'retail_price',
  'available_quantity',
  'weight',
  'Notes',
];
/** What XML cannot contain or that program leaves out, and what programs write as the code of a character. */
const UNWRITABLE =
  /[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffc\u{10000}-\u{10ffff}]|\p{Noncharacter_Code_Point}|_x[0-9A-Fa-f]{4}_/gu;

const text = wildText
  .map((wild) => wild.toWellFormed().replaceAll(UNWRITABLE, '').slice(0, 2_000).toWellFormed())
  // That program confuses names such as `valueOf` with members of an object.
  .filter((plain) => !(plain in {}));
const cents = fc.integer({ min: 0, max: 100_000_000 }).map((amount) => amount / 100);
const identifier = fc.oneof(
  wildIdentifier,
  fc.integer({ min: 0, max: 9_999_999_999_999 }),
  fc.integer({ min: 0, max: 99_999 }).map((number) => String(number).padStart(8, '0')),
);
const amount = fc.oneof(
  cents,
  // Smaller numbers have an exponent in this CSV, and never in the text of a cell.
  fc.double({ min: 1e-6, max: 1e12, noNaN: true }),
  fc.constantFrom('much', '1,50', null),
);
const values = fc.tuple(identifier, text, text, amount, fc.nat(), cents, text);

describe('a workbook', () => {
  it('written by another program has the same products and rejections as its CSV', async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(values, { minLength: 1, maxLength: 30 }), async (rows) => {
        const table = [COLUMNS, ...rows];
        const read = async (contents: string | Buffer) => {
          const file = await readProducts(await fileWith(t, contents));
          const parsed = await flatten(file.products);
          const rejections = rejectionsOf(parsed).map(({ line: _, ...rejection }) => rejection);
          return { format: file.format, ignored: file.ignoredColumns(), items: itemsOf(parsed), rejections };
        };
        const shown = table.map((cells) =>
          cells.map((value) => (typeof value === 'number' ? Number(value.toPrecision(15)) : value)),
        );
        assert.deepEqual(await read(await writtenWorkbook(table)), await read(shown.map(csvLine).join('')));
      }),
      { numRuns: runs(25) },
    );
  });
});
