import type { CsvRow } from './read-csv.ts';
import type { Rejection } from './parsed.ts';
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
export async function* groupRows(batches: AsyncIterable<CsvRow[]>, grouping: Grouping): AsyncGenerator<RowGroup[]> {
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
  #group: OpenGroup | undefined;
  #doubt: Rejection | undefined;

  constructor(grouping: Grouping) {
    this.#grouping = grouping;
  }

  /** Takes the next row; returns the group before it where the row begins another. */
  add(row: CsvRow): RowGroup | undefined {
    let finished: RowGroup | undefined;
    if (this.#group === undefined || !this.#belongs(this.#group, row)) {
      finished = this.finish();
      this.#group = new OpenGroup(row);
      if (this.#doubt) ...
    }
    this.#group.add(row);
    ...
    return finished;
  }
}
