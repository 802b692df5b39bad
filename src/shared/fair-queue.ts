import { RoundRobinQueues } from './round-robin-queues.ts';
import { Tally } from './tally.ts';

/** More work waits than the queue takes; its caller should try again later. */
export class QueueFull extends Error {
  override name = 'QueueFull';
}

interface Waiting {
  start: () => void;
  refuse: (error: QueueFull) => void;
}

/** Bounds of a queue, in pieces of work. */
export interface FairQueueLimits {
  /** How many run at the same time. */
  atOnce: number;
  /** How many of one line run at the same time. Default: `atOnce`. */
  perLine?: number;
  /** How many may wait. Past it, the newest of the longest line is refused. Default: no bound. */
  mostWaiting?: number;
}

/**
 * Runs work a few pieces at a time, taking turns between lines (merchants, networks): however long one line is,
 * another's next piece waits for at most one piece of each other line. Within a line, first come, first served.
 */
export class FairQueue {
  readonly #atOnce: number;
  readonly #perLine: number;
  readonly #mostWaiting: number;
  readonly #lines = new RoundRobinQueues<Waiting>();
  readonly #running = new Tally<string>();
  #runningInAll = 0;

  constructor({ atOnce, perLine = atOnce, mostWaiting = Number.POSITIVE_INFINITY }: FairQueueLimits) {
    this.#atOnce = atOnce;
    this.#perLine = perLine;
    this.#mostWaiting = mostWaiting;
  }

  get running(): number {
    return this.#runningInAll;
  }

  get waiting(): number {
    return this.#lines.size;
  }

  /** How many pieces of a line wait or run. */
  lengthOf(line: string): number {
    return this.#lines.lengthOf(line) + this.#running.of(line);
  }

  /**
   * Runs work when its line has a turn.
   * @throws {QueueFull} instead, if too much waits and this line is the longest
   */
  async run<T>(line: string, work: () => Promise<T>): Promise<T> {
    if (this.#lines.lengthOf(line) > 0 || !this.#hasRoom(line)) await this.#wait(line);
    else this.#begin(line);
    try {
      return await work();
    } finally {
      this.#end(line);
    }
  }

  #hasRoom(line: string): boolean {
    return this.#runningInAll < this.#atOnce && this.#running.of(line) < this.#perLine;
  }

  #begin(line: string): void {
    this.#runningInAll += 1;
    this.#running.add(line);
  }

  #end(line: string): void {
    this.#runningInAll -= 1;
    this.#running.take(line);
    this.#startNext();
  }

  async #wait(line: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#lines.push(line, { start: resolve, refuse: reject });
    if (this.#lines.size > this.#mostWaiting) {
      this.#lines.takeNewestOfLongest(line)?.refuse(new QueueFull('too much work waits'));
    }
    await promise;
  }

  #startNext(): void {
    while (this.#runningInAll < this.#atOnce) {
      const next = this.#lines.take((line) => this.#hasRoom(line));
      if (next === undefined) return;
      this.#begin(next.line);
      next.item.start();
    }
  }
}
