import { RoundRobinQueues } from './round-robin-queues.ts';
import { Tally } from './tally.ts';

/** Too many jobs wait in all queues together. A retry may succeed later. */
export class QueueFull extends Error {
  override name = 'QueueFull';
}

/** Created once, because creating an error with its stack costs more than the rest of a refusal. */
const QUEUE_FULL = new QueueFull('too many jobs wait');

interface Waiting {
  start: () => void;
  reject: (error: unknown) => void;
}

interface FairQueueLimits {
  maxRunning: number;
  /** Default: `maxRunning`. */
  perQueue?: number | ((queue: string) => number);
  /** Above it, the newest job of the longest queue is rejected. Default: no limit. */
  maxWaiting?: number | (() => number);
}

/**
 * Queues (one per merchant or network) take turns: the next job of a queue waits for at most one job of each
 * other queue, however long these are. Within a queue, the oldest job goes first.
 */
export class FairQueue {
  readonly #maxRunning: number;
  readonly #perQueue: (queue: string) => number;
  readonly #maxWaiting: () => number;
  readonly #queues = new RoundRobinQueues<Waiting>();
  readonly #running = new Tally<string>();
  #totalRunning = 0;

  constructor({ maxRunning, perQueue = maxRunning, maxWaiting = Number.POSITIVE_INFINITY }: FairQueueLimits) {
    this.#maxRunning = maxRunning;
    this.#perQueue = typeof perQueue === 'function' ? perQueue : () => perQueue;
    this.#maxWaiting = typeof maxWaiting === 'function' ? maxWaiting : () => maxWaiting;
  }

  get running(): number {
    return this.#totalRunning;
  }

  get waiting(): number {
    return this.#queues.size;
  }

  /** Jobs that wait or run. */
  lengthOf(queue: string): number {
    return this.#queues.lengthOf(queue) + this.#running.of(queue);
  }

  /**
   * Runs a job when it is its queue's turn. If `signal` aborts before that, the job never runs.
   * @throws {QueueFull} if too many jobs wait and this queue is the longest
   * @throws the reason of `signal`
   */
  async run<T>(queue: string, job: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#queues.lengthOf(queue) > 0 || !this.#hasRoom(queue)) await this.#wait(queue, signal);
    else this.#begin(queue);
    try {
      return await job();
    } finally {
      this.#end(queue);
    }
  }

  #hasRoom(queue: string): boolean {
    return this.#totalRunning < this.#maxRunning && this.#running.of(queue) < this.#perQueue(queue);
  }

  #begin(queue: string): void {
    this.#totalRunning += 1;
    this.#running.add(queue);
  }

  #end(queue: string): void {
    this.#totalRunning -= 1;
    this.#running.subtract(queue);
    this.#startNext();
  }

  async #wait(queue: string, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { start: resolve, reject };
    const leave = (): void => {
      this.#queues.remove(queue, waiting);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave);
    this.#queues.push(queue, waiting);
    if (this.#queues.size > this.#maxWaiting()) {
      this.#queues.takeNewestOfLongest(queue)?.reject(QUEUE_FULL);
    }
    await promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  #startNext(): void {
    while (this.#totalRunning < this.#maxRunning) {
      const next = this.#queues.take((queue) => this.#hasRoom(queue));
      if (next === undefined) return;
      this.#begin(next.queue);
      next.item.start();
    }
  }
}
