import type { Database } from '../../database/database.ts';
import { deleteRequestsBefore } from './queries.ts';

const AT_ONCE = 1_000;

/** Deletes what requests for placements got before a time: their keys can be used again. */
export async function deleteOldKeys(database: Database, before: number): Promise<void> {
  const some = { before, limit: AT_ONCE };
  while (
    (await database.transaction((connection) => connection.run(deleteRequestsBefore, some))) === AT_ONCE
  );
}
