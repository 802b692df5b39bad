import type { Database } from '../database/database.ts';
import { everySide } from '../database/every-merchant.ts';
import { deleteOldCallTotals } from './call-totals.ts';
import { deleteOldFailures, deleteOldUsage, findOldFailure, findOldUsage } from './queries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Per merchant. */
export const MAX_FAILURES = 1_000;
export const FAILURES_MS = 7 * DAY_MS;
export const USAGE_MS = 30 * DAY_MS;

/** Ids of failed calls begin with their time, and so are ordered by it. */
export function idPrefix(at: number): string {
  return Math.floor(at).toString(16).padStart(12, '0');
}

export async function deleteOldRequests(database: Database, now: number): Promise<void> {
  await deleteOldCallTotals(database, now);
  for await (const merchantId of everySide(database)) await deleteOldRequestsOf(database, merchantId, now);
}

async function deleteOldRequestsOf(database: Database, merchantId: number, now: number): Promise<void> {
  const failures = { merchantId, before: idPrefix(now - FAILURES_MS) };
  const usage = { merchantId, before: now - USAGE_MS };
  // Most merchants have nothing to delete, and reading costs less than a transaction.
  const hasOld =
    (await database.first(findOldFailure, failures)) ?? (await database.first(findOldUsage, usage));
  if (hasOld === undefined) return;
  await database.transaction(
    async (connection) => {
      await connection.run(deleteOldFailures, failures);
      await connection.run(deleteOldUsage, usage);
    },
    { merchantId },
  );
}
