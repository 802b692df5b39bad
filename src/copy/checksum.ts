import { createHash } from 'node:crypto';
import type { Value } from '../database/database.ts';

/** Rows as text: the same for the same values, whichever engine gave them, and another for any others. */
export function canonicalText(rows: readonly Value[][]): string {
  let text = '';
  for (const row of rows) for (const value of row) text += canonicalValue(value);
  return text;
}

function canonicalValue(value: Value): string {
  if (value === null) return '~';
  if (typeof value === 'number') return `${value};`;
  // With its length: what follows it cannot be taken for a part of it.
  if (typeof value === 'string') return `${value.length}:${value}`;
  return `x${Buffer.from(value).toString('hex')};`;
}

/** What a table holds. */
export interface Contents {
  rows: number;
  /** SHA-256, hexadecimal, of every value in the order of the merchants and the keys. */
  checksum: string;
}

/** Counts the rows of a table and sums them up, in the order of their keys. */
export class Checksum {
  readonly #hash = createHash('sha256');
  #rows = 0;

  /** `text` is the canonical text of so many rows. */
  add(rows: number, text: string): void {
    this.#rows += rows;
    this.#hash.update(text);
  }

  /** To be called once, at the end. */
  result(): Contents {
    return { rows: this.#rows, checksum: this.#hash.digest('hex') };
  }
}
