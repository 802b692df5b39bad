import type { RequestTotals } from '../observability/metrics.ts';

/** Returns what was counted between two readings of the totals. */
export function totalsSince(before: RequestTotals, now: RequestTotals): RequestTotals {
  return {
    requests: now.requests - before.requests,
    errors: now.errors - before.errors,
    durations: new Map(
      [...now.durations].map(([bound, count]) => [bound, count - (before.durations.get(bound) ?? 0)]),
    ),
  };
}

/**
 * Estimates a quantile in seconds, as if the durations within a bucket were spread evenly; null without
 * requests. Durations above the last bound count as the last bound.
 */
export function quantileOf(
  durations: RequestTotals['durations'],
  requests: number,
  quantile: number,
): number | null {
  if (requests === 0) return null;
  const rank = quantile * requests;
  let [lowerBound, lowerCount] = [0, 0];
  for (const [bound, count] of [...durations].sort(([one], [other]) => one - other)) {
    if (count >= rank) {
      const share = count === lowerCount ? 1 : (rank - lowerCount) / (count - lowerCount);
      return lowerBound + share * (bound - lowerBound);
    }
    [lowerBound, lowerCount] = [bound, count];
  }
  return lowerBound;
}
