import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long synchronous work may block the event loop. */
const SLICE_MS = 10;

/** Lets other work of the event loop run during long synchronous work, which calls `pause` often. */
export class TimeSlices {
  #startedAt = performance.now();

  /** Waits for the next turn of the event loop if this slice is over. */
  async pause(): Promise<void> {
    if (performance.now() - this.#startedAt < SLICE_MS) return;
    await nextTurn();
    this.#startedAt = performance.now();
  }
}
