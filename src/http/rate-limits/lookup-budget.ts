/** What a bucket holds at most, and what flows into it per second. */
interface Rate {
  burst: number;
  perSecond: number;
}

/** Enough for the connections that an honest client opens at once, and for a second try within a second. */
const PER_NETWORK: Rate = { burst: 100, perSecond: 50 };
/** A look-up costs about 50 µs on SQLite, so all networks together cost 2.5 % of a core at most. */
const OVER_ALL: Rate = { burst: 1_000, perSecond: 500 };
/** More networks than this are forgotten together; the budget over all of them still holds. */
const MOST_NETWORKS = 10_000;

/**
 * How many unknown tokens are looked up for networks that had too many refused. Without any, a good token that this
 * process has not seen yet, as after a restart or on another worker, would be refused together with the bad ones.
 * Guessing gains nothing: a token has 190 random bits. The limit is there for the load.
 */
export class LookupBudget {
  readonly #now: () => number;
  readonly #networks = new Map<string, TokenBucket>();
  readonly #all: TokenBucket;

  /** `now` gives milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
    this.#all = new TokenBucket(OVER_ALL, now());
  }

  /** Counts one look-up for a network; false, and nothing counted, if it has to wait for a second or so. */
  take(network: string): boolean {
    const now = this.#now();
    let own = this.#networks.get(network);
    if (own === undefined) {
      if (this.#networks.size >= MOST_NETWORKS) this.#networks.clear();
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
    // A clock that was set back adds nothing.
    const seconds = Math.max(0, now - this.#filledAt) / 1000;
    this.#level = Math.min(this.#rate.burst, this.#level + seconds * this.#rate.perSecond);
    this.#filledAt = now;
    return this.#level >= 1;
  }

  takeOne(): void {
    this.#level -= 1;
  }
}
