import type { IncomingHttpHeaders } from 'node:http';

const REFUSALS = [429, 503];
const DEFAULT_WAIT = 1;
const MAX_REASON = 100;

/** Returns how many seconds a client has to wait after a response: only after 429 and 503. */
export function secondsToWait(status: number, headers: IncomingHttpHeaders): number {
  if (!REFUSALS.includes(status)) return 0;
  const seconds = Number(headers['retry-after'] ?? DEFAULT_WAIT);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : DEFAULT_WAIT;
}

/** Describes a response other than 200: its status, and the limit that was reached or the message. */
export function describeRefusal(status: number, headers: IncomingHttpHeaders, body: Buffer): string {
  const [, limit] = /^"([\w-]{1,40})"/.exec(String(headers['ratelimit-policy'])) ?? [];
  if (status === 429 && limit !== undefined) return `429, limit "${limit}"`;
  const message = messageIn(body);
  return message === undefined ? String(status) : `${status}, ${message}`;
}

/** Returns the message of an error response without numbers, which differ from one response to the next. */
function messageIn(body: Buffer): string | undefined {
  try {
    const { message }: { message?: unknown } = JSON.parse(body.toString());
    if (typeof message !== 'string') return undefined;
    // The text comes from another machine, so characters that control a terminal or a table are left out.
    return message
      .replaceAll(/\d+/g, 'N')
      .replaceAll(/[^\w .,:;'()-]/g, '')
      .slice(0, MAX_REASON);
  } catch {
    return undefined;
  }
}
