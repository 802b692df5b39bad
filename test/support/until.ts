import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

export interface Waiting {
  /** Generous by default: other tests run at the same time. */
  timeoutMs?: number;
  intervalMs?: number;
  /** A function is called when the wait fails. */
  message?: string | (() => string);
}

type Unmet = false | null | undefined;

/** @throws {assert.AssertionError} if it does not hold in time; any error of `condition`, immediately */
export async function until<T>(
  condition: () => Promise<T | Unmet> | T | Unmet,
  { timeoutMs = 30_000, intervalMs = 20, message = 'the condition does not hold' }: Waiting = {},
): Promise<Awaited<T>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    // Determined before the check, so that a slow check that started in time counts.
    const isLast = performance.now() >= deadline;
    const value = await condition();
    if (value) return value;
    if (isLast) assert.fail(`after ${timeoutMs} ms: ${typeof message === 'string' ? message : message()}`);
    await pause(intervalMs);
  }
}
