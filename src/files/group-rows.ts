import type { CsvRow } from './csv-row-reader.ts';
import { type Rejection, rejection } from './parsed.ts';

/** The maximum number and total size of one item's rows, which are in memory together. */
const MAX_GROUP_ROWS = 10_000;
const MAX_GROUP_BYTES = 16 * 1024 * 1024;

/** The consecutive rows of one item. */
export interface RowGroup {
  /** Where its first row begins. */
  line: number;
  /** The cell that identifies the item; blank if the first row has none, or it could not be read. */
  key: string;
  rows: CsvRow[];
  /** Why the item cannot be used, including the reasons of its unreadable rows; empty if it can. */
  rejections: Rejection[];
}

interface Grouping {
  /** Whether an item may have several rows, so that an unreadable row may belong to the items next to it. */
  isMultiRow: boolean;
  key: number;
  /** Whether a row belongs to the same item as the first row. Only called if both have a key. */
  isSame(first: readonly string[], cells: readonly string[]): boolean;
}

/**
 * Groups the consecutive rows of each item, in batches. Rejects an item if an unreadable row may belong to it
 * or contain rows of it: items are never incomplete.
 */
export async function* groupRows(
  batches: AsyncIterable<CsvRow[]>,
  grouping: Grouping,
): AsyncGenerator<RowGroup[]> {
  const grouper = new RowGrouper(grouping);
  for await (const rows of batches) {
    const groups = rows.flatMap((row) => grouper.add(row) ?? []);
    if (groups.length > 0) yield groups;
  }
  const last = grouper.finish();
  if (last !== undefined) yield [last];
}

class RowGrouper {
  readonly #grouping: Grouping;
  #group: RowGroup | undefined;
  #first: readonly string[] = [];
  #rows = 0;
  #bytes = 0;
  /** The line of an unreadable row that may contain rows of the next item. */
  #unreadableLine: number | undefined;

  constructor(grouping: Grouping) {
    this.#grouping = grouping;
  }

  /** Returns the finished group if the row begins another one. */
  add(row: CsvRow): RowGroup | undefined {
    const belongs = this.#group !== undefined && this.#belongs(row.cells);
    const finished = belongs ? undefined : this.finish();
    this.#group ??= this.#begin(row);
    this.#addTo(this.#group, row);
    const { isMultiRow } = this.#grouping;
    if (isMultiRow && row.rejections.length > 0 && (row.lines > 1 || !this.#hasKey(row.cells))) {
      this.#unreadableLine = row.line;
    }
    return finished;
  }

  finish(): RowGroup | undefined {
    const finished = this.#group;
    this.#group = undefined;
    return finished;
  }

  #hasKey(cells: readonly string[]): boolean {
    return (cells[this.#grouping.key] ?? '').trim() !== '';
  }

  #belongs(cells: readonly string[]): boolean {
    if (!this.#hasKey(cells)) return this.#grouping.isMultiRow;
    return this.#hasKey(this.#first) && this.#grouping.isSame(this.#first, cells);
  }

  #begin(row: CsvRow): RowGroup {
    this.#first = row.cells;
    this.#rows = 0;
    this.#bytes = 0;
    const rejections: Rejection[] = [];
    if (this.#unreadableLine !== undefined) {
      const reason = `the row on line ${this.#unreadableLine} cannot be read and may contain rows of this product`;
      rejections.push(rejection(row.line, null, row.cells[this.#grouping.key], reason));
      this.#unreadableLine = undefined;
    }
    return { line: row.line, key: row.cells[this.#grouping.key] ?? '', rows: [], rejections };
  }

  #addTo(group: RowGroup, row: CsvRow): void {
    const fitted = this.#fits();
    this.#rows++;
    this.#bytes += row.size;
    if (this.#fits()) {
      group.rejections.push(...row.rejections);
      if (row.rejections.length === 0) group.rows.push(row);
    } else if (fitted) {
      const reason = `expected at most ${MAX_GROUP_ROWS} rows and 16 MiB per product`;
      group.rows = [];
      group.rejections.push(rejection(group.line, null, this.#first[this.#grouping.key], reason));
    }
  }

  #fits(): boolean {
    return this.#rows <= MAX_GROUP_ROWS && this.#bytes <= MAX_GROUP_BYTES;
  }
}
