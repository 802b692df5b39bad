import type { Reader } from '../database/database.ts';
import { liveSideOf } from '../database/sides.ts';
import { countFailures, type FailureCount } from './queries.ts';

/** How many failed calls are counted at most: the newest. */
export const MAX_COUNTED_FAILURES = 10_000;

/** What failed calls have in common: the cause and the endpoint. */
export type FailureCause = Pick<FailureCount, 'status' | 'error' | 'method' | 'path'>;
export type CauseFilter = { [Name in keyof FailureCause]?: NonNullable<FailureCause[Name]> | undefined };

export interface FailureGroup extends FailureCause {
  calls: number;
  /** Milliseconds since 1970. */
  lastAt: number;
  /** Calls by the merchant's ID, most calls first. Both sides of a merchant count as one. */
  affected: [merchantId: number, calls: number][];
}

export interface FailureGroups {
  /** The time from which on all calls are counted, in milliseconds since 1970. */
  since: number;
  /** Most merchants first, then most calls. */
  groups: FailureGroup[];
}

/**
 * Groups failed calls of all merchants since a time by cause and endpoint. Counts at most
 * `MAX_COUNTED_FAILURES`: if there are more, `since` of the result is later.
 */
export async function groupFailures(
  reader: Pick<Reader, 'all'>,
  { since, ...filter }: CauseFilter & { since: number },
): Promise<FailureGroups> {
  const limit = MAX_COUNTED_FAILURES;
  const counts = await reader.all(countFailures, { since, limit });
  const total = counts.reduce((sum, { calls }) => sum + calls, 0);
  const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
  const matching = counts.filter((count) =>
    wanted.every(([name, value]) => count[name as keyof FailureCause] === value),
  );
  const byCause = Map.groupBy(matching, ({ status, error, method, path }) =>
    JSON.stringify([status, error, method, path]),
  );
  const groups = [...byCause.values()].map(groupOf);
  groups.sort((one, other) => other.affected.length - one.affected.length || other.calls - one.calls);
  return {
    since: total < limit ? since : counts.reduce((first, count) => Math.min(first, count.first_at), Infinity),
    groups,
  };
}

function groupOf(counts: FailureCount[]): FailureGroup {
  const [{ status, error, method, path }] = counts as [FailureCount];
  const byMerchant = new Map<number, number>();
  let calls = 0;
  let lastAt = 0;
  for (const count of counts) {
    const merchantId = liveSideOf(count.merchant_id);
    byMerchant.set(merchantId, (byMerchant.get(merchantId) ?? 0) + count.calls);
    calls += count.calls;
    lastAt = Math.max(lastAt, count.last_at);
  }
  const affected = [...byMerchant].sort((one, other) => other[1] - one[1] || one[0] - other[0]);
  return { status, error, method, path, calls, lastAt, affected };
}
