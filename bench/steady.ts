import { ask } from './client.ts';

/**
 * Asks for one address after the other at a steady pace until told to stop, over kept connections. Each
 * request is timed from the moment it was due, in ms, so that one that has to wait for others counts too.
 */
export async function askSteadily(
  nextUrl: () => string,
  perSecond: number,
  until: () => boolean,
): Promise<number[]> {
  const interval = 1000 / perSecond;
  const begun = performance.now();
  const times: number[] = [];
  const waiting = new Set<Promise<void>>();
  for (let number = 0; !until(); number += 1) {
    const due = begun + number * interval;
    const early = due - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    const url = nextUrl();
    const asked = ask(url).then(({ status }) => {
      if (status !== 200) throw new Error(`status ${status} for ${url}`);
      times.push(performance.now() - due);
    });
    waiting.add(asked);
    void asked.finally(() => waiting.delete(asked));
  }
  await Promise.all(waiting);
  return times;
}

/** The time that so large a share of all did not pass. */
export function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
