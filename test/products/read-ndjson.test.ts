import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Parsed } from '../../src/files/parsed.ts';
import { readProductNdjson } from '../../src/products/files/read-product-ndjson.ts';
import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import { chunked, flatten, itemsOf, rejectionsOf } from '../files/fake-file.ts';

const read = (text: string | Buffer): Promise<Parsed<ProductDraft>[]> =>
  flatten(readProductNdjson(chunked(Buffer.from(text), [1000])));
const lines = (...objects: object[]): string =>
  objects.map((object) => `${JSON.stringify(object)}\n`).join('');

describe('readProductNdjson', () => {
  it('distinguishes missing fields from null', async () => {
    const parsed = await read(
      lines(
        { identifier: 'A', title: null, status: null, retail_price: 2.5 },
        { merchant: 7, identifier: 'B', variations: [] },
      ),
    );
    assert.deepEqual(parsed, [
      {
        line: 1,
        item: {
          merchant: null,
          identifier: 'A',
          fields: { title: null, status: null, retail_price: 2.5 },
          variations: undefined,
        },
      },
      { line: 2, item: { merchant: '7', identifier: 'B', fields: {}, variations: [] } },
    ]);
  });

  it('reads variations with their fields, and ignores IDs that the service assigns', async () => {
    const variations = [
      { identifier: 'A-1', internal_id: 3, size: 'M', quantity: 4, disabled_at: null },
      { identifier: 'A-2' },
    ];
    const [item] = itemsOf(
      await read(lines({ identifier: 'A', internal_id: 'anything', available_quantity: 4, variations })),
    );
    assert.deepEqual(item?.fields, { available_quantity: 4 });
    assert.deepEqual(item?.variations, [
      { identifier: 'A-1', size: 'M', quantity: 4, disabled_at: null },
      { identifier: 'A-2' },
    ]);
  });

  it('reads the values that a line and its variations were computed from', async () => {
    const was = { retail_price: 2, status: 'in_stock', campaign_name: null };
    const variations = [{ identifier: 'A-1', quantity: 4, was: { quantity: 3, deleted_at: null } }];
    const parsed = await read(
      lines(
        { identifier: 'A', retail_price: 2.5, was, variations },
        { identifier: 'B', was: 3 },
        {
          identifier: 'C',
          was: { price: 3, variations: [] },
          variations: [{ identifier: 'C-1', was: { price: 1 } }],
        },
      ),
    );
    const [item] = itemsOf(parsed);
    assert.deepEqual([item?.was, item?.fields, item?.variations], [was, { retail_price: 2.5 }, variations]);
    assert.deepEqual(
      rejectionsOf(parsed).map(({ line, column, reason }) => [line, column, reason]),
      [
        [2, 'was', 'expected an object with earlier values of fields'],
        [3, 'variations[0].was.price', 'unknown field'],
        [3, 'was.price', 'unknown field'],
        [3, 'was.variations', 'unknown field'],
      ],
    );
  });

  it('reports all problems of a line', async () => {
    const rejections = rejectionsOf(
      await read(
        lines({
          identifier: 'a/b',
          merchant: false,
          titel: 'x',
          retail_price: '12',
          title: { en: 'x' },
          variations: [
            { size: 'M', colour: 'red' },
            5,
            { identifier: 'V', quantity: -1 },
            { identifier: 'V' },
          ],
        }),
      ),
    );
    assert.deepEqual(
      rejections.map(({ line, column, value, reason }) => [
        line,
        column,
        value,
        reason.replace(/^expected/, '…'),
      ]),
      [
        [1, 'identifier', 'a/b', '… letters, digits, spaces, periods, dashes and underscores, found "/"'],
        [1, 'merchant', 'false', '… the ID or the name of a merchant'],
        [1, 'titel', 'x', 'unknown field'],
        [1, 'retail_price', '12', '… a JSON number, 0 or more, not in quotes'],
        [1, 'title', '{…}', '… text in quotes'],
        [1, 'variations[0].colour', 'red', 'unknown field'],
        [1, 'variations[0].identifier', '', '… an identifier, found none'],
        [1, 'variations[1]', '5', '… an object'],
        [1, 'variations[2].quantity', '-1', '… a whole number from 0 to 2147483647'],
        [1, 'variations[3].identifier', 'V', '… each variation once per product'],
      ],
    );
  });

  it('rejects an unreadable line, and continues', async () => {
    const good = lines({ identifier: 'A' });
    const bad = Buffer.concat([
      Buffer.from(`${good}{"identifier": "B", title}\n[1]\nnull\n   \n`),
      Buffer.from('{"identifier": "caf\xe9"}\n', 'latin1'),
      Buffer.from(`{"identifier": "C", "title": "${'x'.repeat(5_000_000)}"}\n`),
      Buffer.from(`${good}{"identifier": "D", "ti`),
    ]);
    const parsed = await read(bad);
    assert.deepEqual(
      itemsOf(parsed).map(({ identifier }) => identifier),
      ['A', 'A'],
    );
    const rejections = rejectionsOf(parsed);
    assert.deepEqual(
      rejections.map(({ line }) => line),
      [2, 3, 4, 6, 7, 9],
    );
    const reasons = [
      /not valid JSON: .* position 20$/,
      /a JSON object/,
      /a JSON object/,
      /not UTF-8/,
      /longer than 4 MiB/,
      /not valid JSON/,
    ];
    for (const [index, reason] of reasons.entries()) assert.match(rejections[index]?.reason ?? '', reason);
    for (const { column, value } of rejections) assert.ok(column === null && value.length <= 200);
  });

  it('rejects malicious names and nesting', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const parsed = await read(
      `{"identifier":"A","title":${deep}}\n{"identifier":"B","__proto__":{"title":"x"}}\n{"identifier":"C","constructor":1}\n{"identifier":"D","variations":null}\n`,
    );
    assert.deepEqual(
      rejectionsOf(parsed).map(({ column, value }) => [column, value]),
      [
        ['title', '[…]'],
        ['__proto__', '{…}'],
        ['constructor', '1'],
        ['variations', ''],
      ],
    );
    const many = Array.from({ length: 10_001 }, (_, index) => ({ identifier: `${index}` }));
    assert.match(
      rejectionsOf(await read(lines({ identifier: 'A', variations: many })))[0]?.reason ?? '',
      /at most 10000/,
    );
  });
});
