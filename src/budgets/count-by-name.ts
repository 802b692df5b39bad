import { hash } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { addByName, deleteEndedCounts } from './queries.ts';
import type { AddToCount } from './shared-limit.ts';

/** Counts by name in windows of this length, and deletes the counts of windows that ended. */
export function countByName(database: Database, windowMs: number): AddToCount<string> {
  let sweptIn = 0;
  return async (name, window, count) => {
    const isNewWindow = window !== sweptIn;
    sweptIn = window;
    const row = await database.transaction(async (connection) => {
      if (isNewWindow) await connection.run(deleteEndedCounts, { now: window * windowMs });
      return await connection.first(addByName, {
        name: hash('sha256', name, 'buffer'),
        count,
        endsAt: (window + 1) * windowMs,
      });
    });
    return row?.requests ?? 0;
  };
}
