/** The capacity of a token bucket, and its refill rate. */
interface Rate {
  burst: number;
  perSecond: number;
}

/** Enough for the connections that a normal client opens simultaneously, and for a retry within a second. */
const PER_NETWORK: Rate = { burst: 100, perSecond: 50 };
/** A lookup takes about 50 µs on SQLite, so all networks together use at most 2.5% of a core. */
const ALL_NETWORKS: Rate = { burst: 1_000, perSecond: 500 };
/** Above this number, the budget of each is reset; the budget for all of them still applies. */
const MAX_NETWORKS = 10_000;

/**
 * Limits the lookups of unknown tokens for networks that sent too many rejected ones, so that a valid token
 * that is new to this process still works there. Guessing is no risk, since a token has 190 bits of entropy;
 * the limit bounds the load.
 */
export class LookupBudget {
  readonly #now: () => number;
  readonly #networks = new Map<string, TokenBucket>();
  readonly #all: TokenBucket;

  /** `now` returns milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
    this.#all = new TokenBucket(ALL_NETWORKS, now());
  }

  /** Counts a lookup, or returns false if none is left. The next one is available within a second. */
  take(network: string): boolean {
    const now = this.#now();
    let own = this.#networks.get(network);
    if (own === undefined) {
      if (this.#networks.size >= MAX_NETWORKS) this.#networks.clear();
      own = new TokenBucket(PER_NETWORK, now);
      this.#networks.set(network, own);
    }
    if (!own.hasOne(now) || !this.#all.hasOne(now)) return false;
    own.takeOne();
    this.#all.takeOne();
    return true;
  }
}

class TokenBucket {
  readonly #rate: Rate;
  #level: number;
  #filledAt: number;

  constructor(rate: Rate, now: number) {
    this.#rate = rate;
    this.#level = rate.burst;
    this.#filledAt = now;
  }

  hasOne(now: number): boolean {
    // A clock that is set back adds nothing.
    const seconds = Math.max(0, now - this.#filledAt) / 1000;
    this.#level = Math.min(this.#rate.burst, this.#level + seconds * this.#rate.perSecond);
    this.#filledAt = now;
    return this.#level >= 1;
  }

  takeOne(): void {
    this.#level -= 1;
  }
}
