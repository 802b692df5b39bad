import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 4;

/** Long synchronous work calls `pause` often, to let other work of the event loop run. */
export class TimeSlices {
  #startedAt = performance.now();

  /** A loop that asks first does not wait for a promise in each round. */
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
