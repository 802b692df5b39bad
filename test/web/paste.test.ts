import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exampleProduct } from '../../src/products/record/example-product.ts';
import type { Product } from '../../src/products/record/product.ts';
import { problemOf, rowsOf, type TableColumn } from '../../web/product-table/cells.ts';
import { paste } from '../../web/product-table/paste.ts';

const columns: TableColumn[] = [
  { name: 'title', label: 'Title', isNumber: false },
  { name: 'buy_now_price', label: 'Price', isNumber: true },
  { name: 'stock', label: 'Stock', isNumber: true },
];

const [variation] = exampleProduct.variations;

function product(id: number, variations: string[] = []): Product {
  assert.ok(variation !== undefined);
  return {
    ...exampleProduct,
    internal_id: id,
    variations: variations.map((identifier) => ({ ...variation, identifier })),
  };
}

const pasteAt = (texts: string[][], rows: Product[], row: number, column: number, to = { row, column }) =>
  paste(texts, rowsOf(rows), columns, { start: { row, column }, active: to });

describe('pasting', () => {
  it('fills the cells to the right and below', () => {
    const { changes, leftOut, range } = pasteAt(
      [
        ['A', '1'],
        ['B', ' 2 '],
      ],
      [product(1), product(2)],
      0,
      0,
    );
    assert.deepEqual(changes, [
      { id: 1, name: 'title', text: 'A' },
      { id: 1, name: 'buy_now_price', text: '1' },
      { id: 2, name: 'title', text: 'B' },
      { id: 2, name: 'buy_now_price', text: '2' },
    ]);
    assert.equal(leftOut, 0);
    assert.deepEqual(range, { start: { row: 1, column: 1 }, active: { row: 0, column: 0 } });
  });

  it('repeats one value in all selected cells', () => {
    const all = [product(1), product(2), product(3)];
    const { changes } = pasteAt([['9.5']], all, 0, 1, { row: 2, column: 1 });
    assert.deepEqual(
      changes.map(({ id, text }) => `${id} ${text}`),
      ['1 9.5', '2 9.5', '3 9.5'],
    );
  });

  it('writes the stock of variations in their rows, and counts values without a cell', () => {
    const { changes, leftOut } = pasteAt(
      [['5'], ['6'], ['7'], ['8'], ['9']],
      [product(1, ['S', 'M']), product(2, ['ONLY'])],
      0,
      2,
    );
    assert.deepEqual(
      changes.map(({ id, name, text }) => `${id} ${name} ${text}`),
      ['1 variations[S][quantity] 6', '1 variations[M][quantity] 7', '2 variations[ONLY][quantity] 8'],
    );
    assert.equal(leftOut, 2);
  });
});

describe('a value in the table', () => {
  it('is checked by the rules of the API', () => {
    for (const [name, text, expected] of [
      ['buy_now_price', '12.5', undefined],
      ['buy_now_price', '', undefined],
      ['buy_now_price', '12,50', /decimal point/],
      ['buy_now_price', '€ 12', /^Enter an amount of 0 or more, like 12\.50/],
      ['variations[S][quantity]', '1.5', /^Enter a whole number, 0 or higher$/],
      ['variations[S][quantity]', '2147483648', /^Enter a whole number, 0 or higher$/],
      ['title', 'x'.repeat(1_001), /at most 1000 characters/],
    ] as const) {
      const problem = problemOf(name, text);
      if (expected === undefined) assert.equal(problem, undefined);
      else assert.match(problem ?? '', expected);
    }
  });
});
