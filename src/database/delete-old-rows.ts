import type { Database } from './database.ts';
import { everySide } from './every-merchant.ts';
import type { Statement } from './statement.ts';

/** A transaction deletes as many rows, and the others of the last one's time. */
const ROWS_AT_ONCE = 1_000;

/** Statements about the rows of one merchant that have the column `at`. */
interface DatedRows {
  /** The time of the row from `before` that has `offset` older ones. */
  find: Statement<{ merchantId: number; before: number; offset: number }, { at: number }>;
  delete: Statement<{ merchantId: number; upTo: number }, never>;
}

/** Deletes all merchants' rows from before a time, in short transactions, until `isStopping`. */
export async function deleteOldRows(
  database: Database,
  rows: DatedRows,
  before: number,
  isStopping: () => boolean,
): Promise<void> {
  for await (const merchantId of everySide(database)) {
    if (isStopping()) return;
    await deleteOldRowsOf(database, rows, { merchantId, before, isStopping });
  }
}

async function deleteOldRowsOf(
  database: Database,
  rows: DatedRows,
  { merchantId, before, isStopping }: { merchantId: number; before: number; isStopping: () => boolean },
): Promise<void> {
  // Most merchants have nothing to delete, and reading costs less than a transaction.
  while (!isStopping()) {
    const old = { merchantId, before };
    const last = await database.first(rows.find, { ...old, offset: ROWS_AT_ONCE - 1 });
    const oldest = last ?? (await database.first(rows.find, { ...old, offset: 0 }));
    if (oldest === undefined) return;
    const upTo = last?.at ?? before - 1;
    await database.transaction((connection) => connection.run(rows.delete, { merchantId, upTo }), {
      merchantId,
    });
  }
}
