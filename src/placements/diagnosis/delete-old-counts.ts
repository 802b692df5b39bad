import type { Connection, Database } from '../../database/database.ts';
import { everyMerchant } from '../../database/every-merchant.ts';
import { deleteDemand, deleteOldOutcomes, findOldOutcome } from './queries.ts';

/** A day more than is shown. */
const KEPT_MS = 2 * 24 * 60 * 60 * 1000;

/** Deletes counts of hours that `diagnose` no longer reads. */
export async function deleteOldCounts(database: Database, now: number): Promise<void> {
  const before = now - KEPT_MS;
  const work = (connection: Connection): Promise<number> => connection.run(deleteDemand, { before });
  await database.transaction(work);
  for await (const merchantId of everyMerchant(database)) {
    // Most merchants have nothing to delete, and reading costs less than a transaction.
    if ((await database.first(findOldOutcome, { merchantId, before })) === undefined) continue;
    await database.transaction((connection) => connection.run(deleteOldOutcomes, { merchantId, before }), {
      merchantId,
    });
  }
}
