/** Before anything is known: so many have their turn in a millisecond. */
const INITIAL_STARTS_PER_MS = 2;
/** About how long it takes to tell a change of pace from a brief pause. */
const SMOOTHING_MS = 400;
/** One look counts for no more than that, as the machine may have stood still. */
const MAX_SAMPLE_MS = 100;

/** How fast those who wait have their turn of late. */
export class StartRate {
  readonly #clock: () => number;
  #starts = 0;
  #since: number;
  #startsPerMs = INITIAL_STARTS_PER_MS;

  constructor(clock: () => number) {
    this.#clock = clock;
    this.#since = clock();
  }

  /** How many have their turn in so many milliseconds. */
  expectedWithin(ms: number): number {
    return this.#startsPerMs * ms;
  }

  /** Notes that one had its turn. */
  recordStart(): void {
    this.#starts += 1;
  }

  /** From now on somebody waits: while nobody does, turns tell nothing of how many there could be. */
  restart(): void {
    this.#starts = 0;
    this.#since = this.#clock();
  }

  /** Takes in how many had their turn since the last look, or since it began. */
  sample(): void {
    const elapsed = this.#clock() - this.#since;
    const weight = 1 - Math.exp(-Math.min(elapsed, MAX_SAMPLE_MS) / SMOOTHING_MS);
    this.#startsPerMs += weight * (this.#starts / Math.max(elapsed, 1) - this.#startsPerMs);
    this.restart();
  }
}
