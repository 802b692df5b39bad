import { SERVICE } from '../../audit/record-audit.ts';
import type { Database } from '../../database/database.ts';
import { runVerb } from '../../database/write-context.ts';
import { findMerchantById } from '../../merchants/queries.ts';
import { dayIn } from '../../merchants/time-zone.ts';
import { listExpired, listMerchantsWithExpired } from './queries.ts';
import { releaseExpired } from './report-outcomes.ts';

const MERCHANTS_AT_ONCE = 100;
const PLACEMENTS_AT_ONCE = 100;

/** Releases every placement whose outcome was not reported before it expired. */
export async function releaseExpiredPlacements(services: {
  database: Database;
  now: () => number;
  lowBudget: number;
}): Promise<void> {
  const { database, now, lowBudget } = services;
  for (;;) {
    const merchants = await database.all(listMerchantsWithExpired, { now: now(), limit: MERCHANTS_AT_ONCE });
    for (const { merchant_id: merchantId } of merchants) {
      const merchant = await database.first(findMerchantById, { merchantId });
      const caller = { merchantId, who: SERVICE, lowBudget };
      const dayOf = dayIn(merchant?.time_zone ?? 'UTC');
      for (let isMore = true; isMore; ) {
        const rows = await database.all(listExpired, { merchantId, now: now(), limit: PLACEMENTS_AT_ONCE });
        const placementIds = rows.map(({ placement_id }) => placement_id);
        const input = { placementIds, today: dayOf(now()) };
        if (rows.length > 0) await runVerb(services, caller, releaseExpired, input);
        isMore = rows.length === PLACEMENTS_AT_ONCE;
      }
    }
    if (merchants.length < MERCHANTS_AT_ONCE) return;
  }
}
