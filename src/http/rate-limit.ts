const WINDOW_MS = 60_000;

/** Counts each key's requests in the current minute. */
export class RateLimit {
  readonly #limit: number | null;
  readonly #now: () => number;
  readonly #counts = new Map<string, number>();
  #window = 0;

  /** `limit`: requests a minute for one key, or null for as many as it likes. */
  constructor(limit: number | null, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Counts one request; the seconds to wait if it is one too many, else 0. */
  take(key: string): number {
    if (this.#limit === null) return 0;
    const now = this.#now();
    const window = Math.floor(now / WINDOW_MS);
    if (window !== this.#window) {
      this.#window = window;
      this.#counts.clear();
    }
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count > this.#limit ? Math.ceil(((window + 1) * WINDOW_MS - now) / 1000) : 0;
  }
}
