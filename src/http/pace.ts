/** What the latest look counts for, beside all those before it. */
const LATEST = 0.2;
/** One look alone may have fallen between two turns of the event loop. */
const LOOKS_TO_KNOW = 2;

/** How fast those who wait have their turn of late. */
export class Pace {
  #turns = 0;
  #since = performance.now();
  #looks = 0;
  #perMs = Number.POSITIVE_INFINITY;

  /** Notes that one had its turn. */
  note(): void {
    this.#turns += 1;
  }

  /** How many have their turn in so many milliseconds: without end, while that is not known yet. */
  within(ms: number): number {
    return this.#perMs * ms;
  }

  /** Looks at how many had their turn since the last look, somebody having waited all the while. */
  look(): void {
    this.#looks += 1;
    if (this.#looks < LOOKS_TO_KNOW) return;
    const latest = this.#turns / (performance.now() - this.#since);
    this.#perMs = Number.isFinite(this.#perMs) ? this.#perMs + LATEST * (latest - this.#perMs) : latest;
    this.lookAway();
  }

  /** Leaves the time since the last look out: where nobody waits, turns tell nothing of how many there could be. */
  lookAway(): void {
    this.#turns = 0;
    this.#since = performance.now();
  }
}
