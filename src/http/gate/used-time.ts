/** A queue that has used less time than the others goes first until it has used this much more. */
const MAX_BEHIND_MS = 20;
/** A queue that has used more time than the others lets them use at most this much before its next turn. */
const MAX_AHEAD_MS = 100;
/** Added for each turn, because a request also uses the database and other limited resources. */
const TURN_MS = 1;
/** Above this number, the queues that have used the least are forgotten. */
const MAX_TRACKED_QUEUES = 1_000;

/**
 * How much of the event loop's time each queue has used. The one that has used the least goes first, so a
 * queue with short requests waits for at most one long request, however many queues have long ones.
 */
export class UsedTime {
  /** The time used by the queue that had the last turn. */
  #current = 0;
  readonly #used = new Map<string, number>();
  #maxTracked = MAX_TRACKED_QUEUES;

  /** Returns by how many milliseconds a queue is ahead of the least that a queue can have used. */
  of(queue: string): number {
    const least = this.#current - MAX_BEHIND_MS;
    return Math.max(0, (this.#used.get(queue) ?? least) - least);
  }

  recordTurn(queue: string): void {
    this.#current = Math.max(this.#current, this.#used.get(queue) ?? 0);
    this.record(queue, TURN_MS);
  }

  /** Call it when nothing waits: what a queue uses alone costs the others nothing. */
  clear(): void {
    this.#used.clear();
  }

  record(queue: string, ms: number): void {
    const used = this.#current - MAX_BEHIND_MS + this.of(queue) + ms;
    this.#used.set(queue, Math.min(used, this.#current + MAX_AHEAD_MS));
    if (this.#used.size > this.#maxTracked) this.#prune();
  }

  #prune(): void {
    for (const queue of this.#used.keys()) if (this.of(queue) === 0) this.#used.delete(queue);
    this.#maxTracked = Math.max(MAX_TRACKED_QUEUES, 2 * this.#used.size);
  }
}
