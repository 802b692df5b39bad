import { jittered } from '../shared/jitter.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delays between the eight attempts to send a mail: 25 hours in total. */
const DELAYS = [10 * SECOND, MINUTE, 9 * MINUTE, 50 * MINUTE, 3 * HOUR, 8 * HOUR, 13 * HOUR];

/** In milliseconds, after `failures` attempts; undefined after the last one. `random` is from 0 up to 1. */
export function mailRetryDelay(failures: number, random: number): number | undefined {
  const delay = DELAYS[failures - 1];
  return delay === undefined ? undefined : Math.round(jittered(delay, random));
}
