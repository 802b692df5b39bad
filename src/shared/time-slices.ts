import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long synchronous work may block the event loop. */
const SLICE_MS = 10;

/** Lets other work of the event loop run during long synchronous work, which calls `pause` often. */
export class TimeSlices {
  #startedAt = performance.now();

  /** Whether this slice is over. A loop that asks first does not wait for a promise in each round. */
  get isOver(): boolean {
    return performance.now() - this.#startedAt >= SLICE_MS;
  }

  /** Waits for the next turn of the event loop if this slice is over. */
  async pause(): Promise<void> {
    if (!this.isOver) return;
    await nextTurn();
    this.#startedAt = performance.now();
  }
}
