import { apiPath } from './application.ts';
import { queryClient } from './query-client.ts';
import { Store } from './store.ts';

/** False from the first request that cannot reach the server until one that can. */
export const reachable = new Store(true);

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;
const BACKOFF_FACTOR = 1.6;
const CHECK_TIMEOUT_MS = 5_000;

/** Records that a request reached the server. */
export function markReachable(): void {
  if (reachable.get()) return;
  reachable.set(true);
  void queryClient.invalidateQueries();
}

/** Records that a request did not reach the server, and checks until one does. */
export function markUnreachable(): void {
  if (!reachable.get()) return;
  reachable.set(false);
  scheduleCheck(FIRST_WAIT_MS);
}

/** Checks immediately whether the server is back. */
export async function checkNow(): Promise<void> {
  if (await isServerReachable()) markReachable();
}

/** Whether the server responds to a request sent now within 5 seconds. */
export async function isServerReachable(): Promise<boolean> {
  try {
    const { status } = await fetch(`${apiPath}options`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(CHECK_TIMEOUT_MS),
    });
    return !isUnavailable(status);
  } catch {
    return false;
  }
}

/** Whether a status means that the service is unavailable or overloaded. */
export function isUnavailable(status: number): boolean {
  return status === 502 || status === 503 || status === 504;
}

function scheduleCheck(wait: number): void {
  setTimeout(async () => {
    await checkNow();
    if (!reachable.get()) scheduleCheck(Math.min(wait * BACKOFF_FACTOR, MAX_WAIT_MS));
  }, wait);
}

addEventListener('online', () => void checkNow());
