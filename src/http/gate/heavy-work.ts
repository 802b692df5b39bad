const HEAVY_MS = 1;
/** The share of the time that a queue may use for heavy work, and how much it may exceed that share. */
const SHARE = 0.2;
const BURST_MS = 20;
/** No queue has to wait longer than this for its share, however long its work took. */
const MAX_WAIT_MS = 500;
const MAX_EXCESS_MS = BURST_MS + MAX_WAIT_MS * SHARE;
/** Above this number, queues within their share are removed. */
const MAX_TRACKED_QUEUES = 1_000;

/**
 * Measures how much of the event loop's time each queue uses for heavy work, such as parsing large bodies,
 * which delays every other request. While others are served, each queue gets only a share of the time.
 */
export class HeavyWork {
  readonly #clock: () => number;
  /** Milliseconds used beyond the share, as of the time `at`. */
  readonly #excess = new Map<string, { ms: number; at: number }>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** `ms` is CPU time for which the event loop was blocked. */
  record(queue: string, ms: number): void {
    if (ms <= HEAVY_MS) return;
    const excess = Math.min(this.#excessOf(queue) + ms, MAX_EXCESS_MS);
    this.#excess.set(queue, { ms: excess, at: this.#clock() });
    if (this.#excess.size > MAX_TRACKED_QUEUES) this.#prune();
  }

  get isAnyOverShare(): boolean {
    return this.#excess.keys().some((queue) => this.isOverShare(queue));
  }

  /** Whether a queue has exceeded its share by more than BURST_MS. */
  isOverShare(queue: string): boolean {
    return this.#excessOf(queue) > BURST_MS;
  }

  isHeavy(queue: string): boolean {
    return this.#excessOf(queue) > 0;
  }

  #prune(): void {
    for (const queue of this.#excess.keys()) this.#excessOf(queue);
  }

  /** Deletes the entry of a queue within its share. */
  #excessOf(queue: string): number {
    const excess = this.#excess.get(queue);
    if (excess === undefined) return 0;
    const ms = excess.ms - (this.#clock() - excess.at) * SHARE;
    if (ms > 0) return ms;
    this.#excess.delete(queue);
    return 0;
  }
}
