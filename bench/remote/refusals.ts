import type { IncomingHttpHeaders } from 'node:http';

const REFUSALS = [429, 503];
const DEFAULT_WAIT = 1;
const MAX_REASON = 100;

/** Returns 0 except after 429 and 503. */
export function secondsToWait(status: number, headers: IncomingHttpHeaders): number {
  if (!REFUSALS.includes(status)) return 0;
  const seconds = Number(headers['retry-after'] ?? DEFAULT_WAIT);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : DEFAULT_WAIT;
}

export function describeRefusal(status: number, headers: IncomingHttpHeaders, body: Buffer): string {
  const [, limit] = /^"([\w-]{1,40})"/.exec(String(headers['ratelimit-policy'])) ?? [];
  if (status === 429 && limit !== undefined) return `429, limit "${limit}"`;
  const message = messageIn(body);
  return message === undefined ? String(status) : `${status}, ${message}`;
}

/** Leaves out numbers, which differ from one response to the next. */
function messageIn(body: Buffer): string | undefined {
  try {
    const { message }: { message?: unknown } = JSON.parse(body.toString());
    if (typeof message !== 'string') return undefined;
    // The text comes from another machine: without characters that control a terminal or a table.
    return message
      .replaceAll(/\d+/g, 'N')
      .replaceAll(/[^\w .,:;'()-]/g, '')
      .slice(0, MAX_REASON);
  } catch {
    return undefined;
  }
}
