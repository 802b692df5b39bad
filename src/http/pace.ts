/** Before anything is known: so many have their turn in a millisecond. */
const AT_FIRST = 2;
/** It takes about so long to tell another pace from a moment's pause. */
const MEMORY_MS = 400;
/** One look counts for no more than that, as the machine may have stood still. */
const LONGEST_MS = 100;

/** How fast those who wait have their turn of late. */
export class Pace {
  #turns = 0;
  #since = performance.now();
  #perMs = AT_FIRST;

  /** How many have their turn in so many milliseconds. */
  within(ms: number): number {
    return this.#perMs * ms;
  }

  /** Notes that one had its turn. */
  note(): void {
    this.#turns += 1;
  }

  /** From now on somebody waits: while nobody does, turns tell nothing of how many there could be. */
  begin(): void {
    this.#turns = 0;
    this.#since = performance.now();
  }

  /** Takes in how many had their turn since the last look, or since it began. */
  look(): void {
    const elapsed = performance.now() - this.#since;
    const weight = 1 - Math.exp(-Math.min(elapsed, LONGEST_MS) / MEMORY_MS);
    this.#perMs += weight * (this.#turns / Math.max(elapsed, 1) - this.#perMs);
    this.begin();
  }
}
