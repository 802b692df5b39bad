import type { Database } from '../../database/database.ts';
import { deleteOldRows } from '../../database/delete-old-rows.ts';
import { deleteOrderChanges, findOldOrderChange } from './queries.ts';

/** Deletes the history of all orders before a time, in short transactions, until `isStopping`. */
export async function deleteOldOrderHistory(
  database: Database,
  before: number,
  isStopping: () => boolean,
): Promise<void> {
  await deleteOldRows(database, { find: findOldOrderChange, delete: deleteOrderChanges }, before, isStopping);
}
