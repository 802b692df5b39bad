import { createHash } from 'node:crypto';
import type { Value } from '../database/statement.ts';

/** A row of a table, by column. */
export type CopiedRow = Readonly<Record<string, Value>>;

/** Returns the values of these columns as text: equal only for equal rows, of either engine. */
export function canonicalText(columns: readonly string[], rows: readonly CopiedRow[]): string {
  let text = '';
  for (const row of rows) for (const column of columns) text += canonicalValue(row[column] ?? null);
  return text;
}

function canonicalValue(value: Value): string {
  if (value === null) return '~';
  if (typeof value === 'number') return `${value};`;
  // The length separates the text from the value after it.
  if (typeof value === 'string') return `${value.length}:${value}`;
  return `x${Buffer.from(value).toString('hex')};`;
}

/** The row count and checksum of a table. */
export interface Contents {
  rows: number;
  /** The SHA-256, in hexadecimal, of every value in the order of merchants and keys. */
  checksum: string;
}

/** Counts the rows of a table and computes their checksum, in the order of their keys. */
export class Checksum {
  readonly #hash = createHash('sha256');
  #rows = 0;

  /** Adds rows by their number and canonical text. */
  add(rows: number, text: string): void {
    this.#rows += rows;
    this.#hash.update(text);
  }

  /** Returns the totals. May be called only once, after the last `add`. */
  result(): Contents {
    return { rows: this.#rows, checksum: this.#hash.digest('hex') };
  }
}
