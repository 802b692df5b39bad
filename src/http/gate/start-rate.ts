/** The rate that is assumed until it is measured. */
const INITIAL_STARTS_PER_MS = 2;
/** The time constant of the average: long enough that a brief pause changes it little. */
const SMOOTHING_MS = 400;
/** A sample that took longer than this is weighted as if it took only this long: the whole machine may have paused. */
const MAX_SAMPLE_MS = 100;

/** Measures how fast queued requests are started, as a moving average. */
export class StartRate {
  readonly #clock: () => number;
  #starts = 0;
  #since: number;
  #startsPerMs = INITIAL_STARTS_PER_MS;

  constructor(clock: () => number) {
    this.#clock = clock;
    this.#since = clock();
  }

  /** Returns the number of requests that are likely to start within this time. */
  expectedWithin(ms: number): number {
    return this.#startsPerMs * ms;
  }

  /** Counts a queued request that was started. */
  recordStart(): void {
    this.#starts += 1;
  }

  /** Starts a new sample. While no request is queued, the number of starts does not show how many are possible. */
  restart(): void {
    this.#starts = 0;
    this.#since = this.#clock();
  }

  /** Adds the current sample to the average, and starts a new one. */
  sample(): void {
    const elapsed = this.#clock() - this.#since;
    const weight = 1 - Math.exp(-Math.min(elapsed, MAX_SAMPLE_MS) / SMOOTHING_MS);
    this.#startsPerMs += weight * (this.#starts / Math.max(elapsed, 1) - this.#startsPerMs);
    this.restart();
  }
}
