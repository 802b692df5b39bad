/** Before anything is known: so many have their turn in a millisecond. */
const AT_FIRST = 2;
/** About how long it takes to tell a change of pace from a brief pause. */
const MEMORY_MS = 400;
/** One look counts for no more than that, as the machine may have stood still. */
const LONGEST_MS = 100;

/** How fast those who wait have their turn of late. */
export class Pace {
  readonly #clock: () => number;
  #turns = 0;
  #since: number;
  #perMs = AT_FIRST;

  constructor(clock: () => number) {
    this.#clock = clock;
    this.#since = clock();
  }

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
    this.#since = this.#clock();
  }

  /** Takes in how many had their turn since the last look, or since it began. */
  look(): void {
    const elapsed = this.#clock() - this.#since;
    const weight = 1 - Math.exp(-Math.min(elapsed, LONGEST_MS) / MEMORY_MS);
    this.#perMs += weight * (this.#turns / Math.max(elapsed, 1) - this.#perMs);
    this.begin();
  }
}
