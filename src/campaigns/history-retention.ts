import type { Database } from '../database/database.ts';
import { deleteOldRows } from '../database/delete-old-rows.ts';
import { deleteCampaignChanges, findOldCampaignChange } from './history-queries.ts';

/** Deletes the history of all campaigns before a time, in short transactions, until `isStopping`. */
export async function deleteOldCampaignHistory(
  database: Database,
  before: number,
  isStopping: () => boolean,
): Promise<void> {
  const rows = { find: findOldCampaignChange, delete: deleteCampaignChanges };
  await deleteOldRows(database, rows, before, isStopping);
}
