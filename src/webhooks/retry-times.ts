import { jittered } from '../shared/jitter.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delays between the ten attempts of a delivery: 75 hours and a half in total. */
const DELAYS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
const MAX_RETRY_AFTER = 24 * HOUR;

/**
 * Returns the milliseconds until the next attempt after `failures`; undefined after the last one. A
 * receiver's `Retry-After`, in milliseconds, can lengthen it. `random` is from 0 up to 1.
 */
export function retryDelay(
  failures: number,
  retryAfter: number | undefined,
  random: number,
): number | undefined {
  const delay = DELAYS[failures - 1];
  if (delay === undefined) return undefined;
  return Math.round(Math.max(jittered(delay, random), Math.min(retryAfter ?? 0, MAX_RETRY_AFTER)));
}
