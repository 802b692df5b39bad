import type { Database } from '../database/database.ts';
import {
  deleteOldFailures,
  deleteOldUsage,
  listMerchantsWithOldFailures,
  listMerchantsWithOldUsage,
} from './queries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How many failed calls of a merchant are kept. */
export const MAX_FAILURES = 1_000;
/** How long failed calls are kept. */
export const FAILURES_MS = 7 * DAY_MS;
/** How long the counts of calls are kept. */
export const USAGE_MS = 30 * DAY_MS;

const MERCHANTS_AT_ONCE = 100;

/** Deletes the failed calls and the counts that are older than they are kept, one merchant after the other. */
export async function deleteOldRequests(database: Database, now: number): Promise<void> {
  for (const { list, remove, before } of [
    { list: listMerchantsWithOldFailures, remove: deleteOldFailures, before: now - FAILURES_MS },
    { list: listMerchantsWithOldUsage, remove: deleteOldUsage, before: now - USAGE_MS },
  ]) {
    for (;;) {
      const merchants = await database.all(list, { before, limit: MERCHANTS_AT_ONCE });
      for (const { merchant_id: merchantId } of merchants) {
        await database.transaction((connection) => connection.run(remove, { merchantId, before }), {
          merchantId,
        });
      }
      if (merchants.length < MERCHANTS_AT_ONCE) break;
    }
  }
}
