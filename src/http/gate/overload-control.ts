import type { Concurrency } from '../../database/database.ts';
import { RoundRobinQueues } from '../../shared/round-robin-queues.ts';
import { Tally } from '../../shared/tally.ts';
import { errors } from '../responses/errors.ts';
import { HeavyWork } from './heavy-work.ts';
import { StartRate } from './start-rate.ts';

/** Work that took longer than this must have waited for the database or the event loop, so the room shrinks. */
const SLOW_REQUEST_MS = 500;
/** The room shrinks by this factor at most once per SLOW_MS, and grows by so much with each request that was fast. */
const SHRINK_FACTOR = 0.7;
const GROWTH_STEP = 0.1;
/** New work begins in one turn of the event loop for so long; what is left waits for the next turn. */
const MAX_TICK_MS = 5;
/** As many requests may wait as recently started within this time, and never fewer than LEAST_WAITING. */
const TARGET_QUEUE_WAIT_MS = 400;
const MIN_QUEUE = 32;
/** Whoever has waited for so long is turned away. */
const MAX_QUEUE_WAIT_MS = 800;
const SAMPLE_INTERVAL_MS = 50;
/** The pace is forgotten when nobody has waited for so many sweeps. */
const IDLE_SAMPLES_TO_RESET = 20;

/** Made once: an error's stack costs more to take than all else that is done to turn a request away. */
export const OVERLOADED = errors.overloaded();

interface Waiting {
  since: number;
  begin: () => void;
  refuse: (error: unknown) => void;
  isGone: () => boolean;
}

/** Whose request it is, and whether its caller still waits for it. */
export interface QueuedRequest {
  /** A merchant or a network: lines take turns, so that no one of them can take what others need. */
  queue: string;
  isGone: () => boolean;
}

/**
 * Lets requests in as fast as they can be served and no faster. Where more come, a few wait: as many as are likely to
 * start soon at the recent start rate. All others are turned away at once. So what is let in is answered in time, what
 * is not costs next to nothing, and the event loop is never away from its sockets for long.
 *
 * Requests wait in lines that take turns. A line gets at most half of the room that the others leave, and when too many
 * wait, the longest line is refused first: a merchant that asks for little is served whatever others ask for. A line
 * that keeps the event loop for long again and again (`HeavyWork`) waits while others are served.
 */
export class OverloadControl {
  readonly #onShed: () => void;
  readonly #clock: () => number;
  readonly #queues = new RoundRobinQueues<Waiting>();
  /** Requests under way of each line. */
  readonly #inProgressByQueue = new Tally<string>();
  readonly #heavy: HeavyWork;
  #retryTimer: NodeJS.Timeout | undefined;
  readonly #concurrency: Concurrency;
  #limit: number;
  #lastShrunkAt = 0;
  #inProgress = 0;
  #tickStartedAt: number | undefined;
  /** Callbacks that are under way to those who wait. */
  #scheduledStarts = 0;
  #startRate: StartRate;
  #sampleTimer: NodeJS.Timeout | undefined;
  /** Sweeps in a row that found nobody waiting. */
  #idleSamples = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  /**
   * `concurrency` bounds how many requests are worked on at once; `onShed` is called for each request that is turned
   * away; `clock` returns milliseconds, as `performance.now`.
   */
  constructor(concurrency: Concurrency, onShed: () => void, clock: () => number = () => performance.now()) {
    this.#concurrency = concurrency;
    this.#limit = concurrency.first;
    this.#onShed = onShed;
    this.#clock = clock;
    this.#startRate = new StartRate(clock);
    this.#heavy = new HeavyWork(clock);
  }

  get inProgress(): number {
    return this.#inProgress;
  }

  get waiting(): number {
    return this.#queues.size;
  }

  /** Whether a request that came now would be turned away. `lineOf` names its line; it is called only if many wait. */
  isFull(lineOf: () => string): boolean {
    const most = this.#maxQueued();
    if (this.waiting < most) return false;
    // A line that has less than its share takes the place of the newest request of the longest one.
    const own = this.#queues.lengthOf(lineOf());
    const lines = this.#queues.count + (own === 0 ? 1 : 0);
    return own + 1 > Math.floor(most / lines);
  }

  #maxQueued(): number {
    return Math.max(MIN_QUEUE, this.#startRate.expectedWithin(TARGET_QUEUE_WAIT_MS));
  }

  /** Notes a request that was turned away without having asked to be let in. */
  noteShed(): void {
    this.#onShed();
  }

  /**
   * Runs work when its turn comes; never, where its caller has gone by then.
   * @throws {HttpError} `overloaded`
   */
  async run<T>(work: () => Promise<T>, admitted: QueuedRequest): Promise<T> {
    const wait = this.#enter(admitted);
    if (wait !== undefined) await wait;
    const begun = this.#clock();
    try {
      const result = work();
      this.#heavy.record(admitted.queue, this.#clock() - begun);
      return await result;
    } finally {
      this.#leave(admitted.queue, begun);
    }
  }

  /** Resolves when nobody is being served and nobody waits. */
  async idle(): Promise<void> {
    if (this.#inProgress + this.waiting === 0) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }

  #enter({ queue, isGone }: QueuedRequest): Promise<void> | undefined {
    if (this.waiting === 0 && this.#canStart(queue) && this.hasTickTime()) {
      this.#start(queue);
      return undefined;
    }
    if (this.isFull(() => queue)) {
      this.#onShed();
      throw OVERLOADED;
    }
    if (this.waiting === 0) this.#startRate.restart();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#queues.push(queue, { since: this.#clock(), begin: resolve, refuse: reject, isGone });
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

  /** Whether another request of a line may begin: there is room, and the line has less than half of what others leave. */
  #canStart(line: string): boolean {
    if (this.#inProgress >= this.#limit) return false;
    const own = this.#inProgressByQueue.of(line);
    if (own < this.#inProgress && this.#heavy.isOverShare(line)) return false;
    return own < Math.max(1, (this.#limit - (this.#inProgress - own)) / 2);
  }

  #start(line: string): void {
    this.#inProgress += 1;
    this.#inProgressByQueue.add(line);
  }

  #leave(line: string, begun: number): void {
    this.#inProgress -= 1;
    this.#inProgressByQueue.take(line);
    const now = this.#clock();
    if (now - begun <= SLOW_REQUEST_MS) {
      if (this.waiting > 0) this.#limit = Math.min(this.#concurrency.most, this.#limit + GROWTH_STEP);
    } else if (now - this.#lastShrunkAt > SLOW_REQUEST_MS) {
      this.#limit = Math.max(this.#concurrency.least, this.#limit * SHRINK_FACTOR);
      this.#lastShrunkAt = now;
    }
    this.#scheduleStarts();
    this.#resolveIdle();
  }

  #resolveIdle(): void {
    if (this.#inProgress + this.waiting > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  /**
   * Has those who wait begin after this turn, as many as there is room for: each in a callback of its own, as
   * what it does at once is done before the next one looks at the time.
   */
  #scheduleStarts(): void {
    const wanted = Math.min(this.waiting, this.#limit - this.#inProgress);
    for (; this.#scheduledStarts < wanted; this.#scheduledStarts += 1) {
      setImmediate(() => {
        this.#scheduledStarts -= 1;
        // Where every line that waits has all the room it gets, the next one that ends goes on from here.
        if (!this.hasTickTime() || this.#startNext()) this.#scheduleStarts();
      });
    }
  }

  /** False if no line that waits has room. */
  #startNext(): boolean {
    const next = this.#queues.take((line) => this.#canStart(line));
    if (next === undefined) {
      if (this.#heavy.isAnyOverShare) this.#retryTimer ??= setTimeout(() => this.#retryHeavy(), 1).unref();
      return false;
    }
    if (next.item.isGone()) {
      next.item.refuse(OVERLOADED);
      this.#resolveIdle();
    } else {
      this.#start(next.line);
      this.#startRate.recordStart();
      next.item.begin();
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

  /** Whether more work may begin in this turn of the event loop. */
  hasTickTime(): boolean {
    const now = this.#clock();
    if (this.#tickStartedAt === undefined) {
      this.#tickStartedAt = now;
      setImmediate(() => {
        this.#tickStartedAt = undefined;
      });
    }
    return now - this.#tickStartedAt < MAX_TICK_MS;
  }
}
