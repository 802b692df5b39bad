/** The rate that is assumed until it is measured. */
const INITIAL_STARTS_PER_MS = 2;
/** The time constant of the average: long enough that a brief pause changes it little. */
const SMOOTHING_MS = 400;
/** A longer sample is weighted like this one: the whole machine may have paused. */
const MAX_SAMPLE_MS = 100;

/** Measures how fast the jobs of a queue are started, as a moving average. */
export class StartRate {
  readonly #clock: () => number;
  #starts = 0;
  #since: number;
  #startsPerMs = INITIAL_STARTS_PER_MS;

  constructor(clock: () => number) {
    this.#clock = clock;
    this.#since = clock();
  }

  expectedWithin(ms: number): number {
    return this.#startsPerMs * ms;
  }

  recordStart(): void {
    this.#starts += 1;
  }

  /** Starts a new sample. While no job is queued, starts do not show how many are possible. */
  restart(): void {
    this.#starts = 0;
    this.#since = this.#clock();
  }

  sample(): void {
    const elapsed = this.#clock() - this.#since;
    const weight = 1 - Math.exp(-Math.min(elapsed, MAX_SAMPLE_MS) / SMOOTHING_MS);
    this.#startsPerMs += weight * (this.#starts / Math.max(elapsed, 1) - this.#startsPerMs);
    this.restart();
  }
}
