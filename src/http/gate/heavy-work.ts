/** Work that keeps the event loop for longer than this is heavy. */
const HEAVY_MS = 1;
/** The share of the time that a line may take for it, and how much it may take before the share counts. */
const SHARE = 0.2;
const BURST_MS = 20;
/** Past so many lines, those that owe nothing any more are looked for. */
const MAX_TRACKED_QUEUES = 1_000;

/**
 * What each line has taken of the event loop's time with heavy work, such as reading large bodies. Other requests wait
 * for such work at each of their steps, so that a line may do it only now and then while others are served.
 */
export class HeavyWork {
  readonly #clock: () => number;
  /** Milliseconds taken beyond the share, as they were at a time. */
  readonly #excess = new Map<string, { ms: number; at: number }>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Notes that work of a line kept the event loop for so long. */
  record(line: string, ms: number): void {
    if (ms <= HEAVY_MS) return;
    this.#excess.set(line, { ms: this.#excessOf(line) + ms, at: this.#clock() });
    if (this.#excess.size > MAX_TRACKED_QUEUES) this.#prune();
  }

  /** Whether any line has taken more than its share. */
  get isAnyOverShare(): boolean {
    return this.#excess.keys().some((line) => this.isOverShare(line));
  }

  /** Whether a line has taken more than its share. */
  isOverShare(line: string): boolean {
    return this.#excessOf(line) > BURST_MS;
  }

  #prune(): void {
    for (const line of this.#excess.keys()) this.#excessOf(line);
  }

  #excessOf(line: string): number {
    const debt = this.#excess.get(line);
    if (debt === undefined) return 0;
    const left = debt.ms - (this.#clock() - debt.at) * SHARE;
    if (left > 0) return left;
    this.#excess.delete(line);
    return 0;
  }
}
