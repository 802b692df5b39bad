const JITTER = 0.1;

/** Adds randomness, so that what failed together is not tried again together. `random` is from 0 up to 1. */
export function jittered(delay: number, random: number): number {
  return delay * (1 + JITTER * (2 * random - 1));
}
