import type { Concurrency } from '../../database/database.ts';
import { Tally } from '../../shared/tally.ts';
import type { HeavyWork } from './heavy-work.ts';
import { isOfNetwork } from './queued-requests.ts';

/** The share of all networks together: one client can have many networks. */
const SHARE_OF_NETWORKS = 0.75;
/** How long a queue is active after the arrival of a request. */
const ACTIVE_MS = 500;
/** A slower request has waited for the database or the event loop, so the limit shrinks. */
const SLOW_REQUEST_MS = 500;
/**
 * The limit shrinks at most once per SLOW_REQUEST_MS, and grows with each fast request while others queue.
 */
const SHRINK_FACTOR = 0.7;
const GROWTH_STEP = 0.1;

/** Decides which queues may start another request. The limit adapts to the duration of requests. */
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

  /** The number of requests that may start. It may have a fraction or be negative. */
  get free(): number {
    return this.#limit - this.#inProgress;
  }

  /**
   * There is capacity, and the queue uses less than half of what others leave. All networks together leave
   * some capacity to merchants. A queue over its share of heavy work waits while other queues are active.
   */
  canStart(queue: string): boolean {
    if (this.#inProgress >= this.#limit) return false;
    const own = this.#inProgressByQueue.of(queue);
    if (this.#heavy.isOverShare(queue) && this.#areOthersActive(queue)) return false;
    if (isOfNetwork(queue) && this.#ofNetworks >= SHARE_OF_NETWORKS * this.#limit) return false;
    return own < Math.max(1, (this.#limit - (this.#inProgress - own)) / 2);
  }

  recordArrival(queue: string): void {
    if (queue !== this.#latest.queue) this.#latestOtherAt = this.#latest.at;
    this.#latest = { queue, at: this.#clock() };
  }

  /** Recent requests count too: most are over in a moment. */
  #areOthersActive(queue: string): boolean {
    if (this.#inProgressByQueue.of(queue) < this.#inProgress) return true;
    const othersAt = this.#latest.queue === queue ? this.#latestOtherAt : this.#latest.at;
    return this.#clock() - othersAt < ACTIVE_MS;
  }

  start(queue: string): void {
    this.#inProgress += 1;
    if (isOfNetwork(queue)) this.#ofNetworks += 1;
    this.#inProgressByQueue.add(queue);
  }

  /** Counts a request that has ended, and adapts the limit. */
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
