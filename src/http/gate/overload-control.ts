import { AsyncLocalStorage } from 'node:async_hooks';
import type { Concurrency } from '../../database/database.ts';
import { OVERLOADED } from '../responses/request-errors.ts';
import { Capacity } from './capacity.ts';
import { HeavyWork } from './heavy-work.ts';
import { QueuedRequests } from './queued-requests.ts';
import { UsedTime } from './used-time.ts';

/** The time for starting requests in one turn of the event loop; the rest wait for the next turn. */
const MAX_START_MS_PER_TURN = 5;

interface Slot extends QueuedRequest {
  startedAt: number;
  /** Its jobs in `runOutside`. While there are any, it does not count as in progress. */
  jobsOutside: number;
  /** Whether it waits in another queue, so that it does not count as in progress. */
  isQueuedAgain: boolean;
  isDone: boolean;
}

export interface QueuedRequest {
  /** A merchant or a network. */
  queue: string;
  isGone: () => boolean;
}

interface OverloadOptions {
  /** Called for each refused request. */
  onShed: () => void;
  /** In milliseconds, like `performance.now`. */
  clock?: () => number;
  /** The CPU time that this thread has used, in milliseconds. */
  cpuClock?: () => number;
}

/** The time during which the thread could not run is not a client's. */
function readCpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * Starts requests as fast as they can be served. When more arrive, it queues as many as are likely to start
 * soon, and refuses the rest immediately. So accepted requests are answered in time, refused ones cost
 * little, and starting requests does not block the event loop for long.
 *
 * The queues take turns. A queue gets at most half of the capacity that the others leave, and when too many
 * requests wait, the newest request of the longest queue is refused. So a merchant with few requests is
 * served. The queue that has used the least of the event loop's time goes first (`UsedTime`), and a queue
 * that repeatedly blocks the event loop (`HeavyWork`) waits while others are active.
 */
export class OverloadControl {
  readonly #onShed: () => void;
  readonly #clock: () => number;
  readonly #cpuClock: () => number;
  readonly #heavy: HeavyWork;
  readonly #usedTime = new UsedTime();
  readonly #capacity: Capacity;
  readonly #queued: QueuedRequests;
  #retryTimer: NodeJS.Timeout | undefined;
  #outside = 0;
  readonly #slots = new AsyncLocalStorage<Slot>();
  #turnStartedAt: number | undefined;
  /** The number of scheduled callbacks that will start a queued request. */
  #scheduledStarts = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(
    concurrency: Concurrency,
    { onShed, clock = () => performance.now(), cpuClock = readCpuTime }: OverloadOptions,
  ) {
    this.#onShed = onShed;
    this.#clock = clock;
    this.#cpuClock = cpuClock;
    this.#heavy = new HeavyWork(clock);
    this.#capacity = new Capacity(concurrency, this.#heavy, clock);
    const onOverdue = (): void => {
      this.#resolveIdle();
      // A queue's share may have become free between the looks at the clock of `#startNext`.
      this.#scheduleStarts();
    };
    this.#queued = new QueuedRequests({ onShed, onOverdue, clock });
  }

  /** Includes requests that wait for a job of `runOutside`. */
  get inProgress(): number {
    return this.#capacity.inProgress + this.#outside;
  }

  get waiting(): number {
    return this.#queued.size;
  }

  /** Whether a request would be refused now. `queueOf` is called only if many are queued. */
  isFull(queueOf: () => string): boolean {
    return this.#queued.isFull(queueOf);
  }

  /** Counts a request that was refused without a call to `run`. */
  noteShed(): void {
    this.#onShed();
  }

  /**
   * Runs work when its turn comes, unless its client has disconnected by then.
   * @throws {DomainError} `overloaded`
   */
  async run<T>(work: () => Promise<T>, request: QueuedRequest): Promise<T> {
    const turn = this.#enter(request);
    if (turn !== undefined) await turn;
    const slot: Slot = {
      ...request,
      startedAt: this.#clock(),
      jobsOutside: 0,
      isQueuedAgain: false,
      isDone: false,
    };
    try {
      const begun = this.#cpuClock();
      const result = this.#slots.run(slot, work);
      this.#record(request.queue, this.#cpuClock() - begun);
      return await result;
    } finally {
      slot.isDone = true;
      if (slot.isQueuedAgain) {
        this.#resolveIdle();
      } else if (slot.jobsOutside === 0) {
        this.#leave(slot);
      } else {
        this.#outside -= 1;
        this.#resolveIdle();
      }
    }
  }

  /**
   * Makes the request wait for its turn in another queue. Call it once its merchant is known: one merchant
   * could otherwise use the turns of many networks.
   * @throws {DomainError} `overloaded`
   */
  async moveTo(queue: string): Promise<void> {
    const slot = this.#slots.getStore();
    if (slot !== undefined && slot.queue !== queue) await this.#queueAgain(slot, queue);
  }

  /**
   * Makes the request wait again if its queue has done heavy work. Call it between two parts of such work, so
   * that others' requests are served in between.
   * @throws {DomainError} `overloaded`
   */
  async takeAnotherTurn(): Promise<void> {
    const slot = this.#slots.getStore();
    if (slot !== undefined && this.#heavy.isHeavy(slot.queue)) await this.#queueAgain(slot, slot.queue);
  }

  async #queueAgain(slot: Slot, queue: string): Promise<void> {
    this.#leave(slot);
    slot.isQueuedAgain = true;
    slot.queue = queue;
    await this.#enter(slot);
    slot.isQueuedAgain = false;
    slot.startedAt = this.#clock();
  }

  /**
   * Runs a job that has its own limits, such as a long read. Meanwhile, its request does not count as in
   * progress: long reads would otherwise use up the capacity that others need.
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
        this.#capacity.start(slot.queue);
        slot.startedAt = this.#clock();
      }
    }
  }

  /** Counts the time of synchronous work after the request first waited; `run` counts what is before. */
  measure<T>(work: () => T): T {
    const begun = this.#cpuClock();
    try {
      return work();
    } finally {
      const slot = this.#slots.getStore();
      if (slot !== undefined) this.#record(slot.queue, this.#cpuClock() - begun);
    }
  }

  #record(queue: string, ms: number): void {
    this.#heavy.record(queue, ms);
    if (this.waiting > 0) this.#usedTime.record(queue, ms);
    else this.#usedTime.clear();
  }

  /** Resolves when no request is in progress or queued. */
  async idle(): Promise<void> {
    if (this.#isIdle()) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }

  #enter({ queue, isGone }: QueuedRequest): Promise<void> | undefined {
    this.#capacity.recordArrival(queue);
    if (this.waiting === 0 && this.#capacity.canStart(queue) && this.mayStartInThisTurn()) {
      this.#capacity.start(queue);
      return undefined;
    }
    if (this.isFull(() => queue)) {
      this.#onShed();
      throw OVERLOADED;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#queued.push(queue, { start: resolve, refuse: reject, isGone });
    this.#scheduleStarts();
    return promise;
  }

  #leave(slot: Slot): void {
    this.#capacity.end(slot, this.waiting > 0);
    this.#scheduleStarts();
    this.#resolveIdle();
  }

  #isIdle(): boolean {
    return this.inProgress + this.waiting === 0;
  }

  #resolveIdle(): void {
    if (!this.#isIdle()) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  /** Each request starts in its own callback: the next one's time check includes its synchronous work. */
  #scheduleStarts(): void {
    const wanted = Math.min(this.waiting, this.#capacity.free);
    for (; this.#scheduledStarts < wanted; this.#scheduledStarts += 1) {
      setImmediate(() => {
        this.#scheduledStarts -= 1;
        // If no queue may start one, scheduling continues when a request ends or `#retryTimer` fires.
        if (!this.mayStartInThisTurn() || this.#startNext()) this.#scheduleStarts();
      });
    }
  }

  /** Returns false if no queue may start a request. */
  #startNext(): boolean {
    const next = this.#queued.take(
      (queue) => this.#capacity.canStart(queue),
      (queue) => this.#usedTime.of(queue),
    );
    if (next === undefined) {
      if (this.#heavy.isAnyOverShare) this.#retryTimer ??= setTimeout(() => this.#retryHeavy(), 1).unref();
      return false;
    }
    if (next.item.isGone()) {
      next.item.refuse(OVERLOADED);
      this.#resolveIdle();
    } else {
      this.#capacity.start(next.queue);
      this.#usedTime.recordTurn(next.queue);
      this.#queued.recordStart();
      next.item.start();
    }
    return true;
  }

  #retryHeavy(): void {
    this.#retryTimer = undefined;
    this.#scheduleStarts();
  }

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
