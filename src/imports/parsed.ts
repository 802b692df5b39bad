/** Why one value of a row was not taken. `line` is where the row begins, counted from 1. */
export interface Rejection {
  line: number;
  /** The column or field, or null where the row as a whole is meant. */
  column: string | null;
  /** The value as it was found, cut to a readable length. */
  value: string;
  /** What is wrong with it and what was expected. */
  reason: string;
}

/** Why a value that was read cannot be written, and the column or field that it is for. */
export interface Problem {
  column: string;
  value: unknown;
  reason: string;
}

/** One thing read from a file: the thing, or every reason why it was not taken. */
export type Parsed<Item> = { line: number; item: Item } | { line: number; rejections: Rejection[] };

/** A file that cannot be imported at all; the message is for the operator. */
export class UnusableFile extends Error {
  override name = 'UnusableFile';
}
