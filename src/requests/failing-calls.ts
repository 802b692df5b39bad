import type { Reader } from '../database/database.ts';
import { sumCallsOf, sumFailingCalls } from './queries.ts';

const HOUR_MS = 60 * 60 * 1000;
const MIN_FAILED = 5;
/** Part of the calls. */
const MIN_SHARE = 0.2;

export interface RecentCalls {
  requests: number;
  failed: number;
  /** Whether enough calls failed that the merchant's software does not work. */
  isFailing: boolean;
}

interface Services {
  database: Pick<Reader, 'all'>;
  now: () => number;
}

/** Returns when recent calls begin: with the hour before this one. */
export function recentSince(now: number): number {
  return now - (now % HOUR_MS) - HOUR_MS;
}

/** Counts the recent calls with live keys of up to 50 merchants. A merchant without calls has no entry. */
export async function recentCalls(
  { database, now }: Services,
  merchants: readonly number[],
): Promise<Map<number, RecentCalls>> {
  const rows = await database.all(sumCallsOf, { merchants, since: recentSince(now()) });
  return new Map(
    rows.map(({ merchant_id, requests, failed }) => [
      merchant_id,
      { requests, failed, isFailing: isFailing({ requests, failed }) },
    ]),
  );
}

/** Returns the IDs of all merchants whose recent calls are failing, in ascending order. */
export async function merchantsWithFailingCalls({ database, now }: Services): Promise<number[]> {
  const rows = await database.all(sumFailingCalls, { since: recentSince(now()), atLeast: MIN_FAILED });
  return rows.filter(isFailing).map(({ merchant_id }) => merchant_id);
}

function isFailing({ requests, failed }: { requests: number; failed: number }): boolean {
  return failed >= MIN_FAILED && failed >= requests * MIN_SHARE;
}
