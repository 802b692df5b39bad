import { boundsOf, type CellRange } from './cell-range.ts';
import { inputOf, type TableColumn, type TableRow } from './cells.ts';
import { type CellChange, type EditedProducts, shownText } from './edited-products.ts';

/** Returns the text that a cell shows; empty if the row has no such cell. */
export function cellText(products: EditedProducts, row: TableRow, column: TableColumn): string {
  const name = inputOf(row, column);
  return name === undefined ? '' : shownText(products, row.product.internal_id, name);
}

/** Returns the texts of the selected cells. */
export function selectedTexts(
  products: EditedProducts,
  rows: readonly TableRow[],
  columns: readonly TableColumn[],
  range: CellRange,
): string[][] {
  const { top, bottom, left, right } = boundsOf(range);
  return rows
    .slice(top, bottom + 1)
    .map((row) => columns.slice(left, right + 1).map((column) => cellText(products, row, column)));
}

/** What pasting changes, which cells are selected then, and how many texts had no cell to go to. */
export interface Pasted {
  changes: CellChange[];
  range: CellRange;
  leftOut: number;
}

/**
 * Returns what pasting does. The first text goes to the first selected cell, and the others beside and below
 * it. If the selection is larger, the texts repeat, so that one text fills all selected cells.
 */
export function paste(
  texts: readonly (readonly string[])[],
  rows: readonly TableRow[],
  columns: readonly TableColumn[],
  range: CellRange,
): Pasted {
  const { top, bottom, left, right } = boundsOf(range);
  const width = Math.max(...texts.map((row) => row.length));
  const height = Math.max(texts.length, repeated(bottom - top + 1, texts.length));
  const across = Math.max(width, repeated(right - left + 1, width));
  const changes: CellChange[] = [];
  let leftOut = 0;
  for (let down = 0; down < height; down += 1) {
    for (let over = 0; over < across; over += 1) {
      const text = texts[down % texts.length]?.[over % width];
      if (text === undefined) continue;
      const row = rows[top + down];
      const column = columns[left + over];
      const name = row === undefined || column === undefined ? undefined : inputOf(row, column);
      if (row !== undefined && name !== undefined)
        changes.push({ id: row.product.internal_id, name, text: text.trim() });
      // A block that was copied here has empty texts for the cells that its rows do not have.
      else if (text.trim() !== '') leftOut += 1;
    }
  }
  const start = {
    row: Math.min(rows.length, top + height) - 1,
    column: Math.min(columns.length, left + across) - 1,
  };
  return { changes, range: { start, active: { row: top, column: left } }, leftOut };
}

/** The length of as many whole repetitions as fit. */
function repeated(room: number, length: number): number {
  return Math.floor(room / length) * length;
}
