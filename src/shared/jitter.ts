/** The part of a delay that is random. */
const JITTER = 0.1;

/**
 * Returns a delay with some randomness, so that what failed together is not tried again together. `random` is from 0 up
 * to 1.
 */
export function jittered(delay: number, random: number): number {
  return delay * (1 + JITTER * (2 * random - 1));
}
