/** The place of a cell: the index of its row and of its column. */
export interface Place {
  row: number;
  column: number;
}

/** The selected cells: a rectangle from where the selection began to the active cell. */
export interface CellRange {
  start: Place;
  active: Place;
}

export interface Size {
  rows: number;
  columns: number;
}

/** The selection of one cell. */
export function cellAt(row: number, column: number): CellRange {
  return { start: { row, column }, active: { row, column } };
}

/** Returns the first and last rows and columns of a selection. */
export function boundsOf({ start, active }: CellRange) {
  return {
    top: Math.min(start.row, active.row),
    bottom: Math.max(start.row, active.row),
    left: Math.min(start.column, active.column),
    right: Math.max(start.column, active.column),
  };
}

/** A pressed key, with the keys that were held. */
interface PressedKey {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
}

const ROWS_PER_PAGE = 15;

/** Returns the selection after a key; undefined if the key does not move it. Shift extends it. */
export function moved(
  range: CellRange,
  { key, shiftKey, ctrlKey, metaKey }: PressedKey,
  { rows, columns }: Size,
): CellRange | undefined {
  const isFar = ctrlKey || metaKey;
  const last = { row: rows - 1, column: columns - 1 };
  const { row, column } = range.active;
  if (isFar && key.toLowerCase() === 'a') return { start: { row: 0, column: 0 }, active: last };
  const targets: Record<string, Place> = {
    ArrowUp: { row: isFar ? 0 : row - 1, column },
    ArrowDown: { row: isFar ? last.row : row + 1, column },
    ArrowLeft: { row, column: isFar ? 0 : column - 1 },
    ArrowRight: { row, column: isFar ? last.column : column + 1 },
    PageUp: { row: row - ROWS_PER_PAGE, column },
    PageDown: { row: row + ROWS_PER_PAGE, column },
    Home: { row: isFar ? 0 : row, column: 0 },
    End: { row: isFar ? last.row : row, column: last.column },
  };
  const target = targets[key];
  if (target === undefined) return undefined;
  const active = {
    row: Math.max(0, Math.min(last.row, target.row)),
    column: Math.max(0, Math.min(last.column, target.column)),
  };
  return { start: shiftKey ? range.start : active, active };
}
