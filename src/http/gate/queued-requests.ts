import { RoundRobinQueues } from '../../shared/round-robin-queues.ts';
import { StartRate } from '../../shared/start-rate.ts';
import { OVERLOADED } from '../responses/request-errors.ts';

/** As many requests are queued as are likely to start within this time, but at least MIN_QUEUE. */
const TARGET_QUEUE_WAIT_MS = 400;
const MIN_QUEUE = 32;
const SAMPLE_INTERVAL_MS = 50;
/** A request that was queued for this many samples, 800 ms, is refused. A pause of the machine is one. */
const MAX_SAMPLES_QUEUED = 16;
/** The start rate is reset after this many samples without a queued request. */
const IDLE_SAMPLES_TO_RESET = 20;

export const NETWORK = 'network';

export function isOfNetwork(queue: string): boolean {
  return queue.startsWith(`${NETWORK} `);
}

/** Returns the first word of a queue's name: a merchant's or a network's. */
function kindOf(queue: string): string {
  return queue.split(' ', 1)[0] ?? queue;
}

interface Waiting {
  start: () => void;
  refuse: (error: unknown) => void;
  isGone: () => boolean;
}

interface QueueOptions {
  onShed: () => void;
  /** Called after requests that waited for too long have been refused. */
  onOverdue: () => void;
  /** In milliseconds, like `performance.now`. */
  clock: () => number;
}

/**
 * The queues of requests. Merchants as a whole and networks as a whole take turns, then the queues of each,
 * so a client with many networks does not slow down merchants. They hold as many requests as are likely to
 * start soon. When more wait, the newest request of the longest queue of merchants or of networks is refused,
 * whichever have more.
 */
export class QueuedRequests {
  readonly #options: QueueOptions;
  /** The queues of each kind with requests. The first kind in the map has the next turn. */
  readonly #kinds = new Map<string, RoundRobinQueues<Waiting & { queuedAt: number }>>();
  #size = 0;
  #startRate: StartRate;
  #samples = 0;
  #sampleTimer: NodeJS.Timeout | undefined;
  #idleSamples = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#startRate = new StartRate(options.clock);
  }

  get size(): number {
    return this.#size;
  }

  /** Whether a request would be refused now. `queueOf` is called only if many are queued. */
  isFull(queueOf: () => string): boolean {
    const maxQueued = this.#maxQueued();
    if (this.size < maxQueued) return false;
    const queue = queueOf();
    const ofKind = this.#kinds.get(kindOf(queue));
    // A request of a kind or a queue below its share replaces the newest request of a longest queue.
    const longest = Math.max(...this.#kinds.values().map(({ size }) => size));
    if ((ofKind?.size ?? 0) + 1 < longest) return false;
    const kinds = this.#kinds.size + (ofKind === undefined ? 1 : 0);
    const own = ofKind?.lengthOf(queue) ?? 0;
    const queues = (ofKind?.count ?? 0) + (own === 0 ? 1 : 0);
    const share = Math.floor(maxQueued / kinds / queues);
    // With many queues, a share is less than one request.
    if (share === 0 && own === 0) return (ofKind?.longest ?? 0) < 2;
    return own + 1 > share;
  }

  push(queue: string, waiting: Waiting): void {
    if (this.size === 0) this.#startRate.restart();
    const kind = kindOf(queue);
    const ofKind = this.#kinds.get(kind) ?? new RoundRobinQueues();
    this.#kinds.set(kind, ofKind);
    ofKind.push(queue, { ...waiting, queuedAt: this.#samples });
    this.#size += 1;
    if (this.size > this.#maxQueued()) this.#refuse(this.#takeNewest(queue));
    this.#sampleTimer ??= setInterval(() => this.#sample(), SAMPLE_INTERVAL_MS).unref();
  }

  /** Removes the next request whose queue may start one: of its kind, the one with the smallest `usedBy`. */
  take(
    canStart: (queue: string) => boolean,
    usedBy: (queue: string) => number,
  ): { queue: string; item: Waiting } | undefined {
    for (const [kind, queues] of this.#kinds) {
      const next = queues.take(canStart, usedBy);
      if (next === undefined) continue;
      this.#size -= 1;
      // The kind goes behind the other one, or is removed if it has no more requests.
      this.#kinds.delete(kind);
      if (queues.size > 0) this.#kinds.set(kind, queues);
      return next;
    }
    return undefined;
  }

  recordStart(): void {
    this.#startRate.recordStart();
  }

  #maxQueued(): number {
    return Math.max(MIN_QUEUE, this.#startRate.expectedWithin(TARGET_QUEUE_WAIT_MS));
  }

  /** Takes the newest request of the longest queue of the largest kind; ties go to `preferred`. */
  #takeNewest(preferred: string): Waiting | undefined {
    let kind = kindOf(preferred);
    let most = this.#kinds.get(kind)?.size ?? 0;
    for (const [name, { size }] of this.#kinds) {
      if (size > most) [kind, most] = [name, size];
    }
    const queues = this.#kinds.get(kind);
    const newest = queues?.takeNewestOfLongest(preferred);
    if (newest !== undefined) this.#size -= 1;
    if (queues?.size === 0) this.#kinds.delete(kind);
    return newest;
  }

  #refuse(waiting: Waiting | undefined): void {
    if (waiting === undefined) return;
    this.#options.onShed();
    waiting.refuse(OVERLOADED);
  }

  #sample(): void {
    this.#samples += 1;
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
    const oldest = this.#samples - MAX_SAMPLES_QUEUED;
    for (const [kind, queues] of this.#kinds) {
      const overdue = queues.takeDue(({ queuedAt }) => queuedAt < oldest);
      this.#size -= overdue.length;
      if (queues.size === 0) this.#kinds.delete(kind);
      for (const waiting of overdue) this.#refuse(waiting);
    }
    this.#options.onOverdue();
  }
}
