import { jittered } from '../../shared/jitter.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** An image that works is hardly ever removed. */
const WORKING_MS = 30 * DAY_MS;
/** Many failures are brief, or corrected soon after the merchant learns of them. The last one repeats. */
const FAILING_MS = [HOUR_MS, DAY_MS, 3 * DAY_MS, 7 * DAY_MS];

/** When an image is checked again after some failures in a row; 0 for an image that works. */
export function recheckAt(now: number, failures: number, random: number): number {
  const delay = failures === 0 ? WORKING_MS : (FAILING_MS[failures - 1] ?? FAILING_MS.at(-1) ?? 0);
  return Math.round(now + jittered(delay, random));
}

/** When an image is checked again whose check said nothing. */
export function retryAt(now: number, random: number): number {
  return Math.round(now + jittered(HOUR_MS, random));
}
