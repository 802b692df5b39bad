const MIN_KEPT_MS = 10_000;
/** A slow database, which is when figures matter, must not keep them outdated. */
const MAX_KEPT_MS = 60_000;
/** So that reading usually takes less than 1 % of the time. */
const KEPT_FOR_DURATION = 100;

interface Clocks {
  /** Milliseconds since 1970. */
  now: () => number;
  /** In milliseconds; `performance.now` by default. */
  clock?: () => number;
}

/** Keeps what was read for ten seconds, or a hundred times as long as reading it took, up to a minute. */
export class KeptRead<Value> {
  readonly #readAgain: () => Promise<Value>;
  readonly #clocks: Clocks;
  #kept: { value: Promise<Value>; until: number } | undefined;

  constructor(readAgain: () => Promise<Value>, clocks: Clocks) {
    this.#readAgain = readAgain;
    this.#clocks = clocks;
  }

  async read(): Promise<Value> {
    const { now, clock = () => performance.now() } = this.#clocks;
    if (this.#kept !== undefined && now() < this.#kept.until) return await this.#kept.value;
    const started = clock();
    const kept = { value: this.#readAgain(), until: Number.POSITIVE_INFINITY };
    this.#kept = kept;
    try {
      return await kept.value;
    } catch (error) {
      if (this.#kept === kept) this.#kept = undefined;
      throw error;
    } finally {
      const keptMs = (clock() - started) * KEPT_FOR_DURATION;
      kept.until = now() + Math.min(Math.max(keptMs, MIN_KEPT_MS), MAX_KEPT_MS);
    }
  }
}
