/** Why one value of a row was rejected. `line` is where the row begins, counted from 1. */
export interface Rejection {
  line: number;
  /** The column or field; null if the reason concerns the whole row. */
  column: string | null;
  /** The value in the file, cut to a readable length. */
  value: string;
  reason: string;
  /** The identifier of the rejected item, if it could be read. */
  identifier?: string;
}

/** An item read from a file, or all reasons for rejecting it. */
export type Parsed<Item> = { line: number; item: Item } | { line: number; rejections: Rejection[] };

/** A file that cannot be imported at all; the message is for the operator. */
export class UnusableFile extends Error {
  override name = 'UnusableFile';
}

/** What a file has in which its rows were looked for. */
export interface FoundTable {
  /** The sheet that was read, and the names of all sheets; undefined if the file is no workbook. */
  sheet: { name: string; names: string[] } | undefined;
  /** Undefined if they are not known, or too many to be listed. */
  columns?: FoundColumn[];
}

export interface FoundColumn {
  /** Its header. */
  name: string;
  /** The beginning of one of its values; '' if the first ones are blank. */
  sample: string;
}

/** A file whose table cannot be imported as it is, but perhaps with another sheet, or with other columns. */
export class UnusableTable extends UnusableFile {
  readonly found: FoundTable;

  constructor(message: string, found: FoundTable) {
    super(message);
    this.found = found;
  }
}

const MAX_SHOWN_CHARACTERS = 200;

export function rejection(line: number, column: string | null, value: unknown, reason: string): Rejection {
  return { line, column, value: shorten(value), reason };
}

export function withIdentifier(
  rejections: readonly Rejection[],
  identifier: string | undefined,
): Rejection[] {
  return rejections.map((reason) => (identifier === undefined ? reason : { ...reason, identifier }));
}

/** Cuts text to 200 characters, and shows nested values as `[…]` or `{…}`. */
export function shorten(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[…]' : '{…}';
  if (value === undefined || value === null) return '';
  // Cut text may end inside a surrogate pair.
  return String(value).slice(0, MAX_SHOWN_CHARACTERS).toWellFormed();
}
