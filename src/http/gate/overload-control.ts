import { AsyncLocalStorage } from 'node:async_hooks';
import type { Concurrency } from '../../database/database.ts';
import { RoundRobinQueues } from '../../shared/round-robin-queues.ts';
import { Tally } from '../../shared/tally.ts';
import { OVERLOADED } from '../responses/errors.ts';
import { HeavyWork } from './heavy-work.ts';
import { StartRate } from './start-rate.ts';

/** A request that takes longer than this has waited for the database or the event loop, so the limit shrinks. */
const SLOW_REQUEST_MS = 500;
/**
 * The limit on requests in progress shrinks by this factor at most once per SLOW_REQUEST_MS. It grows by this step with
 * each fast request while others are queued.
 */
const SHRINK_FACTOR = 0.7;
const GROWTH_STEP = 0.1;
/** Requests are started for at most this long in one turn of the event loop; the rest wait for the next turn. */
const MAX_START_MS_PER_TURN = 5;
/** The queue limit is the number of requests that are likely to start within this time, but at least MIN_QUEUE. */
const TARGET_QUEUE_WAIT_MS = 400;
const MIN_QUEUE = 32;
/** A request that has been queued for this long is refused. */
const MAX_QUEUE_WAIT_MS = 800;
const SAMPLE_INTERVAL_MS = 50;
/** The start rate is reset after this many samples without a queued request. */
const IDLE_SAMPLES_TO_RESET = 20;

interface Waiting {
  since: number;
  start: () => void;
  refuse: (error: unknown) => void;
  isGone: () => boolean;
}

/** A request in progress. */
interface Slot {
  queue: string;
  startedAt: number;
  /** The number of its jobs that `runOutside` runs. While there are any, it does not count as in progress. */
  jobsOutside: number;
  isDone: boolean;
}

/** The queue of a request, and whether its client has disconnected. */
export interface QueuedRequest {
  /** A merchant or a network. */
  queue: string;
  isGone: () => boolean;
}

/**
 * Starts requests as fast as they can be served. When more arrive, it queues as many as are likely to start soon at the
 * recent start rate, and refuses the rest immediately. So accepted requests are answered in time, a refused one costs
 * only its reading and a short response, and starting requests does not block the event loop for long.
 *
 * The queues take turns. A queue gets at most half of the capacity that the others leave, and when too many requests
 * wait, the newest request of the longest queue is refused. So a merchant with few requests is served, whatever others
 * send. A queue that repeatedly blocks the event loop (`HeavyWork`) waits while others are served.
 */
export class OverloadControl {
  readonly #onShed: () => void;
  readonly #clock: () => number;
  readonly #queues = new RoundRobinQueues<Waiting>();
  /** The number of requests in progress of each queue. */
  readonly #inProgressByQueue = new Tally<string>();
  readonly #heavy: HeavyWork;
  #retryTimer: NodeJS.Timeout | undefined;
  readonly #concurrency: Concurrency;
  #limit: number;
  #lastShrunkAt = 0;
  #inProgress = 0;
  /** The number of requests that wait for a job of `runOutside`. */
  #outside = 0;
  readonly #slots = new AsyncLocalStorage<Slot>();
  #turnStartedAt: number | undefined;
  /** The number of scheduled callbacks that will start a queued request. */
  #scheduledStarts = 0;
  #startRate: StartRate;
  #sampleTimer: NodeJS.Timeout | undefined;
  /** The number of consecutive samples without a queued request. */
  #idleSamples = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  /**
   * `concurrency` bounds the number of requests in progress. `onShed` is called for each refused request. `clock`
   * returns milliseconds, like `performance.now`.
   */
  constructor(concurrency: Concurrency, onShed: () => void, clock: () => number = () => performance.now()) {
    this.#concurrency = concurrency;
    this.#limit = concurrency.initial;
    this.#onShed = onShed;
    this.#clock = clock;
    this.#startRate = new StartRate(clock);
    this.#heavy = new HeavyWork(clock);
  }

  /** The number of requests in progress, including those that wait for a job of `runOutside`. */
  get inProgress(): number {
    return this.#inProgress + this.#outside;
  }

  get waiting(): number {
    return this.#queues.size;
  }

  /** Whether a request would be refused now. `queueOf` returns its queue, and is called only if many are queued. */
  isFull(queueOf: () => string): boolean {
    const maxQueued = this.#maxQueued();
    if (this.waiting < maxQueued) return false;
    // A request of a queue below its share replaces the newest request of the longest queue.
    const own = this.#queues.lengthOf(queueOf());
    const queues = this.#queues.count + (own === 0 ? 1 : 0);
    return own + 1 > Math.floor(maxQueued / queues);
  }

  #maxQueued(): number {
    return Math.max(MIN_QUEUE, this.#startRate.expectedWithin(TARGET_QUEUE_WAIT_MS));
  }

  /** Counts a request that was refused without a call to `run`. */
  noteShed(): void {
    this.#onShed();
  }

  /**
   * Runs work when its turn comes, unless its client has disconnected by then.
   * @throws {HttpError} `overloaded`
   */
  async run<T>(work: () => Promise<T>, request: QueuedRequest): Promise<T> {
    const turn = this.#enter(request);
    if (turn !== undefined) await turn;
    const slot: Slot = { queue: request.queue, startedAt: this.#clock(), jobsOutside: 0, isDone: false };
    try {
      const result = this.#slots.run(slot, work);
      this.#heavy.record(request.queue, this.#clock() - slot.startedAt);
      return await result;
    } finally {
      slot.isDone = true;
      if (slot.jobsOutside === 0) {
        this.#leave(slot);
      } else {
        this.#outside -= 1;
        this.#resolveIdle();
      }
    }
  }

  /**
   * Runs a job that has its own limits, such as a long read. Until it ends, the request that waits for it does not count
   * as in progress. Otherwise a few merchants with long reads would use up the capacity that others need.
   */
  async runOutside<T>(job: () => Promise<T>): Promise<T> {
    const slot = this.#slots.getStore();
    if (slot === undefined || slot.isDone) return await job();
    if (slot.jobsOutside === 0) {
      this.#outside += 1;
      this.#leave(slot);
    }
    slot.jobsOutside += 1;
    try {
      return await job();
    } finally {
      slot.jobsOutside -= 1;
      if (slot.jobsOutside === 0 && !slot.isDone) {
        this.#outside -= 1;
        this.#start(slot.queue);
        slot.startedAt = this.#clock();
      }
    }
  }

  /**
   * Runs synchronous work of the request in progress, and counts its time as its queue's. `run` does this for what a
   * request does before it first waits.
   */
  measure<T>(work: () => T): T {
    const startedAt = this.#clock();
    try {
      return work();
    } finally {
      const slot = this.#slots.getStore();
      if (slot !== undefined) this.#heavy.record(slot.queue, this.#clock() - startedAt);
    }
  }

  /** Resolves when no request is in progress or queued. */
  async idle(): Promise<void> {
    if (this.#isIdle()) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }

  #enter({ queue, isGone }: QueuedRequest): Promise<void> | undefined {
    if (this.waiting === 0 && this.#canStart(queue) && this.mayStartInThisTurn()) {
      this.#start(queue);
      return undefined;
    }
    if (this.isFull(() => queue)) {
      this.#onShed();
      throw OVERLOADED;
    }
    if (this.waiting === 0) this.#startRate.restart();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#queues.push(queue, { since: this.#clock(), start: resolve, refuse: reject, isGone });
    if (this.waiting > this.#maxQueued()) this.#refuse(this.#queues.takeNewestOfLongest(queue));
    this.#sampleTimer ??= setInterval(() => this.#sample(), SAMPLE_INTERVAL_MS).unref();
    this.#scheduleStarts();
    return promise;
  }

  #refuse(waiting: Waiting | undefined): void {
    if (waiting === undefined) return;
    this.#onShed();
    waiting.refuse(OVERLOADED);
  }

  /**
   * Whether another request of a queue may start: there is capacity, and the queue uses less than half of what others
   * leave. A queue that is over its share of heavy work waits until no other queue has requests in progress.
   */
  #canStart(queue: string): boolean {
    if (this.#inProgress >= this.#limit) return false;
    const own = this.#inProgressByQueue.of(queue);
    if (own < this.#inProgress && this.#heavy.isOverShare(queue)) return false;
    return own < Math.max(1, (this.#limit - (this.#inProgress - own)) / 2);
  }

  #start(queue: string): void {
    this.#inProgress += 1;
    this.#inProgressByQueue.add(queue);
  }

  #leave({ queue, startedAt }: Slot): void {
    this.#inProgress -= 1;
    this.#inProgressByQueue.subtract(queue);
    const now = this.#clock();
    if (now - startedAt <= SLOW_REQUEST_MS) {
      if (this.waiting > 0) this.#limit = Math.min(this.#concurrency.max, this.#limit + GROWTH_STEP);
    } else if (now - this.#lastShrunkAt > SLOW_REQUEST_MS) {
      this.#limit = Math.max(this.#concurrency.min, this.#limit * SHRINK_FACTOR);
      this.#lastShrunkAt = now;
    }
    this.#scheduleStarts();
    this.#resolveIdle();
  }

  #isIdle(): boolean {
    return this.#inProgress + this.#outside + this.waiting === 0;
  }

  #resolveIdle(): void {
    if (!this.#isIdle()) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  /**
   * Schedules the start of as many queued requests as there is capacity for. Each starts in its own
   * callback, so that the next callback's time check includes this request's synchronous work.
   */
  #scheduleStarts(): void {
    const wanted = Math.min(this.waiting, this.#limit - this.#inProgress);
    for (; this.#scheduledStarts < wanted; this.#scheduledStarts += 1) {
      setImmediate(() => {
        this.#scheduledStarts -= 1;
        // If no queue may start another request, scheduling continues when a request ends or `#retryTimer` fires.
        if (!this.mayStartInThisTurn() || this.#startNext()) this.#scheduleStarts();
      });
    }
  }

  /** Starts the next queued request; false if no queue may start one. */
  #startNext(): boolean {
    const next = this.#queues.take((queue) => this.#canStart(queue));
    if (next === undefined) {
      if (this.#heavy.isAnyOverShare) this.#retryTimer ??= setTimeout(() => this.#retryHeavy(), 1).unref();
      return false;
    }
    if (next.item.isGone()) {
      next.item.refuse(OVERLOADED);
      this.#resolveIdle();
    } else {
      this.#start(next.queue);
      this.#startRate.recordStart();
      next.item.start();
    }
    return true;
  }

  #retryHeavy(): void {
    this.#retryTimer = undefined;
    this.#scheduleStarts();
  }

  #sample(): void {
    if (this.waiting > 0) {
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
    this.#startRate = new StartRate(this.#clock);
  }

  #refuseOverdue(): void {
    const tooLong = this.#clock() - MAX_QUEUE_WAIT_MS;
    for (const waiting of this.#queues.takeDue(({ since }) => since < tooLong)) this.#refuse(waiting);
    this.#resolveIdle();
  }

  /** Whether more requests may start in this turn of the event loop. */
  mayStartInThisTurn(): boolean {
    const now = this.#clock();
    if (this.#turnStartedAt === undefined) {
      this.#turnStartedAt = now;
      setImmediate(() => {
        this.#turnStartedAt = undefined;
      });
    }
    return now - this.#turnStartedAt < MAX_START_MS_PER_TURN;
  }
}
