import type { Concurrency } from '../../database/database.ts';
import { Tally } from '../../shared/tally.ts';
import type { HeavyWork } from './heavy-work.ts';
import { kindOf, NETWORK } from './queued-requests.ts';

/** A request that takes longer than this has waited for the database or the event loop, so the limit shrinks. */
const SLOW_REQUEST_MS = 500;
/**
 * The limit on requests in progress shrinks by this factor at most once per SLOW_REQUEST_MS. It grows by this step with
 * each fast request while others are queued.
 */
const SHRINK_FACTOR = 0.7;
const GROWTH_STEP = 0.1;

/**
 * Counts the requests in progress, and decides which queues may start another one. The limit adapts to how long requests
 * take.
 */
export class Capacity {
  readonly #concurrency: Concurrency;
  readonly #heavy: HeavyWork;
  readonly #clock: () => number;
  readonly #inProgressByQueue = new Tally<string>();
  #inProgress = 0;
  #ofNetworks = 0;
  #limit: number;
  #lastShrunkAt = 0;

  constructor(concurrency: Concurrency, heavy: HeavyWork, clock: () => number) {
    this.#concurrency = concurrency;
    this.#limit = concurrency.initial;
    this.#heavy = heavy;
    this.#clock = clock;
  }

  get inProgress(): number {
    return this.#inProgress;
  }

  /** The number of requests that may start before the limit is reached. It may have a fraction or be negative. */
  get free(): number {
    return this.#limit - this.#inProgress;
  }

  /**
   * Whether another request of a queue may start: there is capacity, and the queue uses less than half of what others
   * leave. All networks together are limited in the same way, because one client can have many. A queue that is over its
   * share of heavy work waits until no other queue has requests in progress.
   */
  canStart(queue: string): boolean {
    if (this.#inProgress >= this.#limit) return false;
    const own = this.#inProgressByQueue.of(queue);
    if (own < this.#inProgress && this.#heavy.isOverShare(queue)) return false;
    if (isOfNetwork(queue) && !this.#isBelowHalf(this.#ofNetworks)) return false;
    return this.#isBelowHalf(own);
  }

  /** Whether this many of the requests in progress use less than half of what the others leave. */
  #isBelowHalf(own: number): boolean {
    return own < Math.max(1, (this.#limit - (this.#inProgress - own)) / 2);
  }

  /** Counts a request that has started. */
  start(queue: string): void {
    this.#inProgress += 1;
    if (isOfNetwork(queue)) this.#ofNetworks += 1;
    this.#inProgressByQueue.add(queue);
  }

  /** Counts a request that has ended, and adapts the limit. `areOthersQueued` is whether requests are queued. */
  end({ queue, startedAt }: { queue: string; startedAt: number }, areOthersQueued: boolean): void {
    this.#inProgress -= 1;
    if (isOfNetwork(queue)) this.#ofNetworks -= 1;
    this.#inProgressByQueue.subtract(queue);
    const now = this.#clock();
    if (now - startedAt <= SLOW_REQUEST_MS) {
      if (areOthersQueued) this.#limit = Math.min(this.#concurrency.max, this.#limit + GROWTH_STEP);
    } else if (now - this.#lastShrunkAt > SLOW_REQUEST_MS) {
      this.#limit = Math.max(this.#concurrency.min, this.#limit * SHRINK_FACTOR);
      this.#lastShrunkAt = now;
    }
  }
}

function isOfNetwork(queue: string): boolean {
  return kindOf(queue) === NETWORK;
}
