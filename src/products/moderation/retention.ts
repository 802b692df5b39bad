import type { Database } from '../../database/database.ts';
import { deleteDecision, listReplacedDecisions } from './queries.ts';

/** Replaced decisions are for reviewers, who look at the newest ones. */
export const DECISIONS_MS = 365 * 24 * 60 * 60 * 1000;
const DECISIONS_AT_ONCE = 1_000;

/** Deletes decisions of more than a year ago, except the newest one about each product. */
export async function deleteOldDecisions(database: Database, now: number): Promise<void> {
  for (;;) {
    const part = { before: now - DECISIONS_MS, limit: DECISIONS_AT_ONCE };
    const old = await database.all(listReplacedDecisions, part);
    for (const [merchantId, some] of Map.groupBy(old, ({ merchant_id }) => merchant_id))
      await database.transaction((connection) => connection.runEach(deleteDecision, some), { merchantId });
    if (old.length < DECISIONS_AT_ONCE) return;
  }
}
