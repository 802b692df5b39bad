import { NONE } from './ordered-trees.ts';
import { mix } from './turns.ts';

/** At most this share of the table is full. */
const FULL = 0.75;
const GROWTH = 2;
/** Where a row was, in a table that is being replaced. */
const MOVED = NONE - 1;
/** Enough that all have moved long before the next table is full. */
const PLACES_PER_CHANGE = 32;

/**
 * Finds rows by two numbers, with 5 to 11 bytes a row: the numbers stay where they are. A table that is full
 * is replaced bit by bit, because moving a million rows takes a tenth of a second.
 */
export class RowLookup {
  #rows = new Int32Array(16).fill(NONE);
  #size = 0;
  /** The table that is being replaced, up to which place it was. Empty if there is none. */
  #former = new Int32Array(0);
  #movedTo = 0;
  readonly #first: (row: number) => number;
  readonly #second: (row: number) => number;

  /** The functions return the numbers of a row. */
  constructor(first: (row: number) => number, second: (row: number) => number) {
    this.#first = first;
    this.#second = second;
  }

  find(first: number, second: number): number {
    const found = this.#findIn(this.#rows, first, second);
    return found === NONE && this.#former.length > 0 ? this.#findIn(this.#former, first, second) : found;
  }

  /** Adds a row whose numbers no other row has. */
  add(row: number): void {
    if (this.#size + 1 > this.#rows.length * FULL) this.#grow();
    this.#size++;
    this.#put(row);
    this.#move(PLACES_PER_CHANGE);
  }

  /** Its numbers must not have changed since it was added. */
  remove(row: number): void {
    this.#size--;
    if (this.#former.length > 0 && this.#removeFormer(row)) return;
    let at = this.#homeOf(row, this.#rows);
    while (this.#rows[at] !== row) at = after(at, this.#rows);
    // Rows that could not have their own place because this one was taken move up.
    for (let next = after(at, this.#rows); ; next = after(next, this.#rows)) {
      const moved = this.#rows[next] ?? NONE;
      if (moved === NONE) break;
      const length = this.#rows.length;
      const distance = (next - this.#homeOf(moved, this.#rows) + length) % length;
      if (distance < (next - at + length) % length) continue;
      this.#rows[at] = moved;
      at = next;
    }
    this.#rows[at] = NONE;
  }

  #findIn(rows: Int32Array, first: number, second: number): number {
    for (let at = home(first, second, rows); ; at = after(at, rows)) {
      const row = rows[at] ?? NONE;
      if (row === NONE) return NONE;
      // The second number first: it takes fewer reads of memory.
      if (row !== MOVED && this.#second(row) === second && this.#first(row) === first) return row;
    }
  }

  #grow(): void {
    this.#move(this.#former.length);
    this.#former = this.#rows;
    this.#movedTo = 0;
    this.#rows = new Int32Array(Math.ceil(this.#former.length * GROWTH)).fill(NONE);
  }

  #move(places: number): void {
    if (this.#former.length === 0) return;
    const upTo = Math.min(this.#movedTo + places, this.#former.length);
    for (; this.#movedTo < upTo; this.#movedTo++) {
      const row = this.#former[this.#movedTo] ?? NONE;
      if (row === NONE || row === MOVED) continue;
      this.#former[this.#movedTo] = MOVED;
      this.#put(row);
    }
    if (upTo === this.#former.length) this.#former = new Int32Array(0);
  }

  /** Returns whether the row was still in the former table. */
  #removeFormer(row: number): boolean {
    for (let at = this.#homeOf(row, this.#former); ; at = after(at, this.#former)) {
      if (this.#former[at] === NONE) return false;
      if (this.#former[at] !== row) continue;
      this.#former[at] = MOVED;
      return true;
    }
  }

  #put(row: number): void {
    let at = this.#homeOf(row, this.#rows);
    while (this.#rows[at] !== NONE) at = after(at, this.#rows);
    this.#rows[at] = row;
  }

  #homeOf(row: number, rows: Int32Array): number {
    return home(this.#first(row), this.#second(row), rows);
  }
}

function home(first: number, second: number, rows: Int32Array): number {
  return mix(mix(first) + second) % rows.length;
}

function after(at: number, rows: Int32Array): number {
  return at + 1 === rows.length ? 0 : at + 1;
}
