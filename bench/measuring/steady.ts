import { get } from './client.ts';

/**
 * Requests at a constant rate until `until` returns true. Measures, in ms, from the scheduled times, so that
 * waiting for other requests counts.
 */
export async function requestSteadily(
  nextUrl: () => string,
  perSecond: number,
  until: () => boolean,
): Promise<number[]> {
  const interval = 1000 / perSecond;
  const start = performance.now();
  const times: number[] = [];
  const waiting = new Set<Promise<void>>();
  for (let number = 0; !until(); number += 1) {
    const due = start + number * interval;
    const early = due - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    const url = nextUrl();
    const sent = get(url).then(({ status }) => {
      if (status !== 200) throw new Error(`status ${status} for ${url}`);
      times.push(performance.now() - due);
    });
    waiting.add(sent);
    void sent.finally(() => waiting.delete(sent));
  }
  await Promise.all(waiting);
  return times;
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
