import type { AcmeError } from './errors.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The part of the lifetime after which a certificate is renewed, and over which installations are spread. */
const USED = 2 / 3;
const SPREAD = 1 / 30;
/** With refusals: Let's Encrypt allows five failed checks of a host in an hour. */
const DELAYS = {
  refused: { firstMs: 15 * MINUTE_MS, mostMs: 12 * HOUR_MS },
  unreachable: { firstMs: MINUTE_MS, mostMs: HOUR_MS },
} as const;

/** When to renew a certificate, in milliseconds since 1970. `random` is from 0 to 1. */
export function renewalTime(
  { validFrom, validTo }: { validFrom: number; validTo: number },
  random: number,
): number {
  return Math.round(validFrom + (validTo - validFrom) * (USED + SPREAD * random));
}

/** How long to wait after `failures` tries in a row, in milliseconds. `random` is from 0 to 1. */
export function retryDelay(
  { fault, retryAfterMs }: Pick<AcmeError, 'fault' | 'retryAfterMs'>,
  failures: number,
  random: number,
): number {
  const { firstMs, mostMs } = DELAYS[fault];
  const delay = Math.min(firstMs * 2 ** (failures - 1), mostMs) * (1 + random / 4);
  return Math.round(Math.max(delay, retryAfterMs ?? 0));
}
