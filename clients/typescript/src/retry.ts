import { ApiError, ConnectionError } from './errors.ts';

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 8_000;
/** Temporary errors of the service and of proxies. A 409 is temporary if it has `Retry-After`. */
const TEMPORARY_STATUSES = new Set([408, 429, 502, 503, 504]);

/**
 * In milliseconds: `Retry-After` plus a random part of a backoff that doubles with each try, so that clients
 * that failed together do not retry together. Null if a retry cannot help.
 */
export function waitAfter(error: unknown, tries: number): number | null {
  const backoff = Math.random() * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1));
  if (error instanceof ConnectionError) return backoff;
  if (!(error instanceof ApiError)) return null;
  const { status, retryAfterMs } = error;
  const isTemporary = TEMPORARY_STATUSES.has(status) || (status === 409 && retryAfterMs !== null);
  return isTemporary ? (retryAfterMs ?? 0) + backoff : null;
}

/** RFC 9110, 10.2.3: seconds or a date, as milliseconds from now; null if it is neither. */
export function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return 1000 * Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** @throws the signal's reason if it is aborted */
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
