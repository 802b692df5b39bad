import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** How long `until` waits, and how often it checks. */
export interface Waiting {
  /** Generous by default: other tests run at the same time. */
  timeoutMs?: number;
  intervalMs?: number;
  /** What the failure says; a function is called when it fails. */
  message?: string | (() => string);
}

type Unmet = false | null | undefined;

/**
 * Checks a condition until it holds; resolves to its value.
 * @throws {assert.AssertionError} if it does not hold in time; whatever `condition` throws, at once
 */
export async function until<T>(
  condition: () => Promise<T | Unmet> | T | Unmet,
  { timeoutMs = 30_000, intervalMs = 20, message = 'the condition does not hold' }: Waiting = {},
): Promise<Awaited<T>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    // Read before the check: a slow check that began in time counts.
    const isLast = performance.now() >= deadline;
    const value = await condition();
    if (value) return value;
    if (isLast) assert.fail(`after ${timeoutMs} ms: ${typeof message === 'string' ? message : message()}`);
    await pause(intervalMs);
  }
}
