import { SERVICE } from '../../audit/record-audit.ts';
import type { Database } from '../../database/database.ts';
import { runVerb } from '../../database/write-context.ts';
import { listExpired, listMerchantsWithExpired } from './queries.ts';
import { releaseExpired } from './report-outcomes.ts';

const MERCHANTS_AT_ONCE = 100;
const PLACEMENTS_AT_ONCE = 100;
/** The rest follows in the next turn: other tasks wait meanwhile. */
const MAX_MS = 1_000;

interface Services {
  database: Database;
  now: () => number;
  lowBudget: number;
}

/**
 * Releases placements whose outcomes were not reported before they expired, for about a second at most.
 * @throws what failed first, after the placements of other merchants
 */
export async function releaseExpiredPlacements(services: Services): Promise<void> {
  const { database, now } = services;
  const startedAt = performance.now();
  const isOver = (): boolean => performance.now() - startedAt > MAX_MS;
  const merchants = await database.all(listMerchantsWithExpired, { now: now(), limit: MERCHANTS_AT_ONCE });
  const failures: unknown[] = [];
  for (const { merchant_id: merchantId } of merchants) {
    if (isOver()) break;
    try {
      await releaseOf(services, merchantId, isOver);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function releaseOf(services: Services, merchantId: number, isOver: () => boolean): Promise<void> {
  const { database, now, lowBudget } = services;
  const caller = { merchantId, who: SERVICE, lowBudget };
  for (let isMore = true; isMore && !isOver(); ) {
    const rows = await database.all(listExpired, { merchantId, now: now(), limit: PLACEMENTS_AT_ONCE });
    const placementIds = rows.map(({ placement_id }) => placement_id);
    if (rows.length > 0) await runVerb(services, caller, releaseExpired, { placementIds });
    isMore = rows.length === PLACEMENTS_AT_ONCE;
  }
}
