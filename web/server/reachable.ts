import { queryClient } from './query-client.ts';
import { Store } from './store.ts';

/** False from a request that found the server away until one that finds it there. */
export const reachable = new Store(true);

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;

/** To be told of every request's luck. */
export function serverAnswered(): void {
  if (reachable.get()) return;
  reachable.set(true);
  void queryClient.invalidateQueries();
}

export function serverIsAway(): void {
  if (!reachable.get()) return;
  reachable.set(false);
  lookAgain(FIRST_WAIT_MS);
}

/** Asks now, without waiting for the next turn. */
export async function lookNow(): Promise<void> {
  if (await serverAnswers()) serverAnswered();
}

export async function serverAnswers(): Promise<boolean> {
  try {
    const { status } = await fetch('/console/api/options', { cache: 'no-store' });
    return !isAway(status);
  } catch {
    return false;
  }
}

/** What proxies, and the service itself while its database is away, answer with. */
export function isAway(status: number): boolean {
  return status === 502 || status === 503 || status === 504;
}

function lookAgain(wait: number): void {
  setTimeout(async () => {
    await lookNow();
    if (!reachable.get()) lookAgain(Math.min(wait * 1.6, LONGEST_WAIT_MS));
  }, wait);
}

addEventListener('online', () => void lookNow());
