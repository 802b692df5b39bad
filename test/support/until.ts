import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** Options of `until`: how long it waits, and how often it checks. */
export interface Waiting {
  /** Generous by default: other tests run at the same time. */
  timeoutMs?: number;
  intervalMs?: number;
  /** The failure's message; a function is called when the wait fails. */
  message?: string | (() => string);
}

type Unmet = false | null | undefined;

/**
 * Checks a condition until it holds; resolves to its value.
 * @throws {assert.AssertionError} if it does not hold in time; any error of `condition`, immediately
 */
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
