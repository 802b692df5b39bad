import type { Database } from '../../database/database.ts';
import { everySide } from '../../database/every-merchant.ts';
import { revisionAt } from '../record/revision.ts';
import {
  deleteCatalogChanges,
  deleteProductChanges,
  findOldCatalogChange,
  findOldProductChange,
} from './queries.ts';

/** A transaction deletes as many changes, and the others of the last one's revision. */
const CHANGES_AT_ONCE = 1_000;

/** Deletes the history of all catalogs before a time, in short transactions, until `isStopping`. */
export async function deleteOldHistory(
  database: Database,
  before: number,
  isStopping: () => boolean,
): Promise<void> {
  for await (const merchantId of everySide(database)) {
    if (isStopping()) return;
    await deleteOldHistoryOf(database, merchantId, { before: revisionAt(before), isStopping });
  }
}

async function deleteOldHistoryOf(
  database: Database,
  merchantId: number,
  { before, isStopping }: { before: number; isStopping: () => boolean },
): Promise<void> {
  // Most merchants have nothing to delete, and reading costs less than a transaction.
  while (!isStopping()) {
    const upTo = await nextRevision(database, merchantId, before);
    if (upTo === undefined) return;
    await database.transaction(
      async (connection) => {
        await connection.run(deleteProductChanges, { merchantId, upTo });
        await connection.run(deleteCatalogChanges, { merchantId, upTo });
      },
      { merchantId },
    );
  }
}

/** Up to which revision the next transaction deletes; undefined if nothing is old. */
async function nextRevision(
  database: Database,
  merchantId: number,
  before: number,
): Promise<number | undefined> {
  const [product, catalog] = await Promise.all(
    [findOldProductChange, findOldCatalogChange].map(
      async (find) => await database.first(find, { merchantId, before, offset: CHANGES_AT_ONCE - 1 }),
    ),
  );
  if (product !== undefined || catalog !== undefined)
    return Math.min(product?.revision ?? before, catalog?.revision ?? before);
  const oldest = await database.first(findOldCatalogChange, { merchantId, before, offset: 0 });
  return oldest && before - 1;
}
