import { isServerReachable, markUnreachable } from './reachable.ts';
import { Store } from './store.ts';

/** The number of responses that take so long that the user should know that the page is still waiting. */
export const slowResponses = new Store(0);

const SLOW_AFTER_MS = 5_000;
/** Together with the time that a check takes at most, 15 seconds. */
const CHECK_AFTER_MS = 10_000;

/**
 * Settles like `response`. Counts it as slow after 5 seconds. If the server responds to nothing else either,
 * marks the server as unreachable after 15 seconds; the response can still arrive later.
 */
export async function watchResponse<Value>(response: Promise<Value>): Promise<Value> {
  let slow = 0;
  let hasSettled = false;
  const notice = setTimeout(() => {
    slow = 1;
    slowResponses.set(slowResponses.get() + slow);
  }, SLOW_AFTER_MS);
  const check = setTimeout(async () => {
    if (!(await isServerReachable()) && !hasSettled) markUnreachable();
  }, CHECK_AFTER_MS);
  try {
    return await response;
  } finally {
    hasSettled = true;
    clearTimeout(notice);
    clearTimeout(check);
    slowResponses.set(slowResponses.get() - slow);
  }
}
