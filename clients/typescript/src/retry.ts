import { ApiError, ConnectionError } from './errors.ts';

const FIRST_BACK_OFF_MS = 250;
const LONGEST_BACK_OFF_MS = 8_000;
/** Answers that may be others a little later, the last ones of proxies too. 409 says so by `Retry-After`. */
const PASSING_STATUSES = new Set([408, 429, 502, 503, 504]);

/**
 * How long to wait before a call is tried again that failed so: what `Retry-After` says, and on top a random
 * part of a time that doubles with each try, so that clients that failed together do not come back together.
 * Null where another try cannot help.
 */
export function waitAfter(error: unknown, tries: number): number | null {
  const backOff = Math.random() * Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** (tries - 1));
  if (error instanceof ConnectionError) return backOff;
  if (!(error instanceof ApiError)) return null;
  const { status, retryAfterMs } = error;
  const passes = PASSING_STATUSES.has(status) || (status === 409 && retryAfterMs !== null);
  return passes ? (retryAfterMs ?? 0) + backOff : null;
}

/** `Retry-After` (RFC 9110, 10.2.3), seconds or a date, in milliseconds from now; null where it is neither. */
export function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return 1000 * Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Waits. @throws the signal's reason as soon as it is aborted */
export async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
