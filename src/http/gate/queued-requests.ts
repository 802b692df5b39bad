import { RoundRobinQueues } from '../../shared/round-robin-queues.ts';
import { OVERLOADED } from '../responses/errors.ts';
import { StartRate } from './start-rate.ts';

/** The queue limit is the number of requests that are likely to start within this time, but at least MIN_QUEUE. */
const TARGET_QUEUE_WAIT_MS = 400;
const MIN_QUEUE = 32;
/** A request that has been queued for this long is refused. */
const MAX_QUEUE_WAIT_MS = 800;
const SAMPLE_INTERVAL_MS = 50;
/** The start rate is reset after this many samples without a queued request. */
const IDLE_SAMPLES_TO_RESET = 20;

/** A request that waits for its turn. */
export interface Waiting {
  start: () => void;
  refuse: (error: unknown) => void;
  isGone: () => boolean;
}

/** The options of `QueuedRequests`. */
export interface QueueOptions {
  /** Called for each refused request. */
  onShed: () => void;
  /** Called after requests that waited for too long have been refused. */
  onOverdue: () => void;
  /** Returns milliseconds, like `performance.now`. */
  clock: () => number;
}

/**
 * The queues of requests, which take turns. They hold as many requests as are likely to start soon at the recent start
 * rate. When more wait, the newest request of the longest queue is refused.
 */
export class QueuedRequests {
  readonly #options: QueueOptions;
  readonly #queues = new RoundRobinQueues<Waiting & { since: number }>();
  #startRate: StartRate;
  #sampleTimer: NodeJS.Timeout | undefined;
  /** The number of consecutive samples without a queued request. */
  #idleSamples = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#startRate = new StartRate(options.clock);
  }

  get size(): number {
    return this.#queues.size;
  }

  /** Whether a request would be refused now. `queueOf` returns its queue, and is called only if many are queued. */
  isFull(queueOf: () => string): boolean {
    const maxQueued = this.#maxQueued();
    if (this.size < maxQueued) return false;
    // A request of a queue below its share replaces the newest request of the longest queue.
    const own = this.#queues.lengthOf(queueOf());
    const queues = this.#queues.count + (own === 0 ? 1 : 0);
    return own + 1 > Math.floor(maxQueued / queues);
  }

  /** Adds a request, and refuses another one if there are too many. */
  push(queue: string, waiting: Waiting): void {
    if (this.size === 0) this.#startRate.restart();
    this.#queues.push(queue, { ...waiting, since: this.#options.clock() });
    if (this.size > this.#maxQueued()) this.#refuse(this.#queues.takeNewestOfLongest(queue));
    this.#sampleTimer ??= setInterval(() => this.#sample(), SAMPLE_INTERVAL_MS).unref();
  }

  /** Removes the next request whose queue may start one; undefined if there is none. */
  take(canStart: (queue: string) => boolean): { queue: string; item: Waiting } | undefined {
    return this.#queues.take(canStart);
  }

  /** Counts a queued request that was started. */
  recordStart(): void {
    this.#startRate.recordStart();
  }

  #maxQueued(): number {
    return Math.max(MIN_QUEUE, this.#startRate.expectedWithin(TARGET_QUEUE_WAIT_MS));
  }

  #refuse(waiting: Waiting | undefined): void {
    if (waiting === undefined) return;
    this.#options.onShed();
    waiting.refuse(OVERLOADED);
  }

  #sample(): void {
    if (this.size > 0) {
      this.#idleSamples = 0;
      this.#startRate.sample();
      this.#refuseOverdue();
      return;
    }
    this.#idleSamples += 1;
    if (this.#idleSamples < IDLE_SAMPLES_TO_RESET) return;
    clearInterval(this.#sampleTimer);
    this.#sampleTimer = undefined;
    this.#idleSamples = 0;
    this.#startRate = new StartRate(this.#options.clock);
  }

  #refuseOverdue(): void {
    const tooLong = this.#options.clock() - MAX_QUEUE_WAIT_MS;
    for (const waiting of this.#queues.takeDue(({ since }) => since < tooLong)) this.#refuse(waiting);
    this.#options.onOverdue();
  }
}
