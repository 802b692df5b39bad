import type { Concurrency } from '../../database/database.ts';
import { Tally } from '../../shared/tally.ts';
import type { HeavyWork } from './heavy-work.ts';
import { isOfNetwork } from './queued-requests.ts';

/** The share of the capacity that all networks together may use: one client can have many networks. */
const SHARE_OF_NETWORKS = 0.75;
/** A queue counts as active for this long after a request of it has arrived. */
const ACTIVE_MS = 500;
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
  /** The queue whose request arrived last, and when a request of any other queue arrived last. */
  #latest = { queue: '', at: Number.NEGATIVE_INFINITY };
  #latestOtherAt = Number.NEGATIVE_INFINITY;

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
   * Whether another request of a queue may start: there is capacity, and the queue uses less than half of
   * what others leave. All networks together leave some capacity to merchants. A queue that is over its share
   * of heavy work waits while other queues are active.
   */
  canStart(queue: string): boolean {
    if (this.#inProgress >= this.#limit) return false;
    const own = this.#inProgressByQueue.of(queue);
    if (this.#heavy.isOverShare(queue) && this.#areOthersActive(queue)) return false;
    if (isOfNetwork(queue) && this.#ofNetworks >= SHARE_OF_NETWORKS * this.#limit) return false;
    return own < Math.max(1, (this.#limit - (this.#inProgress - own)) / 2);
  }

  /** Counts a request that has arrived, whether it starts or waits. */
  recordArrival(queue: string): void {
    if (queue !== this.#latest.queue) this.#latestOtherAt = this.#latest.at;
    this.#latest = { queue, at: this.#clock() };
  }

  /** Whether other queues have requests in progress or had one recently: most are over in a moment. */
  #areOthersActive(queue: string): boolean {
    if (this.#inProgressByQueue.of(queue) < this.#inProgress) return true;
    const othersAt = this.#latest.queue === queue ? this.#latestOtherAt : this.#latest.at;
    return this.#clock() - othersAt < ACTIVE_MS;
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
