import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Random } from '../../src/demo/random.ts';
import { formatCells, parseCells } from '../../web/product-table/spreadsheet-text.ts';

describe('the text of copied cells', () => {
  it('is read as spreadsheets write it', () => {
    for (const [text, cells] of [
      ['', [['']]],
      ['a', [['a']]],
      [
        'a\tb\nc\td\n',
        [
          ['a', 'b'],
          ['c', 'd'],
        ],
      ],
      [
        'a\tb\r\nc\td\r\n',
        [
          ['a', 'b'],
          ['c', 'd'],
        ],
      ],
      ['a\n\nb', [['a'], [''], ['b']]],
      ['\t\n', [['', '']]],
      ['"two\nlines"\tb\n', [['two\nlines', 'b']]],
      ['"a ""b"" c\td"\te', [['a "b" c\td', 'e']]],
      // Spreadsheets leave quotes in other cells as they are.
      ['5" pipe\t"x', [['5" pipe', '"x']]],
      ['"x" y\tz', [['"x" y', 'z']]],
    ] as const)
      assert.deepEqual(parseCells(text), cells, JSON.stringify(text));
  });

  it('has the same cells after it is written and read again', () => {
    const random = new Random(7);
    const letters = ['a', '7', '"', '\t', '\n', '\r', ' ', 'é', ','];
    for (let round = 0; round < 2_000; round += 1) {
      const width = random.whole(1, 4);
      const cell = (): string =>
        Array.from({ length: random.whole(0, 6) }, () => letters[random.whole(0, letters.length - 1)]).join(
          '',
        );
      const rows = Array.from({ length: random.whole(1, 4) }, () => Array.from({ length: width }, cell));
      assert.deepEqual(parseCells(formatCells(rows)), rows, JSON.stringify(rows));
    }
  });
});
