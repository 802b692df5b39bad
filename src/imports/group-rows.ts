import type { Rejection } from './parsed.ts';
import type { CsvRow } from './read-csv.ts';
import { rejection } from './refusal.ts';

/** The most rows, and bytes of rows, that one thing may take: it is held in memory as a whole. */
export const MAX_GROUP_ROWS = 10_000;
const MAX_GROUP_BYTES = 16 * 1024 * 1024;

/** The consecutive rows of one thing. */
export interface RowGroup {
  /** Where its first row begins. */
  line: number;
  /** The rows that could be read. */
  rows: CsvRow[];
  /** Why the thing cannot be used, from its rows that could not be read; empty where all could. */
  rejections: Rejection[];
}

export interface Grouping {
  /** Whether a thing may take several rows: then a row that cannot be read makes its neighbours doubtful. */
  several: boolean;
  /** The column that says which thing a row is of. */
  key: number;
  /** Whether a row is of the same thing as the first; asked only where both have a key. */
  same(first: readonly string[], cells: readonly string[]): boolean;
}

/**
 * Puts consecutive rows of one thing together, in batches. Nothing incomplete passes as complete: where a
 * row that cannot be read may belong to a thing, or may have swallowed rows of it, that thing is rejected.
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
  #doubtful: number | undefined;

  constructor(grouping: Grouping) {
    this.#grouping = grouping;
  }

  /** Takes the next row; returns the group before it where the row begins another. */
  add(row: CsvRow): RowGroup | undefined {
    const belongs = this.#group !== undefined && this.#belongs(row.cells);
    const finished = belongs ? undefined : this.finish();
    this.#group ??= this.#begin(row);
    this.#addTo(this.#group, row);
    const { several } = this.#grouping;
    if (several && row.rejections.length > 0 && (row.lines > 1 || !this.#hasKey(row.cells))) {
      this.#doubtful = row.line;
    }
    return finished;
  }

  /** The group that is open, which ends here. */
  finish(): RowGroup | undefined {
    const finished = this.#group;
    this.#group = undefined;
    return finished;
  }

  #hasKey(cells: readonly string[]): boolean {
    return (cells[this.#grouping.key] ?? '').trim() !== '';
  }

  #belongs(cells: readonly string[]): boolean {
    if (!this.#hasKey(cells)) return this.#grouping.several;
    return this.#hasKey(this.#first) && this.#grouping.same(this.#first, cells);
  }

  #begin(row: CsvRow): RowGroup {
    this.#first = row.cells;
    this.#rows = 0;
    this.#bytes = 0;
    const rejections: Rejection[] = [];
    if (this.#doubtful !== undefined) {
      const reason = `the row on line ${this.#doubtful} cannot be read and may hide rows of it`;
      rejections.push(rejection(row.line, null, row.cells[this.#grouping.key], reason));
      this.#doubtful = undefined;
    }
    return { line: row.line, rows: [], rejections };
  }

  #addTo(group: RowGroup, row: CsvRow): void {
    const fitted = this.#fits();
    this.#rows++;
    this.#bytes += row.size;
    if (this.#fits()) {
      group.rejections.push(...row.rejections);
      if (row.rejections.length === 0) group.rows.push(row);
    } else if (fitted) {
      const reason = `expected at most ${MAX_GROUP_ROWS} rows, and 16 MiB of them, for one product`;
      group.rows = [];
      group.rejections.push(rejection(group.line, null, this.#first[this.#grouping.key], reason));
    }
  }

  #fits(): boolean {
    return this.#rows <= MAX_GROUP_ROWS && this.#bytes <= MAX_GROUP_BYTES;
  }
}
