import { NONE } from './ordered-trees.ts';
import { mix } from './turns.ts';

/** At most this share of the table is full. */
const FULL = 0.75;
const GROWTH = 1.25;

/** Finds rows by two numbers, with 5 to 7 bytes a row: the numbers stay where they are. */
export class RowLookup {
  #rows = new Int32Array(16).fill(NONE);
  #size = 0;
  readonly #first: (row: number) => number;
  readonly #second: (row: number) => number;

  /** The functions return the numbers of a row. */
  constructor(first: (row: number) => number, second: (row: number) => number) {
    this.#first = first;
    this.#second = second;
  }

  find(first: number, second: number): number {
    for (let at = this.#home(first, second); ; at = this.#after(at)) {
      const row = this.#rows[at] ?? NONE;
      if (row === NONE || (this.#first(row) === first && this.#second(row) === second)) return row;
    }
  }

  /** Adds a row whose numbers no other row has. */
  add(row: number): void {
    if (this.#size + 1 > this.#rows.length * FULL) this.#grow();
    this.#size++;
    this.#put(row);
  }

  remove(row: number): void {
    let at = this.#homeOf(row);
    while (this.#rows[at] !== row) at = this.#after(at);
    this.#size--;
    // Rows that could not have their own place because this one was taken move up.
    for (let next = this.#after(at); ; next = this.#after(next)) {
      const moved = this.#rows[next] ?? NONE;
      if (moved === NONE) break;
      const length = this.#rows.length;
      const distance = (next - this.#homeOf(moved) + length) % length;
      if (distance < (next - at + length) % length) continue;
      this.#rows[at] = moved;
      at = next;
    }
    this.#rows[at] = NONE;
  }

  #grow(): void {
    const before = this.#rows;
    this.#rows = new Int32Array(Math.ceil(before.length * GROWTH)).fill(NONE);
    for (const row of before) if (row !== NONE) this.#put(row);
  }

  #put(row: number): void {
    let at = this.#homeOf(row);
    while (this.#rows[at] !== NONE) at = this.#after(at);
    this.#rows[at] = row;
  }

  #homeOf(row: number): number {
    return this.#home(this.#first(row), this.#second(row));
  }

  #home(first: number, second: number): number {
    return mix(mix(first) + second) % this.#rows.length;
  }

  #after(at: number): number {
    return at + 1 === this.#rows.length ? 0 : at + 1;
  }
}
